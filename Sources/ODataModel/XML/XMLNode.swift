/// An element of a small XML document.
package struct XMLNode: Sendable {
    /// Name without prefix.
    package var name: String
    /// Namespace URI; nil where the element is in none.
    package var namespace: String?
    package var attributes: [(name: String, value: String)]
    package var children: [XMLNode]
    /// The text directly in the element.
    package var text: String
    /// Line of the start tag, 1-based.
    package var line: Int
    /// Line at which the text begins that is not white space; nil where there is none.
    package var textLine: Int?
}
