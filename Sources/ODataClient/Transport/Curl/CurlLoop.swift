#if canImport(CCurl)
    import CCurl
    import ODataHTTP

    /// What the network's thread does; it is confined to that thread.
    @safe final class CurlLoop {
        private let multi: UnsafeMutableRawPointer
        private let settings: CurlTransportSettings
        private let engine: CurlEngine
        private var waiting: [CurlTransfer] = []
        private var running: [CurlTransfer.ID: CurlEasy] = [:]
        private var isStopping = false

        /// The thread looks around at least this often, for no reason but caution.
        private static let longestPoll: Duration = .seconds(60)

        init(multi: UnsafeMutableRawPointer, settings: CurlTransportSettings, engine: CurlEngine) {
            unsafe self.multi = multi
            self.settings = settings
            self.engine = engine
            let idle = max(1, settings.maximumConnections)
            unsafe _ = ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, idle)
        }

        func run() {
            while true {
                for command in engine.takeCommands() { perform(command) }
                if isStopping { break }
                startWaiting()
                var stillRunning: Int32 = 0
                unsafe _ = ccurl_multi_perform(multi, &stillRunning)
                endFinished()
                for easy in running.values { easy.transfer.stream.flush() }
                endIdle()
                poll()
            }
            end()
        }

        // MARK: - Commands

        private func perform(_ command: CurlEngine.Command) {
            switch command {
            case .start(let transfer): waiting.append(transfer)
            case .resume(let id): running[id]?.resume()
            case .cancel(let id):
                waiting.removeAll { $0.id == id }
                remove(id)
            case .stop: isStopping = true
            }
        }

        private var hasRoom: Bool { running.count < max(1, settings.maximumConnections) }

        private func startWaiting() {
            while hasRoom, !waiting.isEmpty {
                let transfer = waiting.removeFirst()
                guard !transfer.stream.isEnded else { continue }
                guard let easy = CurlEasy(transfer, settings: settings), unsafe easy.add(to: multi)
                else {
                    transfer.stream.finish(
                        HTTPTransportError(.notConnected, "libcurl refuses the request")
                    )
                    continue
                }
                running[transfer.id] = easy
            }
        }

        /// Taking a handle out closes its connection where an answer is still on its way.
        private func remove(_ id: CurlTransfer.ID) {
            guard let easy = running.removeValue(forKey: id) else { return }
            unsafe easy.remove(from: multi)
        }

        // MARK: - Ends

        private func endFinished() {
            var left: Int32 = 0
            while let message = unsafe ccurl_multi_info_read(multi, &left) {
                guard unsafe message.pointee.msg == CURLMSG_DONE,
                    let easy = running.values.first(where: {
                        unsafe $0.isHandle(message.pointee.easy_handle)
                    })
                else { continue }
                let error = easy.error(for: unsafe message.pointee.data.result)
                easy.transfer.stream.finish(error)
                remove(easy.transfer.id)
            }
        }

        private func endIdle() {
            let now = ContinuousClock.now
            for easy in running.values {
                guard let deadline = easy.idleDeadline, deadline <= now else { continue }
                let error = easy.idleError
                remove(easy.transfer.id)
                easy.transfer.stream.finish(error)
            }
        }

        /// Waits for the network, a command, or the next transfer that has been silent for too long.
        private func poll() {
            if !waiting.isEmpty, hasRoom { return }
            let now = ContinuousClock.now
            let longest = now + Self.longestPoll
            let next = running.values.reduce(longest) { min($0, $1.idleDeadline ?? longest) }
            let milliseconds = max(0, (now.duration(to: next) / .milliseconds(1)).rounded(.up))
            unsafe _ = ccurl_multi_poll(multi, Int32(milliseconds), nil)
        }

        private func end() {
            let late = engine.close()
            for case .start(let transfer) in late { waiting.append(transfer) }
            for transfer in waiting { transfer.stream.finish(CurlEngine.closed) }
            for easy in running.values {
                unsafe easy.remove(from: multi)
                easy.transfer.stream.finish(
                    HTTPTransportError(.connectionLost, "the transport was closed")
                )
            }
            unsafe _ = ccurl_multi_cleanup(multi)
        }
    }
#endif
