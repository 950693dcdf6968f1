/// Related entities inside others.
extension LegalTrait {
    static let nested: [LegalTrait] = [
        deltaNested,
        deltaLinksApart,
        deltaOmitsUnchangedNested,
        nestedPages,
        nestedReordered,
    ]

    static let deltaNested = LegalTrait(
        "deltaNested",
        "OData JSON 4.01 § 15.3 (nested deltas)",
        "brings changes of nested collections as nested deltas",
        family: "nestedDelta"
    )
    static let deltaLinksApart = LegalTrait(
        "deltaLinksApart",
        "OData JSON 4.01 § 15.4 and 15.5",
        "brings changes of links as entries of their own",
        family: "nestedDelta"
    )
    static let deltaOmitsUnchangedNested = LegalTrait(
        "deltaOmitsUnchangedNested",
        "OData 4.01 Part 1 § 11.3 (only what has changed)",
        "leaves nested collections out of a delta where they have not changed"
    )
    static let nestedPages = LegalTrait(
        "nestedPages",
        "OData JSON 4.01 § 8.3 (nextLink of an expanded collection)",
        "brings expanded collections in pieces"
    )
    static let nestedReordered = LegalTrait(
        "nestedReordered",
        "OData 4.01 Part 1 § 11.2.6.2",
        "brings nested entities in another order"
    )
}
