import ODataPayload

extension PayloadLimits {
    /// The limits of a file, which is in memory already: one entity may be all of it, with the entities that it contains.
    ///
    /// An entity that another one contains takes two levels: the array and the object.
    init(ofFile json: [UInt8]) {
        self.init()
        maximumDepth = 2 * ImportSelection.maximumDepth
        maximumItemBytes = max(maximumItemBytes, json.count)
    }
}
