package import StoreRecords

/// A text of the application's own that a request carries; it is shown wherever the request is, and the service never sees it.
///
/// The declaration of its column names it everywhere: of `tag`, the property of the built-in entity sets is `CustomTag`, the option of the
/// command line `--tag`, and the name in ``OfflineODataRequestLabels`` `customTag`.
public struct OfflineODataRequestLabel: Sendable, Hashable, CaseIterable {
    package let column: QueueColumn

    /// All labels that a request can carry.
    public static let allCases = QueueColumn.labels.map(Self.init)

    /// Its name in lists and options: one word.
    public var name: String { column.name }

    /// Name of the property of the built-in entity sets that shows it, also in queue files.
    public var propertyName: String { column.propertyName ?? name }

    /// What it is for, in one line without a full stop.
    public var help: String { column.help }

    private init(_ column: QueueColumn) { self.column = column }
}
