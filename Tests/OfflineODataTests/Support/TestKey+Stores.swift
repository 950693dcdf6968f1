import ODataSQLite
import OfflineOData
import TestSupport

extension TestKey {
    /// The key of stores of a provider.
    static var store: OfflineODataEncryptionKey? {
        bytes.map { OfflineODataEncryptionKey(bytes: $0) }
    }

    /// The same key, for a connection of its own.
    static var connection: EncryptionKey? { bytes.map { EncryptionKey(bytes: $0) } }
}
