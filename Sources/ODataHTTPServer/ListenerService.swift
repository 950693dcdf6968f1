#if canImport(CMicroHTTPD)
    import Dispatch
    import ODataValues
    import ODataHTTP
    import Synchronization

    /// What stands behind the callbacks: the handler, the rules, and the requests that are running.
    final class ListenerService: Sendable {
        let limits: HTTPListenerLimits
        private let answering: any HTTPAnswering
        private let token: String?
        private let state = Mutex(State())
        /// Requests from their last byte to the last byte of their answer.
        private let exchanges = DispatchGroup()
        private let hangUps = HangUpWatch()
        /// Handlers that have not returned.
        private let handlers = DispatchGroup()

        private struct State {
            var requestGuard: RequestGuard?
            var isStopping = false
            var nextTask = 0
            /// nil for a task that ended before it was registered.
            var tasks: [Int: Task<Void, Never>?] = [:]
        }

        init(answering: any HTTPAnswering, limits: HTTPListenerLimits, token: String?) {
            self.answering = answering
            self.limits = limits
            self.token = token
        }

        /// Says on which port requests come; until then all are refused.
        func listen(on port: UInt16) {
            let requestGuard = RequestGuard(port: port, limits: limits, token: token)
            state.guarded { $0.requestGuard = requestGuard }
        }

        /// Returns the answer to a request that must not reach the handler, nil for all others.
        func refusal(of head: HTTPRequest) -> HTTPResponse? {
            let (requestGuard, isStopping) = state.guarded { ($0.requestGuard, $0.isStopping) }
            guard let requestGuard, !isStopping else { return .refusal(503, "the service stops") }
            return requestGuard.refusal(of: head, needsToken: !answering.needsNoToken(head))
        }

        func exchangeBegan() { exchanges.enter() }

        func exchangeEnded() { exchanges.leave() }

        /// Runs the handler and hands over its answer.
        ///
        /// A read whose client hangs up is cancelled; a change goes on, since the client may ask later what became of it.
        func run(
            _ request: HTTPRequest,
            from socket: Int32,
            then deliver: @escaping @Sendable (HTTPAnswer) -> Void
        ) {
            handlers.enter()
            let number = state.guarded { state in
                state.nextTask += 1
                state.tasks[state.nextTask] = .some(nil)
                return state.nextTask
            }
            let watched =
                Self.isRead(request) && socket >= 0
                ? hangUps.begin(socket) { [self] in cancel(number) } : nil
            let task = Task { [self] in
                let answer = await answering.answer(to: request)
                if let watched { hangUps.end(watched) }
                deliver(answer)
                state.guarded { _ = $0.tasks.removeValue(forKey: number) }
                handlers.leave()
            }
            state.guarded { state in
                if state.tasks[number] != nil { state.tasks[number] = .some(task) }
            }
        }

        private static func isRead(_ request: HTTPRequest) -> Bool {
            ["GET", "HEAD"].contains(request.method)
        }

        private func cancel(_ number: Int) {
            let task = state.guarded { $0.tasks[number].flatMap(\.self) }
            task?.cancel()
        }

        /// Waits until nothing runs; what takes longer than the grace is cancelled.
        func drain() {
            state.guarded { $0.isStopping = true }
            let nanoseconds = limits.stopGrace / .nanoseconds(1)
            let deadline = DispatchTime.now() + .nanoseconds(Int(nanoseconds))
            guard exchanges.wait(timeout: deadline) == .timedOut else { return }
            let running = state.guarded { $0.tasks.values.compactMap(\.self) }
            for task in running { task.cancel() }
            handlers.wait()
        }
    }
#endif
