import ODataHTTP

extension BatchRequest.Item {
    /// The requests at this position.
    var parts: [BatchPart] { BatchRequest(items: [self]).parts }

    /// Why the requests are not carried out: one that they depend on failed, or their own condition is not met.
    func refusal(in state: BatchState) -> ServiceError? {
        if parts.contains(where: { state.dependsOnFailure($0) }) {
            return ServiceError(424, "a request that this one depends on failed")
        }
        return parts.lazy.compactMap(\.conditionRefusal).first
    }
}

extension BatchPart {
    /// Only conditions that are constants are evaluated (OData JSON 4.01 § 19.1): a request is not carried out on a condition that may
    /// be false.
    fileprivate var conditionRefusal: ServiceError? {
        switch condition {
        case nil, "true": nil
        case "false": ServiceError(424, "the condition 'if' of the request is false")
        default:
            ServiceError(
                501,
                "the condition 'if' of a batch request is supported as true and false only"
            )
        }
    }
}
