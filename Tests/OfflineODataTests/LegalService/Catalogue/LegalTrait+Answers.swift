/// What is answered to a change.
extension LegalTrait {
    static let answers: [LegalTrait] = [
        createsAnswer204,
        createsAnswerEmpty,
        createsAnswerWithoutKey,
        createsAnswerPartly,
        createsAnswer200,
        updatesAnswer204,
        updatesAnswerEmpty,
        preferencesIgnored,
        deepAnswersFlat,
        deletesAnswer200,
        deletesAgain204,
        missingIsGone,
        missingIsConflict,
        linksAgainRefused,
        deletesRestricted,
        cascadeUndeclared,
        cascadeDeclared,
        amountsRounded,
        notesTrimmed,
        notesSuffixed,
    ]

    static let createsAnswer204 = LegalTrait(
        "createsAnswer204",
        "OData 4.01 Part 1 § 11.4.2 and 8.2.8.7",
        "answers 204 to a creation, with OData-EntityId",
        family: "creates"
    )
    static let createsAnswerEmpty = LegalTrait(
        "createsAnswerEmpty",
        "restier, hand-made services",
        "answers 201 without a body",
        family: "creates"
    )
    static let createsAnswerWithoutKey = LegalTrait(
        "createsAnswerWithoutKey",
        "hand-made services",
        "answers 201 with a body without the key",
        family: "creates"
    )
    static let createsAnswerPartly = LegalTrait(
        "createsAnswerPartly",
        "OData 4.01 Part 1 § 11.4.2 (representation as the service has it)",
        "answers 201 with the key and control information only",
        family: "creates"
    )
    static let createsAnswer200 = LegalTrait(
        "createsAnswer200",
        "hand-made services",
        "answers 200 to a creation",
        family: "creates"
    )
    static let updatesAnswer204 = LegalTrait(
        "updatesAnswer204",
        "OData 4.01 Part 1 § 11.4.3 (the preference may be ignored)",
        "answers 204 to every update",
        family: "updates"
    )
    static let updatesAnswerEmpty = LegalTrait(
        "updatesAnswerEmpty",
        "hand-made services",
        "answers 200 without a body to an update",
        family: "updates"
    )
    static let preferencesIgnored = LegalTrait(
        "preferencesIgnored",
        "RFC 7240 § 2",
        "does what it likes with return=",
        family: "preferences"
    )
    static let deepAnswersFlat = LegalTrait(
        "deepAnswersFlat",
        "OData 4.01 Part 1 § 11.4.2.2 in 4.0: only the root need come",
        "answers a deep insert without the children"
    )
    static let deletesAnswer200 = LegalTrait(
        "deletesAnswer200",
        "RFC 9110 § 9.3.5",
        "answers 200 to a deletion"
    )
    static let deletesAgain204 = LegalTrait(
        "deletesAgain204",
        "RFC 9110 § 9.2.2 (idempotent)",
        "answers 204 to the deletion of what is gone",
        family: "missing"
    )
    static let missingIsGone = LegalTrait(
        "missingIsGone",
        "RFC 9110 § 15.5.11",
        "answers 410 for what is gone",
        family: "missing"
    )
    static let missingIsConflict = LegalTrait(
        "missingIsConflict",
        "RFC 9110 § 13.1.1 (If-Match and no representation)",
        "answers 412 to a conditional update of what is gone"
    )
    static let linksAgainRefused = LegalTrait(
        "linksAgainRefused",
        "OData 4.01 Part 1 § 11.4.6.1 (silent about links that exist)",
        "refuses a link that is there, and the removal of one that is not"
    )
    static let deletesRestricted = LegalTrait(
        "deletesRestricted",
        "OData 4.01 Part 1 § 11.4.5 (a deletion may be refused), restricting foreign keys",
        "refuses the deletion of a customer with orders",
        family: "cascade"
    )
    static let cascadeUndeclared = LegalTrait(
        "cascadeUndeclared",
        "relational databases; OnDelete is optional (CSDL XML 4.01 § 8.6)",
        "deletes the orders of a customer with it and does not say so in the metadata",
        family: "cascade"
    )
    static let cascadeDeclared = LegalTrait(
        "cascadeDeclared",
        "CSDL XML 4.01 § 8.6",
        "deletes the orders of a customer with it",
        family: "cascade"
    )
    static let amountsRounded = LegalTrait(
        "amountsRounded",
        "OData 4.01 Part 1 § 11.4.3 (the service may change values), SAP CAP",
        "rounds decimal values when it stores them"
    )
    static let notesTrimmed = LegalTrait(
        "notesTrimmed",
        "CHAR columns of databases",
        "trims texts when it stores them",
        family: "notes"
    )
    static let notesSuffixed = LegalTrait(
        "notesSuffixed",
        "Core.Computed values on write",
        "changes a text when it stores it",
        family: "notes"
    )
}
