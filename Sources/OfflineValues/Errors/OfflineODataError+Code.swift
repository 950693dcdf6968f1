extension OfflineODataError {
    /// What went wrong exactly: the code of the service's error, else one of ours.
    public struct Code: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral,
        CustomStringConvertible
    {
        /// The code's text.
        public let rawValue: String

        /// Creates a code.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Creates a code from a literal.
        public init(stringLiteral value: String) { rawValue = value }

        /// The code's text.
        public var description: String { rawValue }

        /// A parameter of a call or of the provider cannot be used.
        public static let invalidArgument: Code = "invalidArgument"
        /// A URL breaks the grammar or the model.
        public static let invalidURL: Code = "invalidURL"
        /// A payload is no OData payload, or breaks the model.
        public static let invalidPayload: Code = "invalidPayload"
        /// The metadata document is none.
        public static let invalidMetadata: Code = "invalidMetadata"
        /// A value breaks a rule of its property.
        public static let invalidValue: Code = "invalidValue"
        /// The key is in the store already.
        public static let duplicateKey: Code = "duplicateKey"
        /// The entity, set, query or request is not there.
        public static let notFound: Code = "notFound"
        /// Another client has changed a property since the entity was read.
        public static let changedMeanwhile: Code = "changedMeanwhile"
        /// An ETag or another condition does not hold.
        public static let preconditionFailed: Code = "preconditionFailed"
        /// Not done by this engine.
        public static let notSupported: Code = "notSupported"
        /// A limit of this engine or of a parameter is exceeded.
        public static let limitExceeded: Code = "limitExceeded"
        /// The service's answer is not what was asked for.
        public static let invalidAnswer: Code = "invalidAnswer"
        /// There is no file at the store's path.
        public static let noStore: Code = "noStore"
        /// The file is no store.
        public static let notAStore: Code = "notAStore"
        /// The file cannot be opened or created.
        public static let cannotOpen: Code = "cannotOpen"
        /// The store must be opened with the service first.
        public static let notOpen: Code = "notOpen"
        /// The provider has been closed.
        public static let closed: Code = "closed"
        /// Another synchronisation of the store runs.
        public static let inUse: Code = "inUse"
        /// The service's new model does not fit the data.
        public static let incompatibleSchema: Code = "incompatibleSchema"
        /// The service cannot be reached, or the connection broke.
        public static let notConnected: Code = "notConnected"
        /// No byte came for too long.
        public static let timedOut: Code = "timedOut"
        /// The service answered with an error status, without a code of its own.
        public static let httpStatus: Code = "httpStatus"
        /// The store is to be encrypted, and the SQLite of this program cannot.
        public static let encryptionNotAvailable: Code = "encryptionNotAvailable"
        /// The store is encrypted, and no key was given.
        public static let encryptionKeyMissing: Code = "encryptionKeyMissing"
        /// A key was given for a store that is not encrypted.
        public static let notEncrypted: Code = "notEncrypted"
        /// The store is encrypted with another key.
        public static let wrongEncryptionKey: Code = "wrongEncryptionKey"
        /// The disk is full.
        public static let diskFull: Code = "diskFull"
        /// The store lies where it can only be read.
        public static let readOnly: Code = "readOnly"
        /// The store's file is damaged.
        public static let damagedStore: Code = "damagedStore"
        /// The store's file failed.
        public static let storage: Code = "storage"
        /// The store has no room for a change (`maxStoreSize`).
        public static let quotaExceeded: Code = "quotaExceeded"
        /// The operation was cancelled.
        public static let cancelled: Code = "cancelled"
        /// An error of this engine or of the application's own code; see `cause`.
        public static let other: Code = "other"

        /// The codes of this engine.
        static let own: Set<Code> = [
            .invalidArgument, .invalidURL, .invalidPayload, .invalidMetadata, .invalidValue,
            .duplicateKey, .notFound, .changedMeanwhile, .preconditionFailed, .notSupported,
            .limitExceeded, .invalidAnswer, .noStore, .notAStore, .cannotOpen, .notOpen, .closed,
            .inUse, .incompatibleSchema, .notConnected, .timedOut, .httpStatus, .diskFull,
            .readOnly, .damagedStore, .storage, .encryptionNotAvailable, .encryptionKeyMissing,
            .notEncrypted, .wrongEncryptionKey, .quotaExceeded, .cancelled, .other,
        ]
    }

    /// Where something is wrong.
    public struct Place: Sendable, Hashable {
        /// Offset in the URL or the payload, in bytes of UTF-8.
        public var offset: Int?
        /// Line of the document, 1-based.
        public var line: Int?
        /// Path in the document or the payload.
        public var path: String?
        /// The request of the queue that it is about.
        public var requestID: Int64?

        /// Creates a place.
        public init(
            offset: Int? = nil,
            line: Int? = nil,
            path: String? = nil,
            requestID: Int64? = nil
        ) {
            self.offset = offset
            self.line = line
            self.path = path
            self.requestID = requestID
        }
    }
}
