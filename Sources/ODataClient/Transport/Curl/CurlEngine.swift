#if canImport(CCurl)
    import CCurl
    import Dispatch
    import ODataValues
    import ODataHTTP
    import Synchronization

    /// The door to the network's thread: commands go in, wake it, and are done there.
    ///
    /// `@unchecked Sendable`: all of libcurl is used by that thread alone, except for
    /// `curl_multi_wakeup`, which any thread may call; the lock keeps it from the handle's end.
    @safe final class CurlEngine: @unchecked Sendable {
        enum Command: Sendable {
            case start(CurlTransfer)
            case resume(CurlTransfer.ID)
            case cancel(CurlTransfer.ID)
            case stop
        }

        /// Ends the thread when it is released.
        final class Owner: Sendable {
            let engine: CurlEngine

            init(settings: CurlTransportSettings) throws(HTTPTransportError) {
                engine = try CurlEngine(settings: settings)
            }

            deinit {
                engine.post(.stop)
            }
        }

        private struct Inbox {
            var commands: [Command] = []
            var isOpen = true
        }

        private let multi: UnsafeMutableRawPointer
        private let inbox = Mutex(Inbox())

        /// `curl_global_init` must come before all else, once (libcurl: `libcurl(3)`).
        private static let isLibraryReady = ccurl_global_init() == CURLE_OK

        private init(settings: CurlTransportSettings) throws(HTTPTransportError) {
            guard Self.isLibraryReady, let multi = unsafe ccurl_multi_init() else {
                throw HTTPTransportError(
                    .notConnected,
                    "the library libcurl.so.4 is missing or cannot be used; Debian's package is libcurl4"
                )
            }
            unsafe self.multi = multi
            // The queue has a thread of its own for as long as the loop runs.
            DispatchQueue(label: "CurlEngine", qos: .userInitiated).async { [self] in
                unsafe CurlLoop(multi: self.multi, settings: settings, engine: self).run()
            }
        }

        /// Has a command done by the network's thread.
        func post(_ command: Command) {
            let isOpen = inbox.guarded { inbox in
                guard inbox.isOpen else { return false }
                inbox.commands.append(command)
                unsafe ccurl_multi_wakeup(multi)
                return true
            }
            guard !isOpen, case .start(let transfer) = command else { return }
            transfer.stream.finish(Self.closed)
        }

        /// Returns what has been posted since the last call; for the network's thread.
        func takeCommands() -> [Command] {
            inbox.guarded { inbox in
                defer { inbox.commands = [] }
                return inbox.commands
            }
        }

        /// Takes no more commands; after this only the loop uses the multi handle.
        func close() -> [Command] {
            inbox.guarded { inbox in
                inbox.isOpen = false
                defer { inbox.commands = [] }
                return inbox.commands
            }
        }

        static let closed = HTTPTransportError(.notConnected, "the transport was closed")
    }
#endif
