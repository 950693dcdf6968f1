import ODataPayload

extension PayloadLimits {
    /// The limits of a file, which is in memory already: one entity may be all of it, with the entities that it contains.
    init(ofFile json: [UInt8]) {
        self.init()
        maximumItemBytes = max(maximumItemBytes, json.count)
    }
}
