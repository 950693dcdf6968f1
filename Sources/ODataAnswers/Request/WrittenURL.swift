import ODataText
import ODataURL

/// A URL as an application wrote it, without percent-encoding: errors name places in this text, not in the encoded one.
package struct WrittenURL: Sendable {
    private let relative: String
    /// Bytes of the text before the part that is relative to the service root.
    private let rootCount: Int

    /// - Parameters:
    ///   - text: What the application wrote, with a root or `~/` before it.
    ///   - relative: The end of it, relative to the service root.
    package init(_ text: String, relative: String) {
        self.relative = relative
        rootCount = text.utf8.count - relative.utf8.count
    }

    /// The error with its place in the text.
    func placing(_ error: ODataURLError) -> ODataURLError {
        var placed = error
        placed.offset =
            rootCount + PercentEncoding.writtenOffset(of: error.offset, in: relative)
        return placed
    }
}
