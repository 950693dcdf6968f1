package import ODataBinding
package import ODataModel
import ODataURL

/// Refuses defining queries whose result cannot be kept as entities, before anything is asked for.
package enum DefiningQueryCheck {
    /// Transformations that leave entities what they are (OData Data Aggregation 4.0 § 3.3).
    private static let keeping: Set<String> = [
        "filter", "identity", "orderby", "search", "skip", "top",
    ]

    /// Segments that answer something else than entities.
    private static let otherResults: Set<String> = [
        "$batch", "$count", "$crossjoin", "$links", "$metadata", "$ref", "$value",
    ]

    /// Checks the URL by its grammar alone: the model may not be known yet.
    ///
    /// - Throws: ``StoreError`` that names the segment or option, `ODataURLError` with the place where the grammar is broken.
    static func check(_ name: String, url: String) throws {
        guard !name.isEmpty else { throw StoreError(.invalid, "a defining query needs a name") }
        let request = try written(url)
        if let segment = request.path.first(where: { otherResults.contains($0.name ?? $0.text) }) {
            throw StoreError(
                .invalid,
                "the defining query \(name) brings no entities: \(segment.text) cannot be stored, give the URL of a set or an entity"
            )
        }
        if let other = request.options.apply.first(where: { !keeping.contains($0.name) }) {
            throw StoreError(
                .invalid,
                "the defining query \(name) brings no entities: \(other.name) in $apply leaves rows without keys; store the entities and ask the store with $apply"
            )
        }
    }

    /// The URL in the grammar of any version: the service's is not known yet.
    private static func written(_ url: String) throws -> WrittenRequest {
        do {
            return try WrittenRequest(parsing: url)
        } catch {
            guard let request = try? WrittenRequest(parsing: url, version: .v2) else { throw error }
            return request
        }
    }

    /// Checks what the URL brings by the metadata.
    ///
    /// What the metadata does not know is left to the download: the service's may be a newer one by then.
    ///
    /// - Throws: ``StoreError`` where it is something else than entities, `ODataURLError` where it has no meaning.
    static func check(_ name: String, url: String, in model: EdmModel) throws {
        let bound: BoundRequest
        do {
            bound = try BoundRequest(ofService: url, in: model)
        } catch let error as ODataURLError {
            guard error.code == .unknownName else { throw error }
            return
        }
        try checkOptions(name, bound.options, in: model)
        if case .entities(let path) = bound.resource, case .entities = path.target { return }
        throw StoreError(
            .invalid,
            "the defining query \(name) brings no entities: \(url) is a property, a number or the result of an operation; give the URL of a set or an entity"
        )
    }

    /// Refuses a query that brings what the store has no place for: entities inside of complex values, and collections without some of
    /// their items.
    ///
    /// - Throws: ``StoreError`` that names the path.
    package static func checkOptions(_ name: String, _ options: BoundOptions, in model: EdmModel)
        throws
    {
        if let expand = options.complexExpand(in: model) {
            throw StoreError(
                .invalid,
                "the defining query \(name) expands \(expand): entities inside of complex values are not kept in a store; leave \(expand) out of $expand, and give the set of these entities as a query of its own"
            )
        }
        if let items = options.firstItems {
            throw StoreError(
                .invalid,
                "the defining query \(name) selects some items of \(items): a store keeps collections whole; leave the options of \(items) out of $select, and give them when the store is asked"
            )
        }
    }
}
