package import StoreRecords

/// The texts of the application's own that a request carries.
public struct OfflineODataRequestLabels: Sendable, Hashable {
    package var texts: [QueueColumn: String] = [:]

    /// A tag, by which an application finds its requests again in the queue and the error archive.
    public var customTag: String? {
        get { texts[.tag] }
        set { texts[.tag] = newValue }
    }

    /// Creates labels without a text.
    public init() {}

    package init(_ texts: [QueueColumn: String]) { self.texts = texts }

    /// The text of a label; nil where the request has none.
    public subscript(label: OfflineODataRequestLabel) -> String? {
        get { label.column.flatMap { texts[$0] } }
        set { if let column = label.column { texts[column] = newValue } }
    }
}
