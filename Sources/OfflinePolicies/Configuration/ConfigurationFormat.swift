import ODataText

/// The formats of configuration files.
public enum ConfigurationFormat: String, Sendable, Hashable, CaseIterable {
    /// JSON of the same structure as the property list.
    case json
    /// A property list, as `OMC.plist`.
    case propertyList
    /// XML, as `oracle_mobile_cloud_config.xml`.
    case xml

    /// Recognises a file by its first bytes; nil for an empty one.
    public init?(recognizing bytes: [UInt8]) {
        let start = bytes[ByteOrderMark.count(aheadOf: bytes)...]
        if start.starts(with: Array("bplist".utf8)) {
            self = .propertyList
            return
        }
        switch start.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) {
        case nil: return nil
        case UInt8(ascii: "<"):
            let head = String(decoding: start.prefix(2_000), as: UTF8.self)
            self =
                head.contains("<plist") || head.contains("<!DOCTYPE plist") ? .propertyList : .xml
        default: self = .json
        }
    }
}
