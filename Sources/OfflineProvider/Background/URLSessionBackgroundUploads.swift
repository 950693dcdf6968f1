#if canImport(Darwin)
    import Foundation
    public import ODataHTTP
    import Synchronization

    /// Uploads that the system carries on when the application has been suspended or ended.
    ///
    /// Make one in each process, with the same identifier, before `upload()` is called; in
    /// `application(_:handleEventsForBackgroundURLSession:completionHandler:)` make it, call `upload()` and then the completion handler.
    /// Bodies lie in files beside the store, which the system reads while the device is locked. The system sends a request again by itself
    /// when the network breaks, so `enableRepeatableRequests` has to be set, and the service has to honour `Repeatability-Request-ID`.
    public final class URLSessionBackgroundUploads: NSObject, BackgroundUploadSession,
        URLSessionDataDelegate
    {
        private struct State {
            var session: URLSession?
            var waiterCount: UInt64 = 0
            var bodies: [Int: [UInt8]] = [:]
            /// Tasks that have ended in this process, by their names.
            var ended: [String: BackgroundUploadTask] = [:]
            var waiting: [String: [Waiter]] = [:]
        }

        private struct Waiter {
            let id: UInt64
            let continuation: CheckedContinuation<BackgroundUploadTask?, Never>
        }

        private let state = Mutex(State())

        /// Makes the session, or takes it up again.
        ///
        /// - Parameters:
        ///   - identifier: Names the session in all processes of the application.
        ///   - sharedContainer: The container that an extension shares with its application.
        public init(identifier: String, sharedContainer: String? = nil) {
            super.init()
            let configuration = URLSessionConfiguration.background(withIdentifier: identifier)
            configuration.sharedContainerIdentifier = sharedContainer
            configuration.httpCookieStorage = nil
            configuration.urlCredentialStorage = nil
            configuration.urlCache = nil
            let queue = OperationQueue()
            queue.maxConcurrentOperationCount = 1
            let session = URLSession(
                configuration: configuration,
                delegate: self,
                delegateQueue: queue
            )
            state.guarded { $0.session = session }
        }

        /// The system tries again by itself when the network breaks.
        public var mayRepeat: Bool { true }

        /// Begins to carry a request.
        public func start(_ request: HTTPRequest, bodyFile: String, name: String) async throws {
            guard let session = state.guarded({ $0.session }), let url = URL(string: request.url)
            else { throw HTTPTransportError(.protocolViolation, "the URL is none") }
            var message = URLRequest(url: url)
            message.httpMethod = request.method
            for field in request.headers.fields where field.name.lowercased() != "content-length" {
                message.addValue(field.value, forHTTPHeaderField: field.name)
            }
            let task = session.uploadTask(with: message, fromFile: URL(filePath: bodyFile))
            task.taskDescription = name
            task.resume()
        }

        /// The tasks of the session that still run, and those that have ended in this process.
        public func tasks() async -> [BackgroundUploadTask] {
            guard let session = state.guarded({ $0.session }) else { return [] }
            let running = await session.allTasks.map {
                BackgroundUploadTask(
                    id: $0.taskIdentifier,
                    name: $0.taskDescription,
                    state: .running
                )
            }
            let ended = state.guarded { Array($0.ended.values) }
            return ended + running.filter { task in !ended.contains { $0.id == task.id } }
        }

        /// Waits until the task of a name has ended, or the caller is cancelled: the task goes on then.
        public func end(of name: String) async throws -> BackgroundUploadTask? {
            let id = state.guarded { state in
                state.waiterCount += 1
                return state.waiterCount
            }
            return await withTaskCancellationHandler {
                await withCheckedContinuation { wait(for: name, Waiter(id: id, continuation: $0)) }
            } onCancel: {
                stopWaiting(for: name, id)
            }
        }

        private func wait(for name: String, _ waiter: Waiter) {
            let (isOver, ended) = state.guarded { state -> (Bool, BackgroundUploadTask?) in
                // Cancelled before: then the handler is not called again.
                if let ended = state.ended[name] { return (true, ended) }
                if Task.isCancelled { return (true, nil) }
                state.waiting[name, default: []].append(waiter)
                return (false, nil)
            }
            if isOver { waiter.continuation.resume(returning: ended) }
        }

        private func stopWaiting(for name: String, _ id: UInt64) {
            let waiter = state.guarded { state -> Waiter? in
                guard let index = state.waiting[name]?.firstIndex(where: { $0.id == id }) else {
                    return nil
                }
                return state.waiting[name]?.remove(at: index)
            }
            waiter?.continuation.resume(returning: nil)
        }

        /// Ends a task, and forgets one that has ended.
        public func remove(_ task: BackgroundUploadTask) async {
            if let name = task.name { state.guarded { _ = $0.ended.removeValue(forKey: name) } }
            guard task.state == .running, let session = state.guarded({ $0.session }) else {
                return
            }
            await session.allTasks.first { $0.taskIdentifier == task.id }?.cancel()
        }

        /// Keeps a piece of an answer.
        public func urlSession(
            _ session: URLSession,
            dataTask: URLSessionDataTask,
            didReceive data: Data
        ) {
            state.guarded { $0.bodies[dataTask.taskIdentifier, default: []] += data }
        }

        /// A redirect is an answer like others.
        public func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest,
            completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            completionHandler(nil)
        }

        /// Notes what a task has brought.
        public func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didCompleteWithError error: (any Error)?
        ) {
            guard let name = task.taskDescription else { return }
            let (ended, waiting) = state.guarded { state in
                let body = state.bodies.removeValue(forKey: task.taskIdentifier) ?? []
                let ended = BackgroundUploadTask(
                    id: task.taskIdentifier,
                    name: name,
                    state: Self.state(task.response as? HTTPURLResponse, body, error)
                )
                state.ended[name] = ended
                return (ended, state.waiting.removeValue(forKey: name) ?? [])
            }
            for waiter in waiting { waiter.continuation.resume(returning: ended) }
        }

        private static func state(
            _ response: HTTPURLResponse?,
            _ body: [UInt8],
            _ error: (any Error)?
        ) -> BackgroundUploadTask.State {
            // The system has tried several times: of none is it certain that nothing has left.
            guard let response, error == nil else { return .failed(isCertainlyUnsent: false) }
            var headers = HTTPHeaders()
            for (name, value) in response.allHeaderFields {
                guard let name = name as? String, let value = value as? String else { continue }
                headers.add(name, value)
            }
            return .answered(
                HTTPResponse(status: response.statusCode, headers: headers, body: body)
            )
        }
    }
#endif
