/// An HTTP request as a value.
public struct HTTPRequest: Sendable {
    /// Method name in capitals, such as GET or MERGE.
    public var method: String
    /// Absolute URL, or the raw target as received by a service.
    public var url: String
    /// Header fields in order.
    public var headers: HTTPHeaders
    /// Body; empty where there is none.
    public var body: [UInt8]
    /// A body that is too long to stand in memory; then `body` is empty.
    public var streamedBody: HTTPStreamedBody?

    /// Creates a request.
    public init(method: String, url: String, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

/// An HTTP response as a value.
public struct HTTPResponse: Sendable, Equatable {
    /// Status code.
    public var status: Int
    /// Header fields in order.
    public var headers: HTTPHeaders
    /// Body; empty where there is none.
    public var body: [UInt8]

    /// Creates a response.
    public init(status: Int, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Whether the status says that the request was carried out.
    public var isSuccess: Bool { (200..<300).contains(status) }
}
