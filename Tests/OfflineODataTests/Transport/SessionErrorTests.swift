import Foundation
import ODataHTTP
import Testing

@testable import OfflineODataURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking

    /// Which errors of Foundation's `URLSession` on Linux are believed when they say that nothing has left.
    @Suite struct SessionErrorTests {
        private func error(
            _ code: Int,
            _ text: String,
            hasTraffic: Bool = false
        ) -> HTTPTransportError {
            let error = NSError(
                domain: NSURLErrorDomain,
                code: code,
                userInfo: [NSLocalizedDescriptionKey: text]
            )
            return HTTPTransportError(
                session: URLError(_nsError: error),
                HTTPTransportError.Trace(hasTraffic: hasTraffic)
            )
        }

        /// Another address of the host had refused the connection, and the one that took it lost the answer.
        @Test(
            arguments: [
                "Empty reply from server", "Recv failure: Connection reset by peer",
                "transfer closed with 5 bytes remaining to read", "Couldn't connect to server", "",
            ]
        )
        func believesNoRefusalOfAnotherAddress(text: String) {
            let error = error(NSURLErrorCannotConnectToHost, text)
            #expect(error.code == .connectionLost && !error.isCertainlyUnsent)
        }

        @Test func believesThatNobodyAnswered() {
            let text =
                "Failed to connect to localhost port 1 after 0 ms: Couldn't connect to server"
            let error = error(NSURLErrorCannotConnectToHost, text)
            #expect(error.code == .notConnected && error.isCertainlyUnsent)
        }

        /// As where the session itself has sent a request once more, and the second attempt was refused.
        @Test func believesNothingAfterAByteHasLeft() {
            for (code, text) in [
                (NSURLErrorCannotConnectToHost, "Failed to connect to localhost port 1"),
                (NSURLErrorCannotFindHost, "Could not resolve host: localhost"),
            ] {
                let error = error(code, text, hasTraffic: true)
                #expect(error.code == .connectionLost && !error.isCertainlyUnsent)
            }
        }

        @Test(
            arguments: [
                NSURLErrorUnknown, NSURLErrorCancelled, NSURLErrorBadURL, NSURLErrorTimedOut,
                NSURLErrorUnsupportedURL, NSURLErrorNetworkConnectionLost,
                NSURLErrorDNSLookupFailed, NSURLErrorNotConnectedToInternet,
                NSURLErrorBadServerResponse,
            ]
        )
        func believesNoOtherCode(code: Int) {
            #expect(!error(code, "Failed to connect to localhost").isCertainlyUnsent)
            #expect(!error(code, "Could not resolve host: localhost").isCertainlyUnsent)
        }

        @Test func believesNoErrorOfAnotherKind() {
            let error = HTTPTransportError(session: CancellationError(), .init())
            #expect(error.code == .connectionLost && !error.isCertainlyUnsent)
        }
    }
#endif
