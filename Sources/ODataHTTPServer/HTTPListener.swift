#if canImport(CMicroHTTPD)
    import Dispatch
    import ODataValues
    public import ODataHTTP
    import Synchronization

    /// An HTTP/1.1 service on 127.0.0.1.
    ///
    /// Each request runs in a task of its own, so that one which waits holds up no other.
    public final class HTTPListener: Sendable {
        /// The port that is listened on.
        public let port: UInt16

        private let daemon: Daemon
        private let service: ListenerService
        private let isStopped = Mutex(false)

        /// Listens and gives each request to a handler.
        ///
        /// - Parameters:
        ///   - handler: Answers the requests.
        ///   - port: Port to listen on; 0 takes a free one.
        ///   - limits: What is taken from a client.
        ///   - token: When given, each request must carry it as its bearer token (RFC 6750).
        /// - Throws: ``HTTPListenerError`` where the port cannot be had.
        public convenience init(
            handler: any HTTPHandler,
            port: UInt16 = 0,
            limits: HTTPListenerLimits = HTTPListenerLimits(),
            token: String? = nil
        ) throws(HTTPListenerError) {
            try self.init(
                answering: PlainAnswering(handler: handler),
                port: port,
                limits: limits,
                token: token
            )
        }

        /// Listens and gives each request to something that can also fail on purpose.
        ///
        /// - Throws: ``HTTPListenerError`` where the port cannot be had.
        public init(
            answering: any HTTPAnswering,
            port: UInt16 = 0,
            limits: HTTPListenerLimits = HTTPListenerLimits(),
            token: String? = nil
        ) throws(HTTPListenerError) {
            service = ListenerService(answering: answering, limits: limits, token: token)
            daemon = try Daemon(service: service, port: port)
            self.port = daemon.port
            service.listen(on: daemon.port)
        }

        deinit {
            stopNow()
        }

        /// Takes no more connections, waits for the running requests, and closes everything.
        @available(*, noasync, message: "waits; asynchronous code has a form of its own")
        public func stop() {
            stopNow()
        }

        /// Takes no more connections, waits for the running requests, and closes everything.
        public func stop() async {
            await withCheckedContinuation { continuation in
                // A queue of its own has a thread of its own: the handlers that are waited for need the others.
                DispatchQueue(label: "HTTPListener.stop").async {
                    self.stopNow()
                    continuation.resume()
                }
            }
        }

        /// The second of two callers waits for the first.
        private func stopNow() {
            isStopped.guarded { stopped in
                guard !stopped else { return }
                stopped = true
                daemon.quiesce()
                service.drain()
                daemon.stop()
            }
        }
    }
#endif
