import StoreRecords
import ODataSQL
import ODataSQLite
import ODataModel
import ODataURL
package import ODataPayload
import ODataHTTP
import ODataTables

/// The one place where errors of the layers below become the product's.
extension OfflineODataError {
    /// The product's error for one of work that cannot be cancelled.
    package static func whole(_ error: any Error, of file: String? = nil) -> OfflineODataError {
        let mapped = mapping(error, of: file)
        if let mapped = mapped as? OfflineODataError { return mapped }
        return OfflineODataError(.cancelled, "the operation was cancelled", cause: mapped)
    }

    /// The product's error for a payload made of an application's values: offsets and lines in it mean nothing to the application.
    package static func ofValues(_ error: PayloadError) -> OfflineODataError {
        let path = error.path.isEmpty ? nil : error.path
        return OfflineODataError(
            .invalidInput,
            "the value is refused: \(error.message)" + (path.map { " in \($0)" } ?? ""),
            cause: error,
            code: error.code == .limitExceeded ? .limitExceeded : .invalidValue,
            place: path.map { Place(path: $0) }
        )
    }

    /// Said where the network is wanted by a store that has no service.
    package static var withoutService: OfflineODataError {
        OfflineODataError(
            .preconditionFailed,
            "the store belongs to no service: open it with a service root"
        )
    }

    /// The product's error for one from below; cancellation stays what it is.
    ///
    /// - Parameter file: The store's file, named where it is at fault.
    package static func mapping(_ error: any Error, of file: String? = nil) -> any Error {
        switch error {
        case is OfflineODataError, is CancellationError: error
        case let error as ApplicationError: error.cause
        case let error as StoreError: from(error)
        case let error as EditError:
            OfflineODataError(
                category(error.code),
                error.message,
                cause: error,
                code: code(error.code),
                place: error.path.map { Place(path: $0) }
            )
        case let error as QueryError:
            OfflineODataError(
                category(error.code),
                error.message,
                cause: error,
                code: error.code == .limitExceeded ? .limitExceeded : nil
            )
        case let error as ODataURLError:
            OfflineODataError(
                error.code == .notSupported ? .notSupported : .invalidInput,
                "the URL is refused: \(error.description)",
                cause: error,
                code: error.code == .limit ? .limitExceeded : .invalidURL,
                place: Place(offset: error.offset)
            )
        case let error as CSDLError:
            OfflineODataError(
                .invalidInput,
                "the metadata is refused: \(error)",
                cause: error,
                code: error.code == .limit ? .limitExceeded : .invalidMetadata,
                place: Place(
                    line: error.line > 0 ? error.line : nil,
                    path: error.path.isEmpty ? nil : error.path
                )
            )
        case let error as PayloadError:
            OfflineODataError(
                .invalidInput,
                "the payload is refused: \(error.description)",
                cause: error,
                code: error.code == .limitExceeded ? .limitExceeded : .invalidPayload,
                place: Place(
                    offset: error.byteOffset,
                    line: error.line,
                    path: error.path.isEmpty ? nil : error.path
                )
            )
        case let error as HTTPTransportError: from(error)
        case let error as SQLiteError: from(error, file: file)
        case let error as EncryptionMismatch: from(StoreError(error, of: file ?? "the store"))
        default: OfflineODataError(.internal, "unexpected: \(error)", cause: error)
        }
    }

    private static func from(_ error: HTTPTransportError) -> OfflineODataError {
        switch error.code {
        case .protocolViolation where error.isCertainlyUnsent:
            OfflineODataError(
                .invalidInput,
                "the request cannot be sent: \(error.message)",
                cause: error,
                code: .invalidValue
            )
        case .unusableSettings:
            OfflineODataError(
                .invalidInput,
                "the settings of the connection cannot be used: \(error.message);"
                    + " check the certificates, the key and its password",
                cause: error,
                code: .invalidArgument
            )
        case .bodyTooLarge:
            OfflineODataError(
                .server,
                "the service answers more than is allowed: \(error.message)",
                cause: error,
                code: .limitExceeded
            )
        default:
            OfflineODataError(
                .communication,
                "the service cannot be reached: \(error.message)",
                cause: error,
                code: error.code == .timedOut ? .timedOut : .notConnected
            )
        }
    }

    private static func from(_ error: StoreError) -> OfflineODataError {
        let category: Category =
            switch error.code {
            case .noStore, .notAStore, .cannotOpen, .invalid: .invalidInput
            case .notOpen, .wrongState: .preconditionFailed
            case .incompatibleSchema: .incompatibleSchema
            case .notFound: .notFound
            case .inUse: .inUse
            case .noCipher: .notSupported
            case .keyMissing, .notEncrypted, .wrongKey: .invalidInput
            }
        let code: Code? =
            switch error.code {
            case .noStore: .noStore
            case .notAStore: .notAStore
            case .cannotOpen: .cannotOpen
            case .notOpen: .notOpen
            case .noCipher: .encryptionNotAvailable
            case .keyMissing: .encryptionKeyMissing
            case .notEncrypted: .notEncrypted
            case .wrongKey: .wrongEncryptionKey
            default: nil
            }
        return OfflineODataError(
            category,
            error.message,
            details: error.details,
            cause: error,
            code: code
        )
    }

    private static func from(_ error: SQLiteError, file: String?) -> OfflineODataError {
        if error.isUniquenessViolation {
            return OfflineODataError(
                .invalidInput,
                "an entity with this key is in the store already",
                cause: error,
                code: .duplicateKey
            )
        }
        if error.isFull {
            return OfflineODataError(
                .internal,
                "the disk is full: free some space and try again; nothing is lost",
                cause: error,
                code: .diskFull
            )
        }
        if error.isReadOnly {
            return OfflineODataError(
                .preconditionFailed,
                "\(file ?? "the store") can be read, not changed: its file or the directory of the file is not writable, or the disk is full",
                cause: error,
                code: .readOnly
            )
        }
        if error.isFaultOfRequest {
            return OfflineODataError(
                .invalidInput,
                error.message,
                cause: error,
                code: .invalidValue
            )
        }
        if error.lacksFTS5 {
            return OfflineODataError(.notSupported, SQLiteError.lacksFTS5Message, cause: error)
        }
        return OfflineODataError(
            .internal,
            "\(file ?? "the store's file") \(error.fileMessage)",
            cause: error,
            code: error.isNotADatabase ? .damagedStore : .storage
        )
    }

    private static func code(_ code: EditError.Code) -> Code? {
        switch code {
        case .duplicateKey: .duplicateKey
        case .invalid, .notAllowed: .invalidValue
        case .quotaExceeded: .quotaExceeded
        case .notFound, .preconditionFailed, .preconditionRequired, .notSupported, .mustNotWait: nil
        }
    }

    private static func category(_ code: EditError.Code) -> Category {
        switch code {
        case .notFound: .notFound
        case .duplicateKey, .invalid, .notAllowed: .invalidInput
        case .preconditionFailed, .preconditionRequired, .quotaExceeded, .mustNotWait:
            .preconditionFailed
        case .notSupported: .notSupported
        }
    }

    private static func category(_ code: QueryError.Code) -> Category {
        switch code {
        case .notSupported: .notSupported
        case .limitExceeded, .invalidToken: .invalidInput
        case .notFound: .notFound
        }
    }
}
