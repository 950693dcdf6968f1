/// Results in pieces.
extension LegalTrait {
    static let paging: [LegalTrait] = [
        pagesOfOne,
        pagesOfTwo,
        pagesOfThree,
        pagesEmpty,
        pagesOverlap,
        pagesBySkip,
        pagesExpire,
        linksFromRoot,
        linksWithoutOrigin,
        linksInOtherCase,
        linksWithoutScheme,
        orderChanges,
        countUnasked,
    ]

    static let pagesOfOne = LegalTrait(
        "pagesOfOne",
        "OData 4.01 Part 1 § 11.2.6.7",
        "brings one entity in a page",
        family: "page"
    )
    static let pagesOfTwo = LegalTrait(
        "pagesOfTwo",
        "OData 4.01 Part 1 § 11.2.6.7",
        "brings two entities in a page",
        family: "page"
    )
    static let pagesOfThree = LegalTrait(
        "pagesOfThree",
        "OData 4.01 Part 1 § 11.2.6.7, SAP CAP",
        "brings three entities in a page",
        family: "page"
    )
    static let pagesEmpty = LegalTrait(
        "pagesEmpty",
        "OData 4.01 Part 1 § 11.2.6.7 (a page may be empty), Dynamics 365",
        "puts empty pages between the others"
    )
    static let pagesOverlap = LegalTrait(
        "pagesOverlap",
        "OData 4.01 Part 1 § 11.2.6.7 (silent), $skip over an unstable order",
        "brings the last entity of a page again in the next"
    )
    static let pagesBySkip = LegalTrait(
        "pagesBySkip",
        "Northwind, hand-made services",
        "counts the rows from the start at each page"
    )
    static let pagesExpire = LegalTrait(
        "pagesExpire",
        "OData 4.01 Part 1 § 11.2.6.7 (next links may expire), Graph",
        "forgets a next link once it was followed"
    )
    static let linksFromRoot = LegalTrait(
        "linksFromRoot",
        "OData JSON 4.01 § 4.5.1 (relative to the context URL)",
        "writes next and delta links relative to the service root",
        family: "links"
    )
    static let linksWithoutOrigin = LegalTrait(
        "linksWithoutOrigin",
        "RFC 3986 § 4.2",
        "writes next and delta links as absolute paths",
        family: "links"
    )
    static let linksInOtherCase = LegalTrait(
        "linksInOtherCase",
        "RFC 3986 § 6.2.2.1",
        "writes scheme and host of links in another case, with the port",
        family: "links"
    )
    static let linksWithoutScheme = LegalTrait(
        "linksWithoutScheme",
        "RFC 3986 § 4.2",
        "writes links without a scheme",
        family: "links"
    )
    static let orderChanges = LegalTrait(
        "orderChanges",
        "OData 4.01 Part 1 § 11.2.6.2 (no order without $orderby)",
        "brings entities in another order each time"
    )
    static let countUnasked = LegalTrait(
        "countUnasked",
        "OData JSON 4.01 § 4.5.5",
        "brings @odata.count unasked"
    )
}
