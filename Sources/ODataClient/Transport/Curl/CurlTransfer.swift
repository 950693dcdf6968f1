#if canImport(CCurl)
    import ODataHTTP
    import Synchronization

    /// One request on its way, as tasks and the network's thread both know it.
    final class CurlTransfer: Sendable {
        typealias ID = Int

        let id: ID
        let request: HTTPRequest
        let options: HTTPRequestOptions
        let stream: ResponseStream
        /// Where the body comes from that is read while it is sent.
        let feed: RequestBodyFeed?

        private static let lastID = Atomic<Int>(0)

        init(
            _ request: HTTPRequest,
            options: HTTPRequestOptions,
            bufferBytes: Int,
            engine: CurlEngine
        ) {
            let id = Self.lastID.add(1, ordering: .relaxed).newValue
            self.id = id
            self.request = request
            self.options = options
            stream = ResponseStream(bufferBytes: bufferBytes) { engine.post(.resume(id)) }
            feed = request.streamedBody.map { _ in
                RequestBodyFeed { engine.post(.resume(id)) }
            }
        }
    }
#endif
