#if canImport(CCurl)
    import CCurl
    import ODataHTTP

    /// Sets options of one handle and remembers whether all were taken.
    @safe final class CurlOptions {
        private let handle: UnsafeMutableRawPointer
        private(set) var areAccepted = true

        /// Bytes that are asked of a socket at a time.
        ///
        /// What they unpack to while the reader is slow is kept by the library: at most 1,032 times as much
        /// (zlib: `zlib technical details`), and from 64 MiB on it gives up.
        private static let receiveBytes = 16 * 1024
        /// Not what packs tighter (Brotli, Zstandard): for the same reason.
        static let encodings = "gzip, deflate"
        /// Methods whose requests have a length even without a body (RFC 9110 § 8.6).
        private static let bodyMethods = ["POST", "PUT", "PATCH", "MERGE"]
        /// Fields that follow from the body.
        private static let ownFields = ["content-length", "transfer-encoding", "expect"]

        init(handle: UnsafeMutableRawPointer) {
            unsafe self.handle = handle
        }

        // MARK: - Groups

        /// How the connection is made.
        func setConnection(_ settings: CurlTransportSettings, url: String) {
            set(CURLOPT_URL, to: url)
            set(CURLOPT_PROTOCOLS_STR, to: "http,https")
            set(CURLOPT_FOLLOWLOCATION, to: 0)
            set(CURLOPT_PATH_AS_IS, to: 1)
            // Time-outs of name look-ups must not use signals in a process with threads.
            set(CURLOPT_NOSIGNAL, to: 1)
            set(CURLOPT_SUPPRESS_CONNECT_HEADERS, to: 1)
            set(CURLOPT_BUFFERSIZE, to: Self.receiveBytes)
            set(CURLOPT_TCP_KEEPALIVE, to: 1)
            set(CURLOPT_CONNECTTIMEOUT_MS, to: settings.connectTimeout)
            if let whole = settings.wholeTimeout { set(CURLOPT_TIMEOUT_MS, to: whole) }
            set(CURLOPT_USERAGENT, to: settings.userAgent)
            setTrust(settings)
            setProxy(settings.proxy, url: url)
        }

        private func setTrust(_ settings: CurlTransportSettings) {
            if let file = settings.authorityFile {
                set(CURLOPT_CAINFO, to: file)
                // Else the system's folder would be trusted as well.
                unsafe check(ccurl_set_text(handle, CURLOPT_CAPATH, nil))
            }
            guard let certificate = settings.clientCertificate else { return }
            set(CURLOPT_SSLCERT, to: certificate.certificateFile)
            set(CURLOPT_SSLKEY, to: certificate.keyFile ?? certificate.certificateFile)
            // Without a text the TLS library would ask for one at the terminal.
            set(CURLOPT_KEYPASSWD, to: certificate.keyPassword ?? "")
        }

        private func setProxy(_ proxy: CurlTransportSettings.Proxy, url: String) {
            switch proxy {
            case .environment: if isOnThisMachine(url) { set(CURLOPT_PROXY, to: "") }
            case .none: set(CURLOPT_PROXY, to: "")
            case .url(let proxy):
                set(CURLOPT_PROXY, to: proxy)
                // Else a variable of the environment could still take requests off the proxy.
                set(CURLOPT_NOPROXY, to: "")
            }
        }

        private func isOnThisMachine(_ url: String) -> Bool {
            guard let start = url.firstRange(of: "://")?.upperBound else { return false }
            let host = url[start...].prefix { !"/?#".contains($0) }
            return ["localhost", "127.0.0.1", "[::1]"].contains {
                host == $0 || host.hasPrefix($0 + ":")
            }
        }

        /// Method and body, and that a request which must not be doubled is not.
        ///
        /// On a kept connection that closes without an answer libcurl sends any request once more by itself, if it can. A body
        /// that it asks for in pieces it cannot get twice, so that the transfer fails; without a body only a new connection helps.
        func setRequest(_ request: HTTPRequest, isUnrepeatable: Bool, longestRest: Duration) {
            let length = request.streamedBody?.byteCount ?? request.body.count
            if isUnrepeatable {
                let seconds = Int(clamping: longestRest.components.seconds)
                set(CURLOPT_FRESH_CONNECT, to: length == 0 || seconds < 1 ? 1 : 0)
                set(CURLOPT_MAXAGE_CONN, to: max(1, seconds))
            }
            if request.method == "HEAD" {
                set(CURLOPT_NOBODY, to: 1)
            } else if length > 0 || Self.bodyMethods.contains(request.method) {
                let isAskedFor = isUnrepeatable || request.streamedBody != nil
                setBody(request.body, length: length, isAskedFor: isAskedFor)
                set(CURLOPT_CUSTOMREQUEST, to: request.method)
            } else {
                set(CURLOPT_HTTPGET, to: 1)
                set(CURLOPT_CUSTOMREQUEST, to: request.method)
            }
        }

        private func setBody(_ body: [UInt8], length: Int, isAskedFor: Bool) {
            set(CURLOPT_POST, to: 1)
            unsafe check(
                ccurl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(length))
            )
            if isAskedFor, length > 0 { return }
            unsafe body.withUnsafeBytes { bytes in
                // An empty array has no address; the length, set before, is what counts.
                guard let start = bytes.baseAddress else {
                    return set(CURLOPT_COPYPOSTFIELDS, to: "")
                }
                unsafe set(CURLOPT_COPYPOSTFIELDS, pointer: start)
            }
        }

        /// Sets the header fields and returns their list, which must outlive the transfer.
        func setFields(_ request: HTTPRequest) -> UnsafeMutablePointer<curl_slist>? {
            var lines = request.headers.fields
                .filter { !Self.ownFields.contains($0.name.lowercased()) }
                .map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
            // Without a value after the colon a field that the library would add is left out. Waiting for
            // "100 Continue" costs a second where a service does not know it.
            lines.append("Expect:")
            if request.headers["Content-Type"] == nil { lines.append("Content-Type:") }
            var list: UnsafeMutablePointer<curl_slist>?
            for line in lines {
                guard let longer = unsafe ccurl_slist_append(list, line) else {
                    areAccepted = false
                    break
                }
                unsafe list = longer
            }
            unsafe set(CURLOPT_HTTPHEADER, pointer: list)
            return unsafe list
        }

        func setProgress(callback: @escaping curl_xferinfo_callback) {
            set(CURLOPT_NOPROGRESS, to: 0)
            unsafe check(ccurl_set_progress_callback(handle, callback))
        }

        // MARK: - Single options

        func set(_ option: CURLoption, to value: Int) {
            unsafe check(ccurl_set_long(handle, option, value))
        }

        func set(_ option: CURLoption, to value: Duration) {
            // Zero would mean "no limit".
            set(option, to: max(1, Int(clamping: Int64(value / .milliseconds(1)))))
        }

        func set(_ option: CURLoption, to value: String) {
            unsafe check(ccurl_set_text(handle, option, value))
        }

        func set(_ option: CURLoption, pointer: UnsafeRawPointer?) {
            unsafe check(ccurl_set_pointer(handle, option, pointer))
        }

        func set(_ option: CURLoption, callback: ccurl_data_callback) {
            unsafe check(ccurl_set_data_callback(handle, option, callback))
        }

        private func check(_ code: CURLcode) {
            if code != CURLE_OK { areAccepted = false }
        }
    }
#endif
