package import ODataBinding
package import ODataHTTP
import ODataModel
package import ODataTables

/// A page of a delta answer (OData 4.01 Part 1 § 11.3), wherever the changes in it come from.
package struct DeltaPage {
    private let read: ReadAnswer
    private let path: EntityPath
    private let options: BoundOptions
    private let format: AnswerFormat
    private var tracked: TrackedRequest { TrackedRequest(read.context) }

    package init(
        _ read: ReadAnswer,
        of path: EntityPath,
        options: BoundOptions,
        format: AnswerFormat
    ) {
        (self.read, self.path, self.options, self.format) = (read, path, options, format)
    }

    /// The token that the page was asked for by.
    ///
    /// - Parameter isTracked: Whether changes of the resource are tracked.
    /// - Throws: `ServiceError` 501 where they are not, 406 for a form that cannot say them, 400 for a token of another request.
    package func token(isTracked: Bool) throws -> DeltaToken {
        guard isTracked, let text = options.deltaToken else {
            throw ServiceError(501, "changes of this resource are not tracked")
        }
        // OData JSON 4.01 § 3.1.3.
        guard format.metadata != .none else {
            throw ServiceError(406, "changes cannot be answered without metadata")
        }
        return try DeltaToken.read(text, for: tracked.text)
    }

    /// The options that entities in the page are shown by.
    package var shape: BoundOptions {
        var shape = options
        shape.count = false
        shape.orderBy = []
        return shape
    }

    /// Returns the JSON of an entity that is no longer in the result.
    ///
    /// - Parameters:
    ///   - url: The entity-id, relative to the service root.
    ///   - set: The set of an expanded entity; nil for an entity of the result itself.
    package func removed(_ url: String, of set: String? = nil, _ reason: RemovedEntity.Reason)
        -> [UInt8]
    {
        let own = read.model.name(of: path.source)
        let set = set ?? own
        // With full control information, and where the entity is of another set (OData JSON 4.01 § 15.3).
        let needsContext = format.version == .v4 || format.metadata == .full || set != own
        return RemovedEntity(
            id: read.context.service.root + url,
            reason: reason,
            context: needsContext ? read.contextURL.entry(set, kind: "$deletedEntity") : nil
        ).json(format.version)
    }

    /// Returns the answer with the number of all changes where only that is asked for; nil elsewhere.
    package func count(_ total: Int) throws -> HTTPResponse? {
        guard case .count = path.target else { return nil }
        return try read.text(String(total))
    }

    /// Returns the answer, with the link to the rest or to the changes after these.
    ///
    /// - Parameters:
    ///   - items: The items of the page as JSON, separated by commas.
    ///   - end: The number of items up to the end of the page.
    ///   - total: The number of items of all pages.
    ///   - until: The last change of all pages.
    package func answer(
        _ items: [UInt8],
        to token: DeltaToken,
        end: Int,
        of total: Int,
        until: Int64
    ) -> HTTPResponse {
        var body = CollectionBody(format)
        body.context(read.contextURL.delta(path, options: options))
        body.value(items)
        if end < total {
            var next = token
            (next.until, next.offset) = (until, end)
            body.nextLink(tracked.link(next))
        } else {
            body.deltaLink(tracked.link(DeltaToken(since: until)))
        }
        return read.json(body.finished(), format: format)
    }
}
