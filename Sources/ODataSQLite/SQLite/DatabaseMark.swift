/// The application ids that mark our files (https://www.sqlite.org/fileformat.html § 1.3.13).
package enum DatabaseMark {
    /// A store ("ODOS").
    package static let store: Int64 = 0x4F44_4F53
    /// The entities of a stand-alone service ("ODSV").
    package static let service: Int64 = 0x4F44_5356
    /// Bytes of anything under a key ("ODEF").
    package static let encryptedFile: Int64 = 0x4F44_4546
}
