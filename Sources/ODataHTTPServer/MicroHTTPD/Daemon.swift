#if canImport(CMicroHTTPD)
    import ODataValues
    import CMicroHTTPD
    import Synchronization

    #if canImport(Darwin)
        import Darwin
    #else
        import Glibc
    #endif

    /// The library's daemon: one thread of its own that owns every connection.
    ///
    /// `@unchecked Sendable`: the functions called here may be called from any thread, and the pointer
    /// is given away exactly once, under the lock.
    @safe final class Daemon: @unchecked Sendable {
        let port: UInt16
        private let state: Mutex<State>
        /// The callbacks hold it without counting; it outlives the daemon because it is held here.
        private let service: ListenerService

        @safe private struct State: @unchecked Sendable {
            var daemon: OpaquePointer?
            var listeningSocket: Int32 = -1
        }

        init(service: ListenerService, port: UInt16) throws(HTTPListenerError) {
            let settings = unsafe cmhd_settings(
                context: Unmanaged.passUnretained(service).toOpaque(),
                answer: answerCallback,
                begin: beginCallback,
                completed: completedCallback,
                connection_memory: 2 * service.limits.headBytes,
                connection_limit: UInt32(clamping: service.limits.connections),
                first_seconds: service.limits.firstSeconds,
                roomy_first_seconds: service.limits.roomyFirstSeconds,
                idle_seconds: service.limits.idleSeconds
            )
            guard cmhd_open() != 0 else {
                throw HTTPListenerError(
                    code: .cannotListen,
                    message: "cannot listen: the library libmicrohttpd.so.12 is missing;"
                        + " Debian's package is libmicrohttpd12"
                )
            }
            guard let daemon = unsafe cmhd_start(port, settings) else {
                throw HTTPListenerError(
                    code: .cannotListen,
                    message: "cannot listen on 127.0.0.1:\(port); is the port in use?"
                )
            }
            self.service = service
            self.port = unsafe cmhd_port(daemon)
            state = unsafe Mutex(State(daemon: daemon))
        }

        deinit {
            stop()
        }

        /// Takes no more connections; those that are there go on.
        func quiesce() {
            state.guarded { state in
                guard let daemon = unsafe state.daemon, state.listeningSocket < 0 else { return }
                state.listeningSocket = unsafe cmhd_quiesce(daemon)
            }
        }

        /// Closes all connections and ends the thread; no request may be suspended any more.
        func stop() {
            let ended = state.guarded { state in
                defer { state = unsafe State(daemon: nil) }
                return state
            }
            guard let daemon = unsafe ended.daemon else { return }
            unsafe cmhd_stop(daemon)
            if ended.listeningSocket >= 0 { close(ended.listeningSocket) }
        }
    }
#endif
