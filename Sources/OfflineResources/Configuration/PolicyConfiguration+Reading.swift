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

    /// A configuration is written by hand: a larger file is another thing.
    private static let maximumByteCount = 4 << 20
}
