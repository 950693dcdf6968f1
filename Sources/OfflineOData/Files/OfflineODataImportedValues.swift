import StoreDownload
import StoreExchange

/// Which values an import takes.
public struct OfflineODataImportedValues: Sendable, Hashable {
    let rule: ImportedValues

    /// Those that the metadata allows: lengths, digits, required values and types are checked as those of local changes are.
    public static let declared = OfflineODataImportedValues(rule: .declared)
    /// Those that a download takes, such as longer texts and nulls where the metadata has none: a copy of what a service holds.
    public static let served = OfflineODataImportedValues(rule: .served)
}
