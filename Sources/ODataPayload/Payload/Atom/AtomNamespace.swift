/// What the namespaces of Atom payloads of versions 1 to 3 stand for (OData 3.0 Atom § 3).
package enum AtomNamespace {
    /// Feeds, entries and links (RFC 4287).
    case atom
    /// Properties, by convention `d:`.
    case data
    /// What OData says about them, by convention `m:`.
    case metadata
    /// Tombstones (RFC 6721).
    case tombstones
    /// Anything else, which is passed over.
    case other

    /// The namespace name of Atom.
    package static let atomName = "http://www.w3.org/2005/Atom"
    /// The namespace name of properties.
    package static let dataName = "http://schemas.microsoft.com/ado/2007/08/dataservices"
    /// The namespace name of OData's own elements and attributes.
    package static let metadataName = dataName + "/metadata"
    /// The scheme of a category that names the entity type.
    package static let typeScheme = dataName + "/scheme"
    /// What stands before the navigation property's name in the relation of its link.
    package static let relatedPrefix = dataName + "/related/"

    /// What may stand before a registered relation, and means nothing (RFC 4287 § 4.2.7.2).
    private static let registeredPrefix = "http://www.iana.org/assignments/relation/"

    /// The relation of a link in its short form.
    static func relation(_ text: String) -> String {
        text.hasPrefix(registeredPrefix) ? String(text.dropFirst(registeredPrefix.count)) : text
    }

    /// Reads a namespace name.
    init(_ name: String) {
        self =
            switch name {
            case Self.atomName: .atom
            case Self.dataName: .data
            case Self.metadataName: .metadata
            case "http://purl.org/atompub/tombstones/1.0": .tombstones
            default: .other
            }
    }
}
