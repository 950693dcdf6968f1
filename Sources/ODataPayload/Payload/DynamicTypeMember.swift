import ODataText

/// The member that says the type of a dynamic property, `Born@odata.type` (OData JSON 4.01 § 4.6.3).
///
/// Only an entity itself says whether a dynamic property is a date or a text. So its type is kept among the dynamic properties,
/// under a name that no property can have.
package enum DynamicTypeMember {
    private static let suffix = "@odata.type"

    /// The name of the member that says the type of a property.
    package static func name(of property: String) -> String { property + suffix }

    /// The property whose type a member says; nil where it is a property itself.
    package static func property(of member: String) -> String? {
        member.hasSuffix(suffix) ? String(member.dropLast(suffix.count)) : nil
    }

    /// The types that go where properties are given a value without saying its type.
    package static func forgotten(by names: [String]) -> [String] {
        let given = Set(names)
        return names.filter { property(of: $0) == nil }.map { name(of: $0) }
            .filter { !given.contains($0) }
    }

    /// Returns the name of a type as it is kept, `#Date` or `#Shop.Colour`, of any of its spellings; nil where it is none.
    static func canonical(_ written: String) -> String? {
        let fragment = written.split(separator: "#", omittingEmptySubsequences: false).last ?? ""
        let isName = CollectionTypeName(fragment).item.split(
            separator: ".",
            omittingEmptySubsequences: false
        )
        .allSatisfy(isSimpleIdentifier)
        return isName ? "#" + fragment : nil
    }

    /// Whether a text can be the name of a property (OData CSDL XML 4.01 § 15.2).
    package static func isSimpleIdentifier(_ text: some StringProtocol) -> Bool {
        guard let first = text.unicodeScalars.first else { return false }
        return (first == "_" || first.properties.isXIDStart)
            && text.unicodeScalars.allSatisfy { $0 == "_" || $0.properties.isXIDContinue }
    }
}
