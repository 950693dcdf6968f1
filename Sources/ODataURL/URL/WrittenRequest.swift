public import ODataModel

/// A request URL taken apart by the grammar alone: segments of the path and query options, no name looked up.
public struct WrittenRequest: Sendable {
    /// The protocol version whose grammar was used.
    public var version: ODataVersion
    /// The segments of the resource path; empty for the service root.
    public var path: [WrittenSegment]
    /// The query options.
    public var options: WrittenOptions
    /// What follows the number sign, decoded; only after `$metadata`.
    public var fragment: String?
    /// Limits that the binder keeps to as well.
    public var limits: URLLimits

    /// Reads a URL relative to the service root; `~/` and one slash may stand before it.
    ///
    /// - Throws: ``ODataURLError`` with the byte offset in `text` where the grammar is broken or a limit is passed.
    public init(
        parsing text: String,
        version: ODataVersion = .v401,
        limits: URLLimits = URLLimits()
    ) throws(ODataURLError) {
        try self.init(bytes: Array(text.utf8), version: version, limits: limits)
    }

    /// Reads a URL given as bytes, which need not be well-formed UTF-8.
    public init(
        bytes: [UInt8],
        version: ODataVersion = .v401,
        limits: URLLimits = URLLimits()
    ) throws(ODataURLError) {
        guard bytes.count <= limits.maximumLength else {
            let message = "the URL is longer than \(limits.maximumLength) bytes"
            throw ODataURLError(.limit, at: limits.maximumLength, message)
        }
        let cut = URLPieces(bytes)
        var reader = RequestReader(bytes: bytes, version: version, limits: limits)
        self.version = version
        self.limits = limits
        path = try reader.path(cut.path)
        try reader.query(cut.query)
        options = reader.options
        fragment = nil
        if let range = cut.fragment {
            guard path.count == 1, path[0].name == "$metadata" else {
                throw ODataURLError(
                    .syntax,
                    at: range.lowerBound - 1,
                    "a fragment stands after $metadata only; a number sign in a value is written %23",
                    found: "#"
                )
            }
            let decoded = try DecodedText(bytes, in: range)
            fragment = String(decoding: decoded.bytes, as: UTF8.self)
        }
    }

    /// Reads query options alone, such as the body of `POST …/$query`.
    ///
    /// - Throws: ``ODataURLError`` with the byte offset in `text`.
    public static func options(
        parsing text: String,
        version: ODataVersion = .v401,
        limits: URLLimits = URLLimits()
    ) throws(ODataURLError) -> WrittenOptions {
        let bytes = Array(text.utf8)
        guard bytes.count <= limits.maximumLength else {
            let message = "the text is longer than \(limits.maximumLength) bytes"
            throw ODataURLError(.limit, at: limits.maximumLength, message)
        }
        var reader = RequestReader(bytes: bytes, version: version, limits: limits)
        try reader.query(bytes.isEmpty ? nil : 0..<bytes.count)
        return reader.options
    }
}
