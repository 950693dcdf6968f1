import ODataHTTP
import OfflineOData

/// A collection in an answer of a plain REST service: an array, or an object that has it in `items`.
///
/// Services made for synchronization say by `Oracle-Mobile-Sync-Resource-Type` what an answer is, and put the addresses and ETags of the
/// objects beside them:
///
///     {"items": [{…}, {…}], "uris": ["/departments/10", …], "etags": ["\"1\"", …]}
struct RESTListing {
    /// An object with what stands beside it.
    struct Item {
        var value: ODataValue
        var uri: String?
        var etag: String?
    }

    let items: [Item]

    /// Reads the body of an answer; nil where it is no collection.
    init?(_ body: ODataValue, headers: HTTPHeaders) {
        guard !Self.isItem(headers) else { return nil }
        // An object may have a property called `items`: without the field it is a collection only where it was asked for as one.
        guard let items = body.items ?? body["items"]?.items else { return nil }
        let uris = body["uris"]?.items ?? []
        let etags = body["etags"]?.items ?? []
        self.items = items.enumerated().map { place, value in
            Item(
                value: value,
                uri: uris.dropFirst(place).first?.stringValue,
                etag: etags.dropFirst(place).first?.stringValue
            )
        }
    }

    private static let field = "Oracle-Mobile-Sync-Resource-Type"

    /// Whether the service says that its answer is one object.
    static func isItem(_ headers: HTTPHeaders) -> Bool {
        headers[field]?.lowercased() == "item"
    }

    /// Whether the service says that its answer is a collection.
    static func isCollection(_ headers: HTTPHeaders) -> Bool {
        headers[field]?.lowercased() == "collection"
    }
}
