import CommandSupport
import ODataModel
import ODataProtocol
import OfflineOData

/// Defining queries as a person writes them: `NAME=URL`.
enum DefiningQueryText {
    /// Reads one.
    ///
    /// - Throws: ``CommandFailure`` (invalid) where there is no name or no URL, or the URL breaks the grammar.
    static func read(_ text: String) throws(CommandFailure) -> OfflineODataDefiningQuery {
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
            throw .usage("a query is written NAME=URL, not '\(text)'")
        }
        let name = String(text[..<equals])
        let url = String(text[text.index(after: equals)...])
        guard !url.isEmpty, !name.contains("?"), !name.contains("/") else {
            throw .usage("a query is written NAME=URL, not '\(text)'")
        }
        // The service's version is not known yet.
        try check(name, in: [.v401, .v2]) { version throws(ODataURLError) in
            _ = try WrittenRequest(parsing: url, version: version)
        }
        return OfflineODataDefiningQuery(name: name, query: url)
    }

    /// Looks the names of queries up in the store's model, where it has one already.
    ///
    /// - Throws: ``CommandFailure`` (invalid) with the place and the nearest known name.
    static func check(
        _ queries: [OfflineODataDefiningQuery],
        in provider: OfflineODataProvider
    ) async throws {
        guard !queries.isEmpty else { return }
        let model: EdmModel
        do {
            model = try await provider.metadata()
        } catch {
            guard error.code == .notOpen else { throw error }
            return
        }
        for query in queries {
            let versions: [ODataVersion] = model.version.isV4 ? [.v401] : [model.version, .v401]
            try check(query.name, in: versions) { version throws(ODataURLError) in
                _ = try BoundRequest(parsing: query.query, in: model, version: version)
            }
        }
    }

    /// Reads a query in the language of one version or another.
    ///
    /// - Throws: ``CommandFailure`` (invalid) with what the first version says, where it has no meaning in any.
    private static func check(
        _ name: String,
        in versions: [ODataVersion],
        _ read: (ODataVersion) throws(ODataURLError) -> Void
    ) throws(CommandFailure) {
        var fault: ODataURLError?
        for version in versions {
            do {
                return try read(version)
            } catch {
                fault = fault ?? error
            }
        }
        guard let fault else { return }
        throw CommandFailure(.invalid, "the query \(name) is refused: \(fault)")
    }
}
