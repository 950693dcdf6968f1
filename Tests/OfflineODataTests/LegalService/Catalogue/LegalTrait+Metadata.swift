/// The metadata, and values that go beyond it.
extension LegalTrait {
    static let metadata: [LegalTrait] = [
        partnersOmitted,
        constraintInOddForm,
        annotationsUnknown,
        collectionNullability,
        valuesBeyondFacets,
        bindingsOmitted,
        metadataETag,
        membersUnknown,
        typesAlways,
        contextMissing,
        contextRelative,
        controlInShortForm,
    ]

    static let partnersOmitted = LegalTrait(
        "partnersOmitted",
        "CSDL XML 4.01 § 8.4 (optional)",
        "leaves the partners of navigation properties out"
    )
    static let constraintInOddForm = LegalTrait(
        "constraintInOddForm",
        "OData 3 habits in 4.0 documents",
        "has a referential constraint of an odd form"
    )
    static let annotationsUnknown = LegalTrait(
        "annotationsUnknown",
        "CSDL XML 4.01 § 14 (unknown terms are to be ignored)",
        "has annotations of terms that nobody knows"
    )
    static let collectionNullability = LegalTrait(
        "collectionNullability",
        "CSDL XML 4.01 § 7.2.1 (unstated for collections)",
        "does not say whether items may be null, and has nulls"
    )
    static let valuesBeyondFacets = LegalTrait(
        "valuesBeyondFacets",
        "CSDL XML 4.01 § 7.2.2 (facets of stored data), legacy databases",
        "holds texts longer than MaxLength"
    )
    static let bindingsOmitted = LegalTrait(
        "bindingsOmitted",
        "CSDL XML 4.01 § 13.4 (optional), OData.NET habits",
        "leaves out some navigation property bindings"
    )
    static let metadataETag = LegalTrait(
        "metadataETag",
        "OData 4.01 Part 1 § 11.1.2, RFC 9110 § 13.1.2",
        "answers 304 to the metadata"
    )
    static let membersUnknown = LegalTrait(
        "membersUnknown",
        "OData JSON 4.01 § 4.5 (unknown annotations are to be ignored)",
        "brings annotations that nobody knows"
    )
    static let typesAlways = LegalTrait(
        "typesAlways",
        "OData JSON 4.01 § 4.5.3",
        "brings the type of each entity"
    )
    static let contextMissing = LegalTrait(
        "contextMissing",
        "metadata=none, hand-made services",
        "leaves context URLs out",
        family: "context"
    )
    static let contextRelative = LegalTrait(
        "contextRelative",
        "OData JSON 4.01 § 4.5.1",
        "writes relative context URLs",
        family: "context"
    )
    static let controlInShortForm = LegalTrait(
        "controlInShortForm",
        "OData JSON 4.01 § 4.5 (4.01: the prefix odata. is optional)",
        "writes control information as 4.01 does, without a prefix"
    )
}
