import ODataHTTP

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
#else
    import Foundation
#endif

#if canImport(Security)
    import Security
#endif

/// Whom a session trusts, and what it shows of itself.
///
/// What guards what: nothing is changed after the initializer.
struct SessionTrust: @unchecked Sendable {
    #if canImport(Security)
        private let authorities: [SecCertificate]?
        private let identity: URLCredential?

        init(_ settings: URLSessionTransportSettings) throws(HTTPTransportError) {
            authorities = try settings.authorityFile.map(Self.certificates)
            identity = try settings.clientIdentity.map(Self.credential)
        }

        /// The certificates of a PEM file.
        private static func certificates(
            _ file: String
        ) throws(HTTPTransportError) -> [SecCertificate] {
            let text = String(decoding: try contents(file), as: UTF8.self)
            let blocks = text.components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst()
            let found = blocks.compactMap { block -> SecCertificate? in
                let base64 = block.components(separatedBy: "-----END CERTIFICATE-----")[0]
                return Data(base64Encoded: base64, options: .ignoreUnknownCharacters)
                    .flatMap { SecCertificateCreateWithData(nil, $0 as CFData) }
            }
            guard !found.isEmpty else { throw unusable("\(file) holds no PEM certificate") }
            return found
        }

        private static func credential(
            _ identity: URLSessionTransportSettings.ClientIdentity
        ) throws(HTTPTransportError) -> URLCredential {
            let options = [kSecImportExportPassphrase as String: identity.password]
            var items: CFArray?
            let data = try contents(identity.file) as CFData
            let status = unsafe SecPKCS12Import(data, options as CFDictionary, &items)
            guard status == errSecSuccess,
                let first = (items as? [NSDictionary])?.first,
                let value = first[kSecImportItemIdentity as String],
                CFGetTypeID(value as CFTypeRef) == SecIdentityGetTypeID()
            else {
                throw unusable("\(identity.file) holds no identity, or its password is another")
            }
            // The type was compared the line before: Core Foundation's types have no conditional cast.
            let found = unsafe unsafeDowncast(value as AnyObject, to: SecIdentity.self)
            return URLCredential(identity: found, certificates: nil, persistence: .forSession)
        }

        private static func contents(_ file: String) throws(HTTPTransportError) -> Data {
            guard let data = FileManager.default.contents(atPath: file) else {
                throw unusable("cannot read \(file)")
            }
            return data
        }

        private static func unusable(_ message: String) -> HTTPTransportError {
            HTTPTransportError(.unusableSettings, message)
        }

        /// Answers what a server asks for.
        func answer(
            _ challenge: URLAuthenticationChallenge
        ) -> (URLSession.AuthChallengeDisposition, URLCredential?) {
            switch challenge.protectionSpace.authenticationMethod {
            case NSURLAuthenticationMethodServerTrust:
                guard let authorities, let trust = challenge.protectionSpace.serverTrust else {
                    return (.performDefaultHandling, nil)
                }
                SecTrustSetAnchorCertificates(trust, authorities as CFArray)
                SecTrustSetAnchorCertificatesOnly(trust, true)
                guard SecTrustEvaluateWithError(trust, nil) else {
                    return (.cancelAuthenticationChallenge, nil)
                }
                return (.useCredential, URLCredential(trust: trust))
            case NSURLAuthenticationMethodClientCertificate:
                return identity.map { (.useCredential, $0) } ?? (.performDefaultHandling, nil)
            default:
                // Credentials are header fields of the request; a service that wants others says so by its status.
                return (.rejectProtectionSpace, nil)
            }
        }
    #else
        init(_ settings: URLSessionTransportSettings) throws(HTTPTransportError) {}

        /// Credentials are header fields of the request; a service that wants others says so by its status.
        func answer(
            _ challenge: URLAuthenticationChallenge
        ) -> (URLSession.AuthChallengeDisposition, URLCredential?) { (.rejectProtectionSpace, nil) }
    #endif
}
