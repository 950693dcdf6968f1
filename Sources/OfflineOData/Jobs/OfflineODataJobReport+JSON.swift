import ODataValues
import OfflineValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension OfflineODataJobReport {
    /// The report as a JSON document, a line for each store.
    public func json() -> [UInt8] {
        var bytes = head
        for (index, outcome) in outcomes.enumerated() {
            bytes += Self.line(outcome, isFirst: index == 0)
        }
        return bytes + tail
    }

    /// What stands before the outcomes.
    var head: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("job")
        writer.string(job)
        writer.name("shards")
        writer.beginArray()
        for shard in shards { writer.string(shard) }
        writer.endArray()
        writer.name("stores")
        writer.integer(Int64(storeCount))
        writer.name("outcomes")
        writer.beginArray()
        return writer.bytes
    }

    /// What stands behind the outcomes.
    var tail: [UInt8] {
        var text = "\n]"
        for status in OfflineODataJobOutcome.Status.allCases {
            text += ",\"\(status.rawValue)\":\(count(of: status))"
        }
        text += ",\"remaining\":\(remainingCount)"
        return Array(text.utf8) + Self.member("repeated", repeatedStores)
            + Self.member("missingShards", missingShards) + Array("}\n".utf8)
    }

    /// A member behind others; nothing where it would be empty.
    private static func member(_ name: String, _ texts: [String]) -> [UInt8] {
        guard !texts.isEmpty else { return [] }
        var writer = JSONWriter()
        writer.beginArray()
        for text in texts { writer.string(text) }
        writer.endArray()
        return Array(",\"\(name)\":".utf8) + writer.bytes
    }

    // MARK: Outcomes

    /// An outcome with what separates it from the one before.
    static func line(_ outcome: OfflineODataJobOutcome, isFirst: Bool) -> [UInt8] {
        Array((isFirst ? "\n" : ",\n").utf8) + json(outcome)
    }

    private static func json(_ outcome: OfflineODataJobOutcome) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("store", value: outcome.store)
        writer.member("status", value: outcome.status.rawValue)
        writer.name("attempts")
        writer.integer(Int64(outcome.attempts))
        writer.member("started", value: time(outcome.started))
        writer.member("seconds", thousandths: Int64(outcome.duration / .milliseconds(1)))
        writer.name("steps")
        writer.beginArray()
        for step in outcome.steps { write(step, to: &writer) }
        writer.endArray()
        if !outcome.refusedRequestIDs.isEmpty {
            writer.name("refusedIDs")
            writer.beginArray()
            for id in outcome.refusedRequestIDs { writer.integer(id) }
            writer.endArray()
        }
        if outcome.isCleared {
            writer.name("cleared")
            writer.boolean(true)
        }
        if let failure = outcome.failure { write(failure, to: &writer) }
        writer.endObject()
        return writer.bytes
    }

    private static func write(_ step: OfflineODataJobOutcome.Step, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("do", value: step.name)
        if step.isSkipped {
            writer.name("skipped")
            writer.boolean(true)
        }
        writer.member("finished", value: time(step.finished))
        writer.member("seconds", thousandths: Int64(step.duration / .milliseconds(1)))
        for (name, count) in step.counts.sorted(by: { $0.key < $1.key }) {
            writer.name(name)
            writer.integer(Int64(count))
        }
        writer.endObject()
    }

    private static func write(
        _ failure: OfflineODataJobOutcome.Failure,
        to writer: inout JSONWriter
    ) {
        writer.name("error")
        writer.beginObject()
        writer.member("step", value: failure.step)
        writer.member("category", value: failure.category)
        writer.member("message", value: failure.message)
        writer.endObject()
    }

    static let timeStyle = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// To the nearest millisecond: a time that is read from a report is written as it was.
    private static func time(_ date: Date) -> String {
        date.addingTimeInterval(0.000_5).formatted(timeStyle)
    }
}
