/// ETags and conditions.
extension LegalTrait {
    static let etags: [LegalTrait] = [
        etagsMissing,
        etagsPerSet,
        etagsStrong,
        etagsWithDates,
        etagsRespelled,
        etagFollowsRelated,
        etagsNotNested,
        etagsNotSelected,
        etagsNotInCollections,
        etagsInHeaderOnly,
        etagsNotInAnswers,
        conditionRequired,
        conditionsIgnored,
    ]

    static let etagsMissing = LegalTrait(
        "etagsMissing",
        "OData 4.01 Part 1 § 8.3.1 (ETags are optional)",
        "has no ETags",
        family: "etags"
    )
    static let etagsPerSet = LegalTrait(
        "etagsPerSet",
        "OData 4.01 Part 1 § 11.4.1.1 (Core.OptimisticConcurrency by set)",
        "has ETags for some of its sets only",
        family: "etags"
    )
    static let etagsStrong = LegalTrait(
        "etagsStrong",
        "RFC 9110 § 8.8.1",
        "writes strong ETags",
        family: "etags"
    )
    static let etagsWithDates = LegalTrait(
        "etagsWithDates",
        "SAP Gateway: W/\"datetime'…'\"",
        "writes ETags with a date and percent signs",
        family: "etags"
    )
    static let etagsRespelled = LegalTrait(
        "etagsRespelled",
        "RFC 9110 § 8.8.3.2 (weak comparison is the service's), hashes with a time",
        "writes the ETag of one version in another way at each read",
        family: "etags"
    )
    static let etagFollowsRelated = LegalTrait(
        "etagFollowsRelated",
        "OData 4.01 Part 1 § 11.4.1.1 (what an ETag covers is the service's)",
        "changes the ETag with related entities, links and streams"
    )
    static let etagsNotNested = LegalTrait(
        "etagsNotNested",
        "OData JSON 4.01 § 4.5.13 (optional), Olingo",
        "leaves ETags out of nested entities"
    )
    static let etagsNotSelected = LegalTrait(
        "etagsNotSelected",
        "SAP Gateway with $select",
        "leaves ETags out where $select was given"
    )
    static let etagsNotInCollections = LegalTrait(
        "etagsNotInCollections",
        "hand-made services",
        "brings ETags of single entities only"
    )
    static let etagsInHeaderOnly = LegalTrait(
        "etagsInHeaderOnly",
        "metadata=none habits, hand-made services",
        "brings ETags in the header field only"
    )
    static let etagsNotInAnswers = LegalTrait(
        "etagsNotInAnswers",
        "OData 4.01 Part 1 § 8.3.1 (answers to changes need not carry one)",
        "answers changes without an ETag"
    )
    static let conditionRequired = LegalTrait(
        "conditionRequired",
        "RFC 6585 § 3, Core.OptimisticConcurrency",
        "answers 428 where If-Match is missing",
        family: "condition"
    )
    static let conditionsIgnored = LegalTrait(
        "conditionsIgnored",
        "Northwind, json-server",
        "brings ETags and does not look at If-Match",
        family: "condition"
    )
}
