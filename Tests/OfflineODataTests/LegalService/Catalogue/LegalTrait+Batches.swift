/// Batches in all their forms.
extension LegalTrait {
    static let batches: [LegalTrait] = [
        batchMissing404,
        batchMissing501,
        batchMissing405,
        batchJSONOnly,
        batchJSONToo,
        batchStopsAtErrors,
        batchAnswers202,
        batchReordered,
        contentIDsMissing,
        contentIDsInSetsOnly,
        batchInUnixLines,
        batchWithPreamble,
        boundaryQuoted,
        partsWithLength,
        batchOfTwoAtMost413,
        batchOfTwoAtMost400,
    ]

    static let batchMissing404 = LegalTrait(
        "batchMissing404",
        "OData 4.01 Part 1 § 11.7 (a service may have none), hand-made services",
        "answers 404 to $batch",
        family: "batch"
    )
    static let batchMissing501 = LegalTrait(
        "batchMissing501",
        "RFC 9110 § 15.6.2",
        "answers 501 to $batch",
        family: "batch"
    )
    static let batchMissing405 = LegalTrait(
        "batchMissing405",
        "hand-made services",
        "answers 405 to $batch",
        family: "batch"
    )
    static let batchJSONOnly = LegalTrait(
        "batchJSONOnly",
        "OData 4.01 Part 1 § 13.2 (4.01 asks for JSON), Capabilities.BatchSupport",
        "takes batches in JSON only",
        family: "batch"
    )
    static let batchJSONToo = LegalTrait(
        "batchJSONToo",
        "OData 4.01 Part 1 § 11.7.5",
        "takes batches in JSON besides multipart"
    )
    static let batchStopsAtErrors = LegalTrait(
        "batchStopsAtErrors",
        "OData 4.01 Part 1 § 8.2.8.3 (continue-on-error may be ignored)",
        "stops a batch at the first error"
    )
    static let batchAnswers202 = LegalTrait(
        "batchAnswers202",
        "OData 4.01 Part 1 § 11.7.7 (4.0: 202), Northwind",
        "answers 202 to a batch"
    )
    static let batchReordered = LegalTrait(
        "batchReordered",
        "OData JSON 4.01 § 19.2 (any order; names tell)",
        "answers the requests of a batch in another order"
    )
    static let contentIDsMissing = LegalTrait(
        "contentIDsMissing",
        "OData 4.01 Part 1 § 11.7.7.1 (needed inside change sets only), Olingo 2",
        "leaves Content-IDs out of batch answers",
        family: "contentIDs"
    )
    static let contentIDsInSetsOnly = LegalTrait(
        "contentIDsInSetsOnly",
        "OData 4.01 Part 1 § 11.7.7.1",
        "brings Content-IDs inside change sets only",
        family: "contentIDs"
    )
    static let batchInUnixLines = LegalTrait(
        "batchInUnixLines",
        "RFC 9112 § 2.2 (robustness), Ruby services",
        "ends the lines of a batch with LF"
    )
    static let batchWithPreamble = LegalTrait(
        "batchWithPreamble",
        "RFC 2046 § 5.1.1",
        "writes a preamble before a batch"
    )
    static let boundaryQuoted = LegalTrait(
        "boundaryQuoted",
        "RFC 2046 § 5.1.1",
        "quotes the boundary"
    )
    static let partsWithLength = LegalTrait(
        "partsWithLength",
        "RFC 9110 § 8.6",
        "writes Content-Length into batch parts"
    )
    static let batchOfTwoAtMost413 = LegalTrait(
        "batchOfTwoAtMost413",
        "RFC 9110 § 15.5.14, Graph (20), Dynamics (1,000)",
        "answers 413 to more than two requests",
        family: "limit"
    )
    static let batchOfTwoAtMost400 = LegalTrait(
        "batchOfTwoAtMost400",
        "Graph: 400 above 20 requests",
        "answers 400 to more than two requests",
        family: "limit"
    )
}
