/// Header fields and sessions.
extension LegalTrait {
    static let headers: [LegalTrait] = [
        queryWanted,
        tokenWanted,
        cookiesSet,
        redirected,
        versionMissing,
        fieldsInSmallLetters,
    ]

    static let queryWanted = LegalTrait(
        "queryWanted",
        "SAP Gateway (?sap-client=100)",
        "wants a query option of the service root at every request"
    )
    static let tokenWanted = LegalTrait(
        "tokenWanted",
        "SAP Gateway",
        "wants an X-CSRF-Token for changes"
    )
    static let cookiesSet = LegalTrait(
        "cookiesSet",
        "RFC 6265",
        "sets a session cookie"
    )
    static let redirected = LegalTrait(
        "redirected",
        "RFC 9110 § 15.4.8",
        "sends requests elsewhere with 307"
    )
    static let versionMissing = LegalTrait(
        "versionMissing",
        "hand-made services",
        "leaves OData-Version out"
    )
    static let fieldsInSmallLetters = LegalTrait(
        "fieldsInSmallLetters",
        "RFC 9113 § 8.2.1 (HTTP/2)",
        "writes the names of header fields in small letters"
    )
}
