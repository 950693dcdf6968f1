/// A request that the service refused.
///
/// Its labels (``OfflineODataRequestLabels``) are read by their names here.
@dynamicMemberLookup
public struct OfflineODataFailedRequest: Sendable, Hashable, Identifiable {
    /// Its number in queue and archive.
    public var requestID: Int64
    /// Its method.
    public var method: String
    /// Its URL relative to the service root.
    public var url: String
    /// Status of the answer.
    public var httpStatus: Int
    /// Code of the service's error.
    public var code: OfflineODataError.Code
    /// Message of the service's error.
    public var message: String
    /// The application's own labels; the service never sees them.
    public var labels: OfflineODataRequestLabels

    package init(
        requestID: Int64,
        method: String,
        url: String,
        httpStatus: Int,
        code: OfflineODataError.Code,
        message: String,
        labels: OfflineODataRequestLabels = OfflineODataRequestLabels()
    ) {
        self.requestID = requestID
        self.method = method
        self.url = url
        self.httpStatus = httpStatus
        self.code = code
        self.message = message
        self.labels = labels
    }

    /// Its number in queue and archive.
    public var id: Int64 { requestID }

    /// Reads a label.
    public subscript(dynamicMember label: KeyPath<OfflineODataRequestLabels, String?>) -> String? {
        labels[keyPath: label]
    }
}
