#if canImport(CCurl)
    import CCurl
    import ODataHTTP

    /// One handle of the library and what its callbacks find; confined to the network's thread.
    @safe final class CurlEasy {
        let transfer: CurlTransfer
        private let handle: UnsafeMutableRawPointer
        private var fields: UnsafeMutablePointer<curl_slist>?
        private let message = UnsafeMutablePointer<CChar>.allocate(
            capacity: Int(CURL_ERROR_SIZE)
        )
        private var headReader: ResponseHeadReader
        private let decodesBody: Bool
        private var failure: HTTPTransportError?
        private var lastActivity = ContinuousClock.now
        private var uploadedBytes = 0
        /// Bytes of the body that the library has taken.
        private var takenBytes = 0
        private var isPaused = false
        /// Whether the transfer waits for the next piece of its own body.
        private var isStarving = false

        /// nil where the library refuses an option.
        init?(_ transfer: CurlTransfer, settings: CurlTransportSettings) {
            guard let handle = unsafe ccurl_easy_init() else { return nil }
            unsafe self.handle = handle
            self.transfer = transfer
            headReader = ResponseHeadReader(limit: settings.headBytes)
            // A gateway may compress without being asked to.
            decodesBody =
                ["identity", nil].contains(
                    transfer.request.headers["Accept-Encoding"]?.lowercased()
                )
            unsafe message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
            let options = unsafe CurlOptions(handle: handle)
            options.setConnection(settings, url: transfer.request.url)
            options.setRequest(
                transfer.request,
                isUnrepeatable: transfer.options.isUnrepeatable,
                longestRest: settings.longestRestBeforeChange
            )
            if decodesBody { options.set(CURLOPT_ACCEPT_ENCODING, to: CurlOptions.encodings) }
            unsafe fields = options.setFields(transfer.request)
            setCallbacks(options)
            guard options.areAccepted else { return nil }
        }

        deinit {
            unsafe ccurl_easy_cleanup(handle)
            unsafe ccurl_slist_free_all(fields)
            unsafe message.deallocate()
        }

        private func setCallbacks(_ options: CurlOptions) {
            let context = unsafe Unmanaged.passUnretained(self).toOpaque()
            unsafe options.set(CURLOPT_WRITEDATA, pointer: context)
            unsafe options.set(CURLOPT_HEADERDATA, pointer: context)
            unsafe options.set(CURLOPT_XFERINFODATA, pointer: context)
            unsafe options.set(CURLOPT_ERRORBUFFER, pointer: message)
            unsafe options.set(CURLOPT_WRITEFUNCTION, callback: receiveBody)
            unsafe options.set(CURLOPT_HEADERFUNCTION, callback: receiveHeaderLine)
            unsafe options.set(CURLOPT_READDATA, pointer: context)
            unsafe options.set(CURLOPT_READFUNCTION, callback: sendBody)
            unsafe options.setProgress(callback: noteProgress)
        }

        // MARK: - In the loop

        func add(to multi: UnsafeMutableRawPointer) -> Bool {
            unsafe ccurl_multi_add_handle(multi, handle) == CURLM_OK
        }

        func remove(from multi: UnsafeMutableRawPointer) {
            unsafe _ = ccurl_multi_remove_handle(multi, handle)
        }

        func isHandle(_ other: UnsafeMutableRawPointer?) -> Bool {
            unsafe handle == other
        }

        /// The reader has room again; the library may write into it during this call.
        func resume() {
            guard isPaused || transfer.feed != nil else { return }
            isPaused = false
            isStarving = false
            lastActivity = .now
            unsafe _ = ccurl_easy_pause(handle, CURLPAUSE_CONT)
        }

        /// When the service has been silent for too long; nil while it is ours that hold the transfer up.
        var idleDeadline: ContinuousClock.Instant? {
            isPaused || isStarving ? nil : lastActivity + transfer.options.idleTimeout
        }

        var idleError: HTTPTransportError {
            unsafe transportError(
                CURLE_OPERATION_TIMEDOUT,
                handle: handle,
                isSecure: isSecure,
                detail:
                    "timed out: no data for \(transfer.options.idleTimeout.components.seconds) s"
            )
        }

        /// Returns why a transfer ended, nil where it is complete.
        func error(for code: CURLcode) -> HTTPTransportError? {
            guard code != CURLE_OK else { return nil }
            if let failure { return failure }
            let error = unsafe transportError(
                code,
                handle: handle,
                isSecure: isSecure,
                detail: String(cString: message)
            )
            guard takenBytes > 0, error.isCertainlyUnsent else { return error }
            // On a kept connection that has closed, the library had sent the request and looked for another connection.
            return HTTPTransportError(.connectionLost, error.message)
        }

        private var isSecure: Bool { transfer.request.url.lowercased().hasPrefix("https:") }

        // MARK: - In callbacks

        /// Takes a header line; false breaks the transfer.
        fileprivate func takeHeaderLine(_ line: [UInt8]) -> Bool {
            lastActivity = .now
            do throws(HTTPTransportError) {
                if let head = try headReader.read(line) { transfer.stream.receive(presented(head)) }
                return true
            } catch {
                failure = error
                return false
            }
        }

        /// What the library has decoded must not look encoded.
        private func presented(_ head: ResponseHead) -> ResponseHead {
            guard decodesBody, head.headers["Content-Encoding"] != nil else { return head }
            var head = head
            head.headers["Content-Encoding"] = nil
            head.headers["Content-Length"] = nil
            return head
        }

        /// Takes a piece of the body; false pauses the transfer.
        fileprivate func takeBody(_ piece: UnsafeRawBufferPointer) -> Bool {
            lastActivity = .now
            isPaused = !transfer.stream.write(byteCount: piece.count) { buffer in
                unsafe buffer.append(contentsOf: piece)
            }
            return !isPaused
        }

        /// Gives the next bytes of the body; zero at its end.
        fileprivate func giveBody(_ room: UnsafeMutableRawBufferPointer) -> Int {
            let portion: ArraySlice<UInt8>
            switch transfer.feed?.take(upTo: room.count) {
            case .bytes(let bytes): portion = bytes
            case .wait:
                isStarving = true
                return Int(CURL_READFUNC_PAUSE)
            case .failed:
                failure = HTTPTransportError(.connectionLost, "the body could not be read")
                return Int(CURL_READFUNC_ABORT)
            case nil: portion = transfer.request.body.dropFirst(takenBytes).prefix(room.count)
            }
            if portion.isEmpty, let length = transfer.request.streamedBody?.byteCount,
                takenBytes < length
            {
                failure = HTTPTransportError(
                    .connectionLost,
                    "the body is shorter than it was said"
                )
                return Int(CURL_READFUNC_ABORT)
            }
            unsafe room.copyBytes(from: portion)
            takenBytes += portion.count
            return portion.count
        }

        fileprivate func note(uploadedBytes: Int) {
            guard uploadedBytes != self.uploadedBytes else { return }
            self.uploadedBytes = uploadedBytes
            lastActivity = .now
        }
    }

    // The context is the CurlEasy, which the loop holds for as long as its handle is in the multi handle.

    private let receiveBody: ccurl_data_callback = { data, size, count, context in
        guard let context = unsafe context else { return 0 }
        let easy = unsafe Unmanaged<CurlEasy>.fromOpaque(context).takeUnretainedValue()
        let piece = unsafe UnsafeRawBufferPointer(start: data, count: size * count)
        return unsafe easy.takeBody(piece) ? piece.count : Int(CURL_WRITEFUNC_PAUSE)
    }

    private let receiveHeaderLine: ccurl_data_callback = { data, size, count, context in
        guard let context = unsafe context else { return 0 }
        let easy = unsafe Unmanaged<CurlEasy>.fromOpaque(context).takeUnretainedValue()
        let line = unsafe UnsafeRawBufferPointer(start: data, count: size * count)
        // Zero is an error to the library, as no line is empty.
        return unsafe easy.takeHeaderLine([UInt8](line)) ? line.count : 0
    }

    private let sendBody: ccurl_data_callback = { data, size, count, context in
        guard let context = unsafe context else { return Int(CURL_READFUNC_ABORT) }
        let easy = unsafe Unmanaged<CurlEasy>.fromOpaque(context).takeUnretainedValue()
        return unsafe easy.giveBody(UnsafeMutableRawBufferPointer(start: data, count: size * count))
    }

    private let noteProgress: curl_xferinfo_callback = { context, _, _, _, uploaded in
        guard let context = unsafe context else { return 0 }
        let easy = unsafe Unmanaged<CurlEasy>.fromOpaque(context).takeUnretainedValue()
        easy.note(uploadedBytes: Int(clamping: uploaded))
        return 0
    }
#endif
