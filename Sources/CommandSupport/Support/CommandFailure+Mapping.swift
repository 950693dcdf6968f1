import ODataHTTPServer
import ODataModel
import ODataProtocol
import ODataService
import OfflineOData
import OfflineResources

/// The one place where errors of the modules below become exit statuses and advice.
extension CommandFailure {
    /// What any error means to the person at the command line: its words, its exit status and the way out.
    public init(_ error: any Error) {
        switch error {
        case let error as CommandFailure: self = error
        case is CancellationError:
            self.init(
                .cancelled,
                "cancelled",
                advice: "Nothing done is lost; calling the command again goes on."
            )
        case let error as OfflineODataError: self.init(error)
        case let error as CSDLError: self.init(.invalid, "the metadata is refused: \(error)")
        case let error as ODataURLError: self.init(.invalid, "the URL is refused: \(error)")
        case let error as PolicyConfigurationError:
            self.init(.invalid, "the configuration is refused: \(error)")
        case let error as PayloadError: self.init(.invalid, "the payload is refused: \(error)")
        case let error as HTTPListenerError: self.init(.failed, error.message)
        case let error as HTTPTransportError:
            self.init(.communication, "the service cannot be reached: \(error.message)")
        case let error as StandaloneServiceError: self.init(error)
        default: self.init(.failed, "\(error)")
        }
    }

    /// Of a service that has no other behind it.
    private init(_ error: StandaloneServiceError) {
        if let set = error.entitySet {
            self.init(.invalid, "\(set).json: \(error.message)")
        } else {
            self.init(error.isFileRefused ? .invalid : .failed, error.message)
        }
    }

    private init(_ error: OfflineODataError) {
        let status = Self.status(of: error)
        self.init(
            status,
            error.message,
            details: error.details,
            advice: Self.advice(status, error: error)
        )
    }

    private static func status(of error: OfflineODataError) -> ExitStatus {
        // The service was there, and other queries were loaded.
        if error.download != nil, ![.communication, .cancelled].contains(error.category) {
            return .failed
        }
        // Without a network, or without the service, what must not wait is not done.
        if error.code == .offline { return .communication }
        return switch error.category {
        case .invalidInput, .notSupported: .invalid
        case .incompatibleSchema: .incompatibleSchema
        case .communication: .communication
        case .notFound: .notFound
        case .inUse: .inUse
        case .cancelled: .cancelled
        // One that is overloaded or ill for a moment is a communication error.
        case .server: error.httpStatus == 404 ? .notFound : .failed
        default: .failed
        }
    }

    private static func advice(_ status: ExitStatus, error: OfflineODataError) -> String {
        guard error.code != .noStore else {
            return "`open STORE --service URL --query NAME=URL` creates one."
        }
        switch error.code {
        case .encryptionKeyMissing, .wrongEncryptionKey:
            return "--key @FILE|env:NAME gives the key."
        case .notEncrypted: return "`rekey STORE --new-key @FILE|env:NAME` encrypts a store."
        // Its message says what to do; calling again is the wrong thing.
        case .unknownOutcome: return ""
        default: break
        }
        return switch status {
        case .communication, .cancelled: "Nothing done is lost; calling the command again goes on."
        case .inUse: "--wait SECONDS waits for the other process."
        default: ""
        }
    }
}
