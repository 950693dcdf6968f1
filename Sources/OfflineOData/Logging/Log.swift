import FoundationEssentials
import ODataProtocol

/// Gives records to the application's logger; without one nothing is made.
struct Log: Sendable {
    private let logger: (any OfflineODataLogger)?

    init(_ logger: (any OfflineODataLogger)?) {
        self.logger = logger
    }

    /// A field; one without a value is left out.
    typealias Field = (name: String, value: OfflineODataLogRecord.Value?)

    /// Makes a record, where the logger wants its level.
    func callAsFunction(
        _ level: OfflineODataLogLevel,
        _ event: String,
        _ fields: @autoclosure () -> [Field] = []
    ) {
        guard let logger, level >= logger.level else { return }
        logger.log(
            OfflineODataLogRecord(
                time: Date(),
                level: level,
                event: event,
                fields: fields().compactMap { field in field.value.map { (field.name, $0) } }
            )
        )
    }

    /// Logs an error by its class and code; its message may name what the data is about.
    func error(_ event: String, _ error: any Error, _ fields: @autoclosure () -> [Field] = []) {
        guard !(error is CancellationError) else { return self(.notice, event, fields()) }
        let error = OfflineODataError.whole(error)
        self(
            .error,
            event,
            fields() + [
                ("category", .text(error.category.description)),
                ("code", .code(error.code.rawValue)),
                ("status", error.httpStatus.map { .integer(Int64($0)) }),
                ("request", error.place?.requestID.map { .integer($0) }),
            ]
        )
    }
}

extension OfflineODataLogRecord.Value {
    static func count(_ count: Int) -> Self { .integer(Int64(count)) }

    static func time(_ duration: Duration) -> Self {
        let parts = duration.components
        return .milliseconds(Double(parts.seconds) * 1e3 + Double(parts.attoseconds) / 1e15)
    }

    /// The code of an error; what looks like a sentence of the service is left out.
    static func code(_ code: String) -> Self {
        let isName = code.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "-_./".utf8.contains(byte)
            }
        }
        return .text(isName && code.utf8.count <= 64 ? code : "…")
    }
}
