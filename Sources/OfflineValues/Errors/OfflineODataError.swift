/// What went wrong, in which class of errors, and what to do about it.
///
/// Values of the application's data never stand in the message.
public struct OfflineODataError: Error, Sendable, CustomStringConvertible {
    /// The class of an error.
    public struct Category: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String, Hashable {
            case invalidInput, preconditionFailed, notFound, notSupported, communication, server,
                inner, inUse
            case incompatibleSchema, cancelled
        }

        private let value: Value

        /// The category's name.
        public var description: String { value == .inner ? "internal" : value.rawValue }

        /// What was given breaks a rule of the model, the grammar or this engine.
        public static let invalidInput = Category(value: .invalidInput)
        /// The store or an entity is not in the state that the request expects.
        public static let preconditionFailed = Category(value: .preconditionFailed)
        /// What the request names is not in the store.
        public static let notFound = Category(value: .notFound)
        /// Right by the standard, but not done by this engine.
        public static let notSupported = Category(value: .notSupported)
        /// The service could not be reached, or the answer did not come whole; calling again goes on.
        public static let communication = Category(value: .communication)
        /// The service answered with an error.
        public static let server = Category(value: .server)
        /// The store's file or this engine failed.
        public static let `internal` = Category(value: .inner)
        /// Another process synchronises the store.
        public static let inUse = Category(value: .inUse)
        /// The service's new model does not fit the store's data; the store is untouched.
        public static let incompatibleSchema = Category(value: .incompatibleSchema)
        /// The task was cancelled.
        ///
        /// Functions that throw nothing but ``OfflineODataError`` throw it, completion handlers get it, and so does who cancels a download
        /// that has already changed something; all others throw `CancellationError`. ``OfflineODataError/isCancellation(_:)`` answers for both.
        public static let cancelled = Category(value: .cancelled)
    }

    /// Whether an error says that the task was cancelled, in whichever of the two ways.
    public static func isCancellation(_ error: any Error) -> Bool {
        if let error = error as? OfflineODataError { return error.category == .cancelled }
        return error is CancellationError
    }

    /// The class.
    public var category: Category
    /// What went wrong exactly: the code of the service's error, else one of ours.
    public var code: Code
    /// Where something is wrong; nil where there is no place to name.
    public var place: Place?
    /// What happened and what to do.
    public var message: String
    /// One line for each reason, where there are several.
    public var details: [String]
    /// HTTP status of the service's answer, where there was one.
    public var httpStatus: Int?
    /// Where the service says that the thing asked for is to be had instead.
    package var location: String?
    /// How long the service asks to be left alone.
    package var retryAfter: Duration?
    /// Whether "not found" came as text for people, which may be a gateway's.
    package var isPage = false
    /// What a download did besides, where only some of its queries failed.
    public internal(set) var download: OfflineODataDownloadResult?
    /// What an upload did before it failed, and what it has left.
    public package(set) var upload: OfflineODataUploadResult?
    /// The error below this one.
    public var cause: (any Error)?

    /// Creates an error.
    public init(
        _ category: Category,
        _ message: String,
        details: [String] = [],
        httpStatus: Int? = nil,
        cause: (any Error)? = nil,
        code: Code? = nil,
        place: Place? = nil
    ) {
        self.category = category
        self.code = code ?? Self.code(of: category, httpStatus)
        self.place = place
        self.message = message
        self.details = details
        self.httpStatus = httpStatus
        self.cause = cause
    }

    /// The code of errors that have none of their own.
    private static func code(of category: Category, _ httpStatus: Int?) -> Code {
        guard httpStatus == nil else { return .httpStatus }
        return switch category {
        case .notFound: .notFound
        case .notSupported: .notSupported
        case .preconditionFailed: .preconditionFailed
        case .inUse: .inUse
        case .incompatibleSchema: .incompatibleSchema
        case .cancelled: .cancelled
        case .invalidInput: .invalidArgument
        case .server: .invalidAnswer
        case .communication: .notConnected
        default: .other
        }
    }

    /// The message with its details, a line each.
    public var description: String { ([message] + details).joined(separator: "\n") }
}
