import CommandSupport
import ODataProtocol

/// The number of a request on the command line.
enum RequestID {
    /// Reads it from the only word there is.
    ///
    /// - Throws: ``CommandFailure`` (invalid).
    static func read(_ words: ArraySlice<String>) throws(CommandFailure) -> Int64 {
        guard words.count == 1, let word = words.first else {
            throw .usage("give the id of one request", advice: Self.advice)
        }
        guard let id = Int64(word), id > 0 else {
            throw .usage("'\(word)' is not a request id", advice: Self.advice)
        }
        return id
    }

    private static let advice = "`queue STORE` and `errors STORE` list the ids."

    /// Prints a request in full.
    static func show(_ item: QueueListing.Item, isJSON: Bool, on terminal: Terminal)
        throws(CommandFailure)
    {
        guard isJSON else { return try terminal.answer(item.lines.joined(separator: "\n")) }
        var writer = JSONWriter()
        item.writeInFull(to: &writer)
        try terminal.answer(writer.bytes + [0x0A])
    }
}
