import ODataHTTP

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
#else
    import Foundation
#endif

extension HTTPTransportError {
    /// What is known of a request that failed, beside its error.
    struct Trace: Sendable {
        /// Whether a byte of the body has left, or one of the answer has come.
        var hasTraffic = false
        /// Whether the session has begun to send the request; nil if unknown.
        var hasBegun: Bool?
    }

    /// Reads the error of a session.
    ///
    /// A request that is taken for unsent goes out again, so an error is believed only where nothing can have left: the name was not
    /// resolved, or no connection was made. Everything else is an answer that is missing.
    init(session error: any Error, _ trace: Trace) {
        guard let error = error as? URLError else {
            self.init(.connectionLost, "\(error.localizedDescription)")
            return
        }
        let isUnsent = !trace.hasTraffic && Self.hasNoConnection(error, trace: trace)
        self.init(
            isUnsent ? .notConnected : Self.code(error),
            error.localizedDescription,
            isCertainlyUnsent: isUnsent
        )
    }

    #if canImport(FoundationNetworking)
        /// Foundation's codes are not enough.
        ///
        /// Whatever ends a transfer is `cannotConnectToHost` where one address of the host had refused
        /// the connection, and another one was connected (swift-corelibs-foundation: `MultiHandle.swift`, `urlErrorCode(for:)`). Only
        /// libcurl's words for `CURLE_COULDNT_RESOLVE_HOST` and `CURLE_COULDNT_CONNECT` stand for these codes alone.
        private static func hasNoConnection(_ error: URLError, trace: Trace) -> Bool {
            let text = error.localizedDescription
            switch error.code {
            case .cannotFindHost: return text.hasPrefix("Could not resolve ")
            case .cannotConnectToHost: return text.hasPrefix("Failed to connect to ")
            default: return false
            }
        }

        private static func code(_ error: URLError) -> Code {
            switch error.code {
            case .timedOut: .timedOut
            // libcurl's word for an answer in a protocol that it does not know; the URL was looked at before.
            case .unsupportedURL, .badURL: .protocolViolation
            default: .connectionLost
            }
        }
    #else
        /// The session says itself whether it has begun to send; where it does not, nothing is certain.
        private static func hasNoConnection(_ error: URLError, trace: Trace) -> Bool {
            guard trace.hasBegun == false else { return false }
            switch error.code {
            case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet,
                .internationalRoamingOff, .callIsActive, .dataNotAllowed, .secureConnectionFailed,
                .serverCertificateHasBadDate, .serverCertificateUntrusted,
                .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
                .clientCertificateRejected, .clientCertificateRequired:
                return true
            default: return false
            }
        }

        private static func code(_ error: URLError) -> Code {
            switch error.code {
            case .timedOut: .timedOut
            case .badServerResponse, .cannotParseResponse, .cannotDecodeRawData,
                .cannotDecodeContentData, .badURL, .unsupportedURL:
                .protocolViolation
            case .dataLengthExceedsMaximum: .bodyTooLarge
            default: .connectionLost
            }
        }
    #endif
}
