package import ODataTables

/// A read whose answer the store keeps: the query, its members in order, and what is known of its age.
///
/// It is no part of `download()`: only a fetch of its own brings it up to date. Its entities are those of the store, shared with
/// everything else that holds them.
package struct StoredCollection: Sendable, Equatable {
    /// Name, unique among the stored collections: what the reader asked.
    package let name: String
    /// The address that it is fetched from, relative to the service root or absolute.
    package let url: String
    /// Its number among the queries that keep their members.
    package let slot: Int
    /// Whether it has ever been fetched: an empty collection is another thing than none.
    package var isFetched = false
    /// When the service last confirmed it, in milliseconds since 1970.
    package var fetched: Int64?
    /// From when it is out of date, in milliseconds since 1970; nil where nothing says so.
    package var expires: Int64?
    /// What tells the service which version is known, as it came: an ETag or what the service uses for one.
    package var validator: String?
    /// Where the service tells what has changed since.
    package var deltaLink: String?
    /// What the layer above keeps with it, in a form of its own.
    package var attributes: String?

    /// The entities that it asked for, in its order.
    package var members: RowList { MemberRows.list(of: slot) }

    /// The collection as the loader and the merge know queries.
    var query: DefiningQuery {
        DefiningQuery(
            name: name,
            url: url,
            slot: slot,
            retrievesStreams: false,
            deltaLink: deltaLink,
            isLoaded: isFetched,
            needsFullRead: false,
            etag: validator,
            isStoredCollection: true
        )
    }
}
