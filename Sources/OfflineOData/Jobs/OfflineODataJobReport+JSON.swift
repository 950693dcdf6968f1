import ODataPayload

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
            bytes += Array((index == 0 ? "\n" : ",\n").utf8) + Self.line(outcome)
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

    static func line(_ outcome: OfflineODataJobOutcome) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.text("store", outcome.store)
        writer.text("status", outcome.status.rawValue)
        writer.name("attempts")
        writer.integer(Int64(outcome.attempts))
        writer.text("started", time(outcome.started))
        writer.seconds(outcome.duration)
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
        writer.text("do", step.name)
        if step.isSkipped {
            writer.name("skipped")
            writer.boolean(true)
        }
        writer.text("finished", time(step.finished))
        writer.seconds(step.duration)
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
        writer.text("step", failure.step)
        writer.text("category", failure.category)
        writer.text("message", failure.message)
        writer.endObject()
    }

    static let timeStyle = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    private static func time(_ date: Date) -> String { date.formatted(timeStyle) }
}

extension JSONWriter {
    fileprivate mutating func text(_ name: String, _ value: String) {
        self.name(name)
        string(value)
    }

    /// Writes the member `seconds`, to the millisecond.
    fileprivate mutating func seconds(_ time: Duration) {
        let milliseconds = Int64(time / .milliseconds(1))
        name("seconds")
        raw(
            Array(
                "\(milliseconds / 1_000).\(String(milliseconds % 1_000 + 1_000).dropFirst())".utf8
            )
            .span
        )
    }
}
