import StoreRecords
import Testing

extension DefiningQueries {
    /// The query of a name.
    func query(_ name: String) throws -> DefiningQuery {
        try #require(try all().first { $0.name == name })
    }

    /// Finishes the query of a name.
    func finish(_ name: String, deltaLink: String?, etag: String? = nil) throws {
        try finish(query(name), deltaLink: deltaLink, etag: etag)
    }

    /// Writes down where the query of a name goes on.
    func setNextLink(_ link: String?, of name: String) throws {
        try setNextLink(link, of: query(name))
    }
}
