package import ODataSQL

/// A read whose answer the store keeps: the query, its members in order, and what is known of its age.
///
/// It is no part of `download()`: only a fetch of its own brings it up to date. Its entities are those of the store, shared with
/// everything else that holds them.
package struct StoredCollection: Sendable, Equatable {
    /// Its properties, shared by the copies of the value: reads hand it on several times.
    private var record: Record

    private struct Fields: Equatable {
        let name: String
        let url: String
        let slot: Int
        var isFetched: Bool
        var fetched: Int64?
        var expires: Int64?
        var validator: String?
        var deltaLink: String?
        var attributes: String?
        var count: Int64?
    }

    private final class Record: Sendable {
        let fields: Fields

        init(_ fields: Fields) { self.fields = fields }
    }

    package init(
        name: String,
        url: String,
        slot: Int,
        isFetched: Bool = false,
        fetched: Int64? = nil,
        expires: Int64? = nil,
        validator: String? = nil,
        deltaLink: String? = nil,
        attributes: String? = nil,
        count: Int64? = nil
    ) {
        record = Record(
            Fields(
                name: name,
                url: url,
                slot: slot,
                isFetched: isFetched,
                fetched: fetched,
                expires: expires,
                validator: validator,
                deltaLink: deltaLink,
                attributes: attributes,
                count: count
            )
        )
    }

    private mutating func change(_ change: (inout Fields) -> Void) {
        var fields = record.fields
        change(&fields)
        record = Record(fields)
    }

    package static func == (one: StoredCollection, other: StoredCollection) -> Bool {
        one.record === other.record || one.record.fields == other.record.fields
    }

    // MARK: Properties

    /// Name, unique among the stored collections: what the reader asked.
    package var name: String { record.fields.name }
    /// The address that it is fetched from, relative to the service root or absolute.
    package var url: String { record.fields.url }
    /// Its number among the queries that keep their members.
    package var slot: Int { record.fields.slot }
    /// Whether it has ever been fetched: an empty collection is another thing than none.
    package var isFetched: Bool {
        get { record.fields.isFetched }
        set { change { $0.isFetched = newValue } }
    }
    /// When the service last confirmed it, in milliseconds since 1970.
    package var fetched: Int64? {
        get { record.fields.fetched }
        set { change { $0.fetched = newValue } }
    }
    /// From when it is out of date, in milliseconds since 1970; nil where nothing says so.
    package var expires: Int64? {
        get { record.fields.expires }
        set { change { $0.expires = newValue } }
    }
    /// The validator of the known version as received: an ETag or what the service uses for one.
    package var validator: String? {
        get { record.fields.validator }
        set { change { $0.validator = newValue } }
    }
    /// The link at which the service reports later changes.
    package var deltaLink: String? {
        get { record.fields.deltaLink }
        set { change { $0.deltaLink = newValue } }
    }
    /// What the layer above keeps with it, in a form of its own.
    package var attributes: String? {
        get { record.fields.attributes }
        set { change { $0.attributes = newValue } }
    }

    /// The entities that it asked for, in its order.
    package var members: RowList {
        var members = MemberRows.list(of: slot)
        members.totalCount = count
        return members
    }

    /// How many entities the service has counted where it was asked to; nil where it was not.
    package var count: Int64? {
        get { record.fields.count }
        set { change { $0.count = newValue } }
    }

    /// The collection as the loader and the merge know queries.
    package var query: DefiningQuery {
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
