import ODataProtocol

/// The number of a request on the command line.
enum RequestID {
    /// Reads it from the only word there is.
    ///
    /// - Throws: ``CommandFailure`` (invalid).
    static func read(_ words: ArraySlice<String>) throws(CommandFailure) -> Int64 {
        guard words.count == 1, let word = words.first else {
            throw .usage("the number of one request is expected")
        }
        guard let id = Int64(word), id > 0 else {
            throw .usage("'\(word)' is no number of a request")
        }
        return id
    }

    /// Prints a request in full.
    static func show(_ item: QueueListing.Item, isJSON: Bool, on terminal: Terminal)
        throws(CommandFailure)
    {
        guard isJSON else { return try terminal.answer(item.lines.joined(separator: "\n")) }
        var writer = JSONWriter()
        item.write(to: &writer)
        try terminal.answer(writer.bytes + [0x0A])
    }
}
