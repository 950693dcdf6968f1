package import ODataBinding
package import OfflineValues
package import ODataHTTP

/// A read as it reaches the one place where all of them are answered.
///
/// An object, since it is handed on many times.
package final class ReadRequest: Sendable {
    /// What is read.
    package enum Resource: Sendable {
        /// A URL relative to the service root.
        case url(String)
        /// A query made in Swift.
        case query(ODataQuery)
        /// One entity of a set.
        case key(entitySet: String, ODataValue)
        /// The content of a media entity or a stream property, by its URL.
        case stream(String)
    }

    package let resource: Resource
    /// Header fields that go along where the service is asked.
    package let headers: HTTPHeaders
    /// What the reader says to the rules, such as a policy of its own.
    package let context: (any ReadContext)?

    package init(
        _ resource: Resource,
        headers: HTTPHeaders = [:],
        context: (any ReadContext)? = nil
    ) {
        self.resource = resource
        self.headers = headers
        self.context = context
    }

    package convenience init(
        _ url: String,
        headers: HTTPHeaders = [:],
        context: (any ReadContext)? = nil
    ) {
        self.init(.url(url), headers: headers, context: context)
    }

    /// The URL, where the read was written as one.
    package var url: String? {
        switch resource {
        case .url(let url), .stream(let url): url
        case .query, .key: nil
        }
    }
}
