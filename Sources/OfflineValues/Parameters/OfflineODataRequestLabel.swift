import StoreRecords

/// A text of the application's own that a request carries; it is shown wherever the request is, and the service never sees it.
///
/// The declaration of its column names it everywhere: of `tag`, the property of the built-in entity sets is `CustomTag`, the option of the
/// command line `--tag`, and the name in ``OfflineODataRequestLabels`` `customTag`.
public struct OfflineODataRequestLabel: Sendable, Hashable, CaseIterable {
    /// Its name in lists and options: one word.
    public let name: String
    /// Name of the property of the built-in entity sets that shows it, also in queue files.
    public let propertyName: String
    /// What it is for, in one line without a full stop.
    public let help: String

    /// All labels that a request can carry.
    public static let allCases = QueueColumn.labels.map { column in
        OfflineODataRequestLabel(
            name: column.name,
            propertyName: column.propertyName ?? column.name,
            help: column.help
        )
    }

    /// The column that keeps it; found by its name, so that the layout of a label stays what it is when one is added.
    var column: QueueColumn? { QueueColumn.labels.first { $0.name == name } }
}
