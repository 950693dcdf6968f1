package import ODataModel
package import ODataURL

/// Binds requests to one model, and may have met them before.
package protocol RequestMemory: AnyObject {
    /// Returns the request that a text is in a version of the language.
    ///
    /// - Throws: ``ODataURLError`` where it is none.
    func request(_ text: String, version: ODataVersion, limits: URLLimits) throws(ODataURLError)
        -> KnownRequest
}
