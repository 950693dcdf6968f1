/// Change sets and repeatable requests.
extension LegalTrait {
    static let transactions: [LegalTrait] = [
        changeSetsRefused,
        changeSetsOfOne,
        referencesRefused,
        repeatable,
        repeatabilityRefused,
    ]

    static let changeSetsRefused = LegalTrait(
        "changeSetsRefused",
        "OData 4.01 Part 1 § 11.7 (atomicity groups may not be supported), json-server",
        "answers 501 to a batch with change sets",
        family: "changeSets"
    )
    static let changeSetsOfOne = LegalTrait(
        "changeSetsOfOne",
        "SAP Gateway (one operation per change set by default)",
        "answers 400 to a change set of several",
        family: "changeSets"
    )
    static let referencesRefused = LegalTrait(
        "referencesRefused",
        "OData 4.01 Part 1 § 11.7.3.1, Olingo 2",
        "refuses $1 in the URLs of a change set"
    )
    static let repeatable = LegalTrait(
        "repeatable",
        "Repeatable Requests 1.0",
        "carries a repeated request out once",
        family: "repeatability"
    )
    static let repeatabilityRefused = LegalTrait(
        "repeatabilityRefused",
        "Repeatable Requests 1.0 § 5",
        "answers 501 to repeatable requests",
        family: "repeatability"
    )
}
