#if canImport(CCurl)
    import CCurl
    import ODataHTTP

    /// Returns what a code of the library means to the caller: above all whether anything was sent.
    func transportError(
        _ code: CURLcode,
        handle: UnsafeMutableRawPointer,
        isSecure: Bool,
        detail: String
    ) -> HTTPTransportError {
        let text = detail.isEmpty ? unsafe String(cString: ccurl_easy_strerror(code)) : detail
        guard !isOfSettings(code) else { return HTTPTransportError(.unusableSettings, text) }
        guard unsafe wasSomethingSent(handle, isSecure: isSecure) else {
            return HTTPTransportError(
                isOurFault(code) ? .protocolViolation : .notConnected,
                text,
                isCertainlyUnsent: true
            )
        }
        switch code {
        // The library would send the body once more on another connection.
        case CURLE_SEND_FAIL_REWIND:
            return HTTPTransportError(.connectionLost, "the connection broke before the answer")
        case CURLE_OPERATION_TIMEDOUT: return HTTPTransportError(.timedOut, text)
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
            return HTTPTransportError(.protocolViolation, text)
        default: return HTTPTransportError(.connectionLost, text)
        }
    }

    /// The request cannot be said; no connection was tried.
    private func isOurFault(_ code: CURLcode) -> Bool {
        code == CURLE_URL_MALFORMAT || code == CURLE_UNSUPPORTED_PROTOCOL
    }

    /// A certificate or a key cannot be read, or they do not belong together; no handshake was tried.
    private func isOfSettings(_ code: CURLcode) -> Bool {
        [CURLE_SSL_CERTPROBLEM, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE].contains(code)
    }

    /// Whether a byte of the request itself may have left.
    ///
    /// The counter also counts what a proxy is asked, so for https TLS must stand, or the connection be an old one.
    private func wasSomethingSent(_ handle: UnsafeMutableRawPointer, isSecure: Bool) -> Bool {
        guard unsafe ccurl_long_info(handle, CURLINFO_REQUEST_SIZE) > 0 else { return false }
        let isProtected = unsafe ccurl_size_info(handle, CURLINFO_APPCONNECT_TIME_T) > 0
        let isKept = unsafe ccurl_long_info(handle, CURLINFO_NUM_CONNECTS) == 0
        return isProtected || isKept || !isSecure
    }
#endif
