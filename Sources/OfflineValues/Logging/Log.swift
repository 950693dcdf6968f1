#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Gives records to the application's logger; without one nothing is made.
package struct Log: Sendable {
    private let logger: (any OfflineODataLogger)?

    package init(_ logger: (any OfflineODataLogger)?) {
        self.logger = logger
    }

    /// A field; one without a value is left out.
    package typealias Field = (name: String, value: OfflineODataLogRecord.Value?)

    /// Makes a record, where the logger wants its level.
    package func callAsFunction(
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
    package func error(_ event: String, error: any Error, fields: @autoclosure () -> [Field] = []) {
        guard !OfflineODataError.isCancellation(error) else {
            return self(.notice, event, fields())
        }
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
    package static func count(_ count: Int) -> Self { .integer(Int64(count)) }

    package static func time(_ duration: Duration) -> Self {
        let parts = duration.components
        return .milliseconds(Double(parts.seconds) * 1e3 + Double(parts.attoseconds) / 1e15)
    }

    /// The code of an error, where it is one of this engine or an HTTP status; a service writes into its own what it likes.
    package static func code(_ code: String) -> Self? {
        let isStatus = code.utf8.count == 3 && Int(code).map { (100...599).contains($0) } ?? false
        let isOwn = OfflineODataError.Code.own.contains(OfflineODataError.Code(rawValue: code))
        return isStatus || isOwn ? .text(code) : nil
    }
}
