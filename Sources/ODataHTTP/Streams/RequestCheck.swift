extension HTTPRequest {
    /// Refuses what cannot be said in HTTP, so that no value can smuggle in a field or a request.
    package func checkForSending() throws(HTTPTransportError) {
        guard !method.isEmpty, method.utf8.allSatisfy(HTTPFieldScanner.isTokenByte) else {
            throw refusal("the method is no HTTP token")
        }
        guard url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw refusal("the URL holds white space")
        }
        let scheme = url.utf8.prefix { $0 != 0x3A }
        guard ["http", "https"].contains(String(Substring(scheme)).lowercased()) else {
            throw refusal("the URL is neither http nor https")
        }
        for field in headers.fields {
            guard HTTPFieldRules.isName(field.name), HTTPFieldRules.isValue(field.value) else {
                throw refusal("a header field holds forbidden bytes")
            }
        }
    }
}

private func refusal(_ message: String) -> HTTPTransportError {
    HTTPTransportError(.protocolViolation, message, isCertainlyUnsent: true)
}
