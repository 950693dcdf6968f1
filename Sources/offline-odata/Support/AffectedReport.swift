import CommandSupport
import ODataProtocol

/// What a command has changed: a sentence, or `{"affected": […]}` for scripts.
struct AffectedReport {
    /// URLs, names or numbers of what was changed.
    private let json: [UInt8]

    /// - Parameters:
    ///   - removed: How many entities went with what was removed.
    ///   - time: What it took; nil for what is done at once.
    init(_ names: [String], removed: Int? = nil, time: Duration? = nil) {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("affected", values: names)
        if let removed { writer.member("removed", value: removed) }
        if let time { writer.member("seconds", seconds: time) }
        writer.endObject()
        json = writer.bytes
    }

    init(requests ids: [Int64]) {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("affected", values: ids.map(Int.init))
        writer.endObject()
        json = writer.bytes
    }

    /// The entities that were changed, and the requests that are gone with that.
    init(_ urls: [String], requests ids: [Int64], time: Duration) {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("affected", values: urls)
        writer.member("requests", values: ids.map(Int.init))
        writer.member("seconds", seconds: time)
        writer.endObject()
        json = writer.bytes
    }

    /// Prints the sentence, or the JSON document in its place.
    func answer(_ sentence: String, isJSON: Bool, on terminal: Terminal) throws(CommandFailure) {
        if isJSON { try terminal.answer(json + [0x0A]) } else { try terminal.answer(sentence) }
    }
}
