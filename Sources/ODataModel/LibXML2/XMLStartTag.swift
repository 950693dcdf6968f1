/// The start tag of an element, its names resolved to namespaces.
package struct XMLStartTag: Sendable {
    /// An attribute with its namespace; empty for an attribute without prefix.
    package struct Attribute: Sendable {
        package let namespace: String
        package let name: String
        package let value: String
    }

    /// The namespace of the attributes that every document may use, such as `xml:base`.
    package static let xmlNamespace = "http://www.w3.org/XML/1998/namespace"

    /// Namespace name; empty for none.
    package let namespace: String
    /// Name without prefix.
    package let name: String
    package let attributes: [Attribute]
    /// Line on which the tag ends, from 1.
    package let line: Int
    /// Bytes of the document up to the end of the tag.
    package let byteOffset: Int

    /// Returns the value of an attribute; those without prefix have the empty namespace.
    package func attribute(_ name: String, in namespace: String = "") -> String? {
        attributes.first { $0.name == name && $0.namespace == namespace }?.value
    }
}
