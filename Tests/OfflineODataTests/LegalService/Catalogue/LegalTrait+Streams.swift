/// Media entities and stream properties.
extension LegalTrait {
    static let streams: [LegalTrait] = [
        mediaETagsMissing,
        mediaETagsWeak,
        mediaETagsNotInAnswers,
        mediaLinksGiven,
        streamsTakeEntityETag,
        streamsAnswer200,
        emptyStreamsMissing,
    ]

    static let mediaETagsMissing = LegalTrait(
        "mediaETagsMissing",
        "OData JSON 4.01 § 4.5.14 (optional)",
        "has no media ETags",
        family: "mediaETags"
    )
    static let mediaETagsWeak = LegalTrait(
        "mediaETagsWeak",
        "RFC 9110 § 8.8.1",
        "writes weak media ETags",
        family: "mediaETags"
    )
    static let mediaETagsNotInAnswers = LegalTrait(
        "mediaETagsNotInAnswers",
        "OData 4.01 Part 1 § 11.4.7.2 (silent)",
        "answers the change of a stream without its ETag"
    )
    static let mediaLinksGiven = LegalTrait(
        "mediaLinksGiven",
        "OData JSON 4.01 § 4.5.14",
        "brings media read links"
    )
    static let streamsTakeEntityETag = LegalTrait(
        "streamsTakeEntityETag",
        "SAP Gateway, hand-made services",
        "takes the ETag of the entity for that of its stream"
    )
    static let streamsAnswer200 = LegalTrait(
        "streamsAnswer200",
        "RFC 9110 § 9.3.4",
        "answers 200 to the change of a stream"
    )
    static let emptyStreamsMissing = LegalTrait(
        "emptyStreamsMissing",
        "OData 4.01 Part 1 § 11.2.4 (silent about a missing stream)",
        "answers 404 for a stream without content"
    )
}
