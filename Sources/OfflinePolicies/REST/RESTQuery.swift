import ODataText
package import ODataHTTP
import OfflineOData

/// Query options of a request in OData form, in terms of a plain REST service.
package struct RESTQuery: Sendable {
    private var own: [String] = []
    /// The number of objects passed over.
    private(set) var offset = 0
    /// The number of objects asked for; nil for all.
    private(set) var limit: Int?
    private let pageSize: Int?

    /// An option that such a service cannot be asked.
    package struct Refusal: Error {
        var option: String

        /// The answer of a service that does not know the option, with the way out.
        package var response: HTTPResponse {
            let message =
                "a plain REST service cannot be asked \(option): read the collection without it; then the same query asks the store,"
                + " by executeQuery or respond of the provider, or narrow the answer by a local filter (ResourceFetch.filter)"
            let error: ODataValue = [
                "error": ["code": "NotSupported", "message": .string(message)]
            ]
            return HTTPResponse(
                status: 501,
                headers: ["Content-Type": "application/json"],
                body: Array(error.json.utf8)
            )
        }
    }

    /// Reads options.
    ///
    /// - Throws: ``Refusal`` where one of them cannot be said to such a service, such as `$filter`.
    package init(_ options: [String], pageSize: Int?) throws(Refusal) {
        self.pageSize = pageSize
        for option in options {
            let parts = option.split(separator: "=", maxSplits: 1).map(String.init)
            let value = parts.count > 1 ? parts[1] : ""
            switch parts.first {
            case "$skip": offset = Int(value) ?? 0
            case "$top": limit = Int(value)
            case "$orderby":
                let keys = ["%20", "+", " "].reduce(value) {
                    $0.replacing($1 + "desc", with: ":desc").replacing($1 + "asc", with: ":asc")
                }
                own.append("orderBy=" + keys.replacing("%20", with: ""))
            // What is answered is always whole.
            case "$format", "$select", "$count": break
            case let name? where name.hasPrefix("$"): throw Refusal(option: name)
            default: own.append(option)
            }
        }
    }

    /// A URL in which options of such services stand as those of OData: `orderBy=name:desc&limit=5` is `$orderby=name desc&$top=5`.
    static func local(_ url: String) -> String {
        var parts = URLParts(url)
        parts.options = parts.options.map { option in
            let sides = option.split(separator: "=", maxSplits: 1).map(String.init)
            guard sides.count == 2 else { return option }
            switch sides[0] {
            case "orderBy": return "$orderby=" + sides[1].replacing(":", with: " ")
            case "limit": return "$top=" + sides[1]
            case "offset": return "$skip=" + sides[1]
            default: return option
            }
        }
        return parts.url
    }

    /// The query string of a read of a collection.
    package var text: String {
        var options = own
        if let size = limit ?? pageSize {
            options += ["limit=\(size)", "offset=\(offset)"]
        } else if offset > 0 {
            options.append("offset=\(offset)")
        }
        return options.isEmpty ? "" : "?" + options.joined(separator: "&")
    }

    /// The options of the next page in OData form; nil where there is none.
    ///
    /// - Parameter hasMore: What the service says; nil where it says nothing.
    package func next(after count: Int, hasMore: Bool?) -> String? {
        guard count > 0, limit == nil else { return nil }
        guard hasMore ?? (pageSize.map { count >= $0 } ?? false) else { return nil }
        return (own + ["$skip=\(offset + count)"]).joined(separator: "&")
    }
}
