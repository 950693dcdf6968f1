package import ODataModel
package import ODataURL

/// The text of a request, as bytes, with what decides on its meaning besides the model.
///
/// Swift compares texts by canonical equivalence, OData code point by code point.
package struct RequestText: Hashable {
    let bytes: [UInt8]
    private let version: ODataVersion
    private let limits: URLLimits

    package init(_ text: String, version: ODataVersion, limits: URLLimits) {
        bytes = Array(text.utf8)
        (self.version, self.limits) = (version, limits)
    }

    /// Whether it is this text, without making another one of it.
    package func isOf(_ text: String, version: ODataVersion, limits: URLLimits) -> Bool {
        self.version == version && bytes.count == text.utf8.count
            && text.utf8.elementsEqual(bytes) && self.limits == limits
    }
}
