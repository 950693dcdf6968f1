package import ODataModel
package import ODataText

extension JSONNode {
    /// Names of the member that states the type of an object (OData JSON 4.01 § 4.6.3).
    package static let typeNames = ["@odata.type", "@type"]

    /// The type that an object states, as written.
    package var statedType: String? {
        Self.typeNames.lazy.compactMap { self[$0]?.text }.first
    }
}

extension EdmModel {
    /// Returns the structured type that an object states; nil where it states none, or one that the model does not have.
    package func statedType(of node: JSONNode) -> StructuredTypeID? {
        node.statedType?.split(separator: "#").last.flatMap { structuredType(named: String($0)) }
    }
}
