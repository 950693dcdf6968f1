/// Errors and faults of the service itself.
extension LegalTrait {
    static let errors: [LegalTrait] = [
        errorsEmpty,
        errorsInHTML,
        errorsInXML,
        busyAtTimes,
        readsLater,
        answersLater,
    ]

    static let errorsEmpty = LegalTrait(
        "errorsEmpty",
        "OData 4.01 Part 1 § 9.4 (SHOULD have a body)",
        "answers errors without a body",
        family: "errors"
    )
    static let errorsInHTML = LegalTrait(
        "errorsInHTML",
        "gateways and web servers",
        "answers errors with HTML",
        family: "errors"
    )
    static let errorsInXML = LegalTrait(
        "errorsInXML",
        "OData 2 habits, Atom",
        "answers errors with XML",
        family: "errors"
    )
    static let busyAtTimes = LegalTrait(
        "busyAtTimes",
        "RFC 6585 § 4",
        "answers 429 to every fifth request"
    )
    static let readsLater = LegalTrait(
        "readsLater",
        "OData 4.01 Part 1 § 11.6 (respond-async on reads)",
        "answers 202 to reads that ask for it"
    )
    static let answersLater = LegalTrait(
        "answersLater",
        "OData 4.01 Part 1 § 11.6 (respond-async habits)",
        "answers 202 to changes and the result later"
    )
}
