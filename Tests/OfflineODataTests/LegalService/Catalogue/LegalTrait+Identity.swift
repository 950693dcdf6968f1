/// What entities are called: keys, ids, addresses.
extension LegalTrait {
    static let identity: [LegalTrait] = [
        keysReplaced,
        keysComputed,
        keysFolded,
        guidsInCapitals,
        idsAlways,
        keysNamedInIDs,
        idsEncoded,
        idsNoAddresses,
        locationRelative,
        locationWithoutOrigin,
        locationForeign,
        locationMissing,
        duplicates400,
        duplicates412,
        duplicates500,
        foreignKeysChecked,
        keysWithOddCharacters,
        missingAnswers204,
        singletonGone204,
    ]

    static let keysReplaced = LegalTrait(
        "keysReplaced",
        "OData 4.01 Part 1 § 11.4.2 (the service may give the key), SAP Gateway",
        "gives a created entity a key of its own, whatever key the client sent"
    )
    static let keysComputed = LegalTrait(
        "keysComputed",
        "Core.Computed on key properties",
        "says in the metadata that keys are computed"
    )
    static let keysFolded = LegalTrait(
        "keysFolded",
        "case-insensitive collations of SQL Server, Dynamics 365",
        "keeps text keys in capitals"
    )
    static let guidsInCapitals = LegalTrait(
        "guidsInCapitals",
        "OData ABNF guidValue (case-insensitive)",
        "writes GUIDs in capitals"
    )
    static let idsAlways = LegalTrait(
        "idsAlways",
        "OData JSON 4.01 § 4.5.8",
        "brings the id of each entity, absolute"
    )
    static let keysNamedInIDs = LegalTrait(
        "keysNamedInIDs",
        "OData 4.01 Part 2 § 4.3.1",
        "names the key property in ids: Customers(ID=1)"
    )
    static let idsEncoded = LegalTrait(
        "idsEncoded",
        "RFC 3986 § 2.3, SAP Gateway",
        "encodes quotes and dashes in ids"
    )
    static let idsNoAddresses = LegalTrait(
        "idsNoAddresses",
        "OData 4.01 Part 1 § 4.1 (an id need not be dereferenceable)",
        "brings ids that are no URLs, and edit links"
    )
    static let locationRelative = LegalTrait(
        "locationRelative",
        "RFC 9110 § 10.2.2",
        "writes Location relative to the service root",
        family: "location"
    )
    static let locationWithoutOrigin = LegalTrait(
        "locationWithoutOrigin",
        "RFC 9110 § 10.2.2",
        "writes Location as an absolute path",
        family: "location"
    )
    static let locationForeign = LegalTrait(
        "locationForeign",
        "services behind a gateway",
        "names a host in Location that only the gateway knows",
        family: "location"
    )
    static let locationMissing = LegalTrait(
        "locationMissing",
        "hand-made services, json-server",
        "leaves Location and OData-EntityId out",
        family: "location"
    )
    static let duplicates400 = LegalTrait(
        "duplicates400",
        "Northwind, hand-made services",
        "answers 400 where a key is taken",
        family: "duplicates"
    )
    static let duplicates412 = LegalTrait(
        "duplicates412",
        "Dynamics 365",
        "answers 412 where a key is taken",
        family: "duplicates"
    )
    static let duplicates500 = LegalTrait(
        "duplicates500",
        "Olingo 2 with JPA",
        "answers 500 where a key is taken",
        family: "duplicates"
    )
    static let foreignKeysChecked = LegalTrait(
        "foreignKeysChecked",
        "OData 4.01 Part 1 § 11.4.2.1, relational databases",
        "refuses a foreign key that names no entity"
    )
    static let keysWithOddCharacters = LegalTrait(
        "keysWithOddCharacters",
        "OData ABNF, RFC 3986 § 2.1",
        "has text keys with spaces, slashes, quotes and signs"
    )
    static let missingAnswers204 = LegalTrait(
        "missingAnswers204",
        "OData 4.01 Part 1 § 11.2.4 (204 where nothing is there), hand-made services",
        "answers 204 for an entity that is not there"
    )
    static let singletonGone204 = LegalTrait(
        "singletonGone204",
        "OData 4.01 Part 1 § 11.2.7 (204 for a missing related entity)",
        "answers 204 for a missing singleton"
    )
}
