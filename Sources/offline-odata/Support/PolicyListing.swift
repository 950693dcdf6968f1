import CommandSupport
import OfflineResources
import ODataProtocol

/// The effective policies of a path as text and as JSON.
struct PolicyListing {
    let path: String
    let policy: EffectivePolicy
    let backend: BackendConfiguration

    /// A policy's name, value, level and pattern.
    private struct Row {
        var name: String
        var value: Value
        var level: PolicyLevel
        var pattern: String?

        enum Value {
            case word(String)
            case number(Int)
            case flag(Bool)
        }

        init<V>(_ name: String, policy: ResolvedPolicy<V>, value: (V) -> Value) {
            self.name = name
            self.value = value(policy.value)
            level = policy.level
            pattern = policy.pattern
        }
    }

    private var rows: [Row] {
        [
            Row("fetchPolicy", policy: policy.fetchPolicy) { .word($0.rawValue) },
            Row("expirationPolicy", policy: policy.expirationPolicy) { .word($0.rawValue) },
            Row("expireAfter", policy: policy.expireAfter) { .number($0) },
            Row("evictionPolicy", policy: policy.evictionPolicy) { .word($0.rawValue) },
            Row("updatePolicy", policy: policy.updatePolicy) { .word($0.rawValue) },
            Row("conflictResolutionPolicy", policy: policy.conflictResolutionPolicy) {
                .word($0.rawValue)
            },
            Row("noCache", policy: policy.noCache) { .flag($0) },
        ]
    }

    func text() -> String {
        var table = TextTable([("policy", .left), ("value", .left), ("from", .left)])
        for row in rows {
            let value =
                switch row.value {
                case .word(let word): word
                case .number(let number): "\(number)"
                case .flag(let flag): "\(flag)"
                }
            table.add([row.name, value, row.level.rawValue + (row.pattern.map { " " + $0 } ?? "")])
        }
        let service = [
            "maxStoreSize             \(backend.maxStoreSize) MB",
            "periodicRefreshPolicy    \(backend.periodicRefreshPolicy.rawValue)",
            "periodicRefreshInterval  \(backend.periodicRefreshInterval) s",
        ]
        return (table.lines() + [""] + service).joined(separator: "\n")
    }

    func json() -> String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("path", value: path)
        writer.name("policies")
        writer.beginArray()
        for row in rows { write(row, to: &writer) }
        writer.endArray()
        writer.member("maxStoreSize", value: backend.maxStoreSize)
        writer.member("periodicRefreshPolicy", value: backend.periodicRefreshPolicy.rawValue)
        writer.member("periodicRefreshInterval", value: backend.periodicRefreshInterval)
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func write(_ row: Row, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", value: row.name)
        writer.name("value")
        switch row.value {
        case .word(let word): writer.string(word)
        case .number(let number): writer.integer(Int64(number))
        case .flag(let flag): writer.boolean(flag)
        }
        writer.member("level", value: row.level.rawValue)
        writer.optional("pattern", value: row.pattern)
        writer.endObject()
    }
}
