#if canImport(CCurl)
    public import ODataHTTP
    import ODataValues
    import Synchronization

    /// HTTP over libcurl: one thread for all transfers, connections kept, cancelled at once.
    ///
    /// Where libcurl is not at hand an application brings another ``HTTPTransport``.
    public final class CurlTransport: HTTPTransport {
        private let settings: CurlTransportSettings
        /// Nil before the first request: to load the library takes as long as many answers of a store do.
        private let engine = Mutex<CurlEngine.Owner?>(nil)

        /// Makes a transport whose thread starts with the first request; it ends when the transport and all bodies that it gave are gone.
        public init(settings: CurlTransportSettings = CurlTransportSettings()) {
            self.settings = settings
        }

        /// Long bodies are read while they are sent.
        public var sendsStreamedBodies: Bool { true }

        /// Sends a request and answers once the header fields have come.
        ///
        /// A body that is not read to its end gives its connection up.
        ///
        /// - Throws: ``HTTPTransportError``, also where the library cannot be used.
        public func send(
            _ request: HTTPRequest,
            options: HTTPRequestOptions
        ) async throws -> HTTPStreamingResponse {
            try Task.checkCancellation()
            try request.checkForSending()
            let reader = BodyReader(
                request,
                options: options,
                settings: settings,
                engine: try startedEngine()
            )
            let head = try await reader.start()
            return HTTPStreamingResponse(
                status: head.status,
                headers: head.headers,
                body: HTTPBody { try await reader.next() }
            )
        }

        private func startedEngine() throws(HTTPTransportError) -> CurlEngine.Owner {
            try engine.guarded { engine throws(HTTPTransportError) in
                if let engine { return engine }
                let started = try CurlEngine.Owner(settings: settings)
                engine = started
                return started
            }
        }
    }

    /// The reading end of one transfer; releasing it ends the transfer.
    private final class BodyReader: Sendable {
        private let transfer: CurlTransfer
        private let engine: CurlEngine.Owner
        /// Reads the body of the request while it is sent.
        private let feeding: Task<Void, Never>?

        init(
            _ request: HTTPRequest,
            options: HTTPRequestOptions,
            settings: CurlTransportSettings,
            engine: CurlEngine.Owner
        ) {
            self.engine = engine
            let transfer = CurlTransfer(
                request,
                options: options,
                bufferBytes: settings.bufferBytes,
                engine: engine.engine
            )
            self.transfer = transfer
            feeding = request.streamedBody.flatMap { body in
                transfer.feed.map { feed in Task { await feed.run(body.pieces()) } }
            }
        }

        deinit {
            cancel()
            transfer.feed?.stop()
            feeding?.cancel()
        }

        func start() async throws -> ResponseHead {
            engine.engine.post(.start(transfer))
            return try await withTaskCancellationHandler {
                try await transfer.stream.head()
            } onCancel: {
                cancel()
            }
        }

        func next() async throws -> [UInt8]? {
            try await withTaskCancellationHandler {
                try await transfer.stream.next()
            } onCancel: {
                cancel()
            }
        }

        private func cancel() {
            guard transfer.stream.cancel() else { return }
            engine.engine.post(.cancel(transfer.id))
        }
    }
#endif
