/// The name of a type as documents, URLs and payloads write it: `NS.Name`, or `Collection(NS.Name)` (OData CSDL XML 4.01 § 7.1).
package struct CollectionTypeName {
    /// The name of the single type, without the parentheses.
    package let item: Substring
    /// Whether the name is that of a collection.
    package let isCollection: Bool

    /// Takes a name apart.
    package init(_ text: some StringProtocol) {
        let name = Substring(text)
        // By bytes: going from character to character takes ten times as long.
        let bytes = name.utf8
        isCollection = bytes.last == UInt8(ascii: ")") && bytes.starts(with: Self.prefix)
        item = isCollection ? Substring(bytes.dropFirst(Self.prefix.count).dropLast()) : name
    }

    private static let prefix = "Collection(".utf8
}
