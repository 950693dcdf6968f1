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
        do {
            _ = try WrittenRequest(parsing: url)
        } catch {
            throw CommandFailure(.invalid, "the query \(name) is refused: \(error)")
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
            do {
                _ = try BoundRequest(parsing: query.query, in: model)
            } catch {
                throw CommandFailure(.invalid, "the query \(query.name) is refused: \(error)")
            }
        }
    }
}
