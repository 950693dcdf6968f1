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
        guard !repeatedStores.isEmpty else { return Array((text + "}\n").utf8) }
        var writer = JSONWriter()
        writer.beginArray()
        for store in repeatedStores { writer.string(store) }
        writer.endArray()
        return Array((text + ",\"repeated\":").utf8) + writer.bytes + Array("}\n".utf8)
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

    private static func time(_ date: Date) -> String { date.formatted(timeStyle) }
}
