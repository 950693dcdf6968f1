extension PolicyConfiguration {
    /// Reads a configuration file; its format is recognised by its content.
    ///
    /// - Throws: ``PolicyConfigurationError`` with line and path.
    public init(reading bytes: [UInt8]) throws(PolicyConfigurationError) {
        var warnings: [PolicyConfigurationWarning] = []
        try self.init(reading: bytes, warnings: &warnings)
    }

    /// Reads a configuration file, and collects what should be written in another way.
    ///
    /// - Throws: ``PolicyConfigurationError`` with line and path.
    public init(
        reading bytes: [UInt8],
        warnings: inout [PolicyConfigurationWarning]
    ) throws(PolicyConfigurationError) {
        guard bytes.count <= Self.maximumByteCount else {
            throw PolicyConfigurationError(
                "the file is larger than \(Self.maximumByteCount) bytes"
            )
        }
        let bytes = Self.inUTF8(bytes)
        guard let format = ConfigurationFormat(recognizing: bytes) else {
            throw PolicyConfigurationError("the file is empty", line: 1)
        }
        let root =
            switch format {
            case .json: try JSONConfiguration.tree(bytes)
            case .propertyList: try PropertyListConfiguration.tree(bytes)
            case .xml: try XMLConfiguration.tree(bytes)
            }
        var reader = ConfigurationReader()
        self = try reader.read(root)
        warnings += reader.warnings
    }

    /// A file that begins with the byte order mark of UTF-16, in UTF-8; editors of other systems write it (XML 1.0 § 4.3.3).
    private static func inUTF8(_ bytes: [UInt8]) -> [UInt8] {
        let isLittle = bytes.starts(with: [0xFF, 0xFE])
        guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else { return bytes }
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map { place in
            let (low, high) = (bytes[place + (isLittle ? 0 : 1)], bytes[place + (isLittle ? 1 : 0)])
            return UInt16(high) << 8 | UInt16(low)
        }
        let text = String(decoding: units, as: UTF16.self)
        let head = text.prefix(200).replacing("UTF-16", with: "UTF-8")
        return Array((head + text.dropFirst(200)).utf8)
    }

    /// A configuration is written by hand: a larger file is another thing.
    private static let maximumByteCount = 4 << 20
}
