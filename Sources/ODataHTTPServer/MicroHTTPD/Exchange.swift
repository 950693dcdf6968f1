#if canImport(CMicroHTTPD)
    import CMicroHTTPD
    import ODataValues
    import ODataHTTP
    import Synchronization

    #if canImport(Darwin)
        import Darwin
        /// The library has switched the signal off for the socket.
        private let ignoringBrokenPipe: Int32 = 0
    #else
        import Glibc
        /// A client that is gone must not end the process.
        private let ignoringBrokenPipe = Int32(MSG_NOSIGNAL)
    #endif

    /// One request and its answer.
    ///
    ///     head ──> body ──> running ──> answered ──> queued
    ///       └────────┴──────────────────────^   (refused)
    ///
    /// The library's thread drives it. Only `deliver` comes from a task, while the connection is suspended.
    /// `@unchecked Sendable`: the connection's pointer is used by the library's thread, and by `deliver` for
    /// `MHD_resume_connection`, which is made for that; the rest stands behind the lock.
    @safe final class Exchange: @unchecked Sendable {
        private let connection: OpaquePointer
        private let target: String?
        private let service: ListenerService
        private let state = Mutex(State())

        /// A refused body up to this size is read to its end, so that the client sees the refusal.
        private static let leastDiscardedBytes = 1024 * 1024

        private struct State {
            var phase = Phase.head
            var request = HTTPRequest(method: "", url: "")
            var discardedBytes = 0
            /// Whether those who stop the listener wait for the answer.
            var isCounted = false
        }

        private enum Phase {
            case head
            case body
            /// The rest of the body is read and thrown away, then the refusal is sent.
            case refused(HTTPResponse)
            case running
            case answered(HTTPAnswer)
            case queued
        }

        init(connection: OpaquePointer, target: String?, service: ListenerService) {
            unsafe self.connection = connection
            self.target = target
            self.service = service
        }

        /// The library is done with this request.
        func ended() {
            guard state.guarded({ $0.isCounted }) else { return }
            service.exchangeEnded()
        }

        /// Does the next step; false closes the connection.
        func advance(
            _ connection: OpaquePointer,
            method: UnsafePointer<CChar>?,
            piece: UnsafeRawBufferPointer
        ) -> Bool {
            guard unsafe piece.isEmpty else { return unsafe take(piece) }
            switch state.guarded({ $0.phase }) {
            case .head: return unsafe begin(method: method)
            case .body: return run()
            case .refused(let response): return queue(.response(response))
            case .answered(let answer): return queue(answer)
            case .running, .queued: return true
            }
        }

        // MARK: - Reading

        /// A refusal goes out before the body is read; the library then closes the connection.
        private func begin(method: UnsafePointer<CChar>?) -> Bool {
            // A connection that has brought a request may rest before the next one.
            unsafe cmhd_set_timeout(connection, service.limits.idleSeconds)
            guard let method = unsafe method.flatMap({ unsafe String(validatingCString: $0) }),
                let target
            else { return queue(.response(.refusal(400, "the request line is not UTF-8"))) }
            let fields = unsafe readHeaders(of: connection)
            let head = HTTPRequest(method: method, url: target, headers: HTTPHeaders(fields))
            if let refusal = service.refusal(of: head) { return queue(.response(refusal)) }
            state.guarded { state in
                state.request = head
                state.phase = .body
            }
            return true
        }

        /// A body without a stated length can be found too large only here, where no answer may be queued:
        /// the rest is thrown away, up to a limit of its own; then the connection breaks.
        private func take(_ piece: UnsafeRawBufferPointer) -> Bool {
            let limit = service.limits.bodyBytes
            return state.guarded { state in
                if case .body = state.phase {
                    guard state.request.body.count + piece.count > limit else {
                        unsafe state.request.body.append(contentsOf: piece)
                        return true
                    }
                    state.request.body = []
                    state.phase = .refused(.refusal(413, "the body is larger than \(limit) bytes"))
                }
                state.discardedBytes += piece.count
                return state.discardedBytes <= max(limit, Self.leastDiscardedBytes)
            }
        }

        // MARK: - Answering

        /// Suspends first: the answer may be there before this function has returned.
        private func run() -> Bool {
            let request = state.guarded { state in
                state.phase = .running
                state.isCounted = true
                defer { state.request.body = [] }
                return state.request
            }
            service.exchangeBegan()
            let socket = unsafe cmhd_socket(connection)
            unsafe cmhd_suspend(connection)
            service.run(request, from: socket) { self.deliver($0) }
            return true
        }

        private func deliver(_ answer: HTTPAnswer) {
            state.guarded { $0.phase = .answered(answer) }
            unsafe cmhd_resume(connection)
        }

        private func queue(_ answer: HTTPAnswer) -> Bool {
            state.guarded { $0.phase = .queued }
            switch answer {
            case .response(let response):
                return unsafe queueResponse(response, cutAfter: nil, on: connection)
            case .truncatedBody(let response, let bytes):
                return unsafe queueResponse(response, cutAfter: bytes, on: connection)
            case .dropConnection:
                return false
            case .rawBytes(let bytes):
                sendRaw(bytes)
                return false
            }
        }

        /// What does not fit into the socket's buffer at once is lost; this is for faults only.
        private func sendRaw(_ bytes: [UInt8]) {
            let socket = unsafe cmhd_socket(connection)
            guard socket >= 0 else { return }
            _ = unsafe bytes.withUnsafeBytes { bytes in
                unsafe send(socket, bytes.baseAddress, bytes.count, ignoringBrokenPipe)
            }
        }
    }
#endif
