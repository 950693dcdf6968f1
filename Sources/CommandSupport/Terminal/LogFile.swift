import ODataProtocol
public import OfflineOData

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Writes what the engine logs as JSON lines; what cannot be written is left out, since the work matters more.
public final class LogFile: OfflineODataLogger {
    static let options: [OptionSyntax] = [
        .value(
            "log",
            placeholder: "FILE",
            help: "append what the engine does as JSON lines; - for standard error"
        ),
        .value(
            "log-level",
            placeholder: "LEVEL",
            help:
                "trace, debug, info (default), notice, warning or error; never a value of the data"
        ).offering(OfflineODataLogLevel.allCases.map(\.rawValue)),
    ]

    /// The least severe level that is written.
    public let level: OfflineODataLogLevel
    private let descriptor: Int32

    /// Opens the file that the arguments name; nil where they name none.
    ///
    /// - Throws: ``CommandFailure`` (invalid) where it cannot be written, or there is no such level.
    public init?(_ arguments: Arguments) throws(CommandFailure) {
        let levels = OfflineODataLogLevel.allCases.map { (name: $0.rawValue, value: $0) }
        level = try arguments.choice("log-level", of: levels) ?? .info
        guard let path = arguments.value("log") else {
            guard arguments.value("log-level") == nil else {
                throw .usage("--log-level goes with --log FILE only")
            }
            return nil
        }
        descriptor = try FileBytes.descriptor(appending: path)
    }

    deinit { FileBytes.close(descriptor) }

    /// Appends a record as one line of JSON.
    public func log(_ record: OfflineODataLogRecord) { write(record, of: nil) }

    /// Returns a logger whose lines name a store: where several write to one file.
    public func naming(store: String) -> any OfflineODataLogger {
        StoreLog(log: self, store: store)
    }

    private struct StoreLog: OfflineODataLogger {
        let log: LogFile
        let store: String

        var level: OfflineODataLogLevel { log.level }

        func log(_ record: OfflineODataLogRecord) { log.write(record, of: store) }
    }

    private func write(_ record: OfflineODataLogRecord, of store: String?) {
        // One call writes the whole line: lines of other threads, and of other processes, stay apart.
        try? FileBytes.write(Self.line(record, of: store), to: descriptor, named: "the log")
    }

    static func line(_ record: OfflineODataLogRecord, of store: String? = nil) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        writer.member("time", value: record.time.formatted(style))
        writer.member("level", value: record.level.rawValue)
        if let store { writer.member("store", value: store) }
        writer.member("event", value: record.event)
        for field in record.fields {
            writer.name(field.name)
            switch field.value {
            case .text(let text): writer.string(text)
            case .integer(let value): writer.integer(value)
            case .milliseconds(let value):
                let rounded = (value * 1_000).rounded() / 1_000
                writer.raw(Array(rounded.description.utf8).span)
            }
        }
        writer.endObject()
        return writer.bytes + [0x0A]
    }
}
