import ODataClient
public import ODataHTTP

#if canImport(Darwin)
    import OfflineODataURLSession
#endif

extension OfflineODataParameters {
    /// Makes the transport of the platform: `URLSession` on Apple's systems, libcurl elsewhere.
    ///
    /// - Throws: ``HTTPTransportError`` where it cannot be used.
    public func standardTransport() throws(HTTPTransportError) -> any HTTPTransport {
        #if canImport(Darwin)
            var settings = URLSessionTransportSettings()
            settings.authorityFile = self.certificateAuthorityFile
            return try URLSessionTransport(settings: settings)
        #else
            var settings = CurlTransportSettings()
            settings.authorityFile = self.certificateAuthorityFile
            return CurlTransport(settings: settings)
        #endif
    }
}
