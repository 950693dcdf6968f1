package import ODataBinding
package import ODataSQL
import StoreRecords
import ODataPayload
import ODataModel
package import ODataAnswers
import ODataTables

/// Local changes of media streams and stream properties.
extension StoreTransaction: StreamWriting {
    package func createMedia(_ content: StreamContent, at path: EntityPath) throws -> RowReference {
        guard let source = path.finalSource,
            let plan = schema.plans.plan(for: source, type: path.entityType(in: schema.model))
        else {
            throw EditError(.invalid, "the path leads to no entity set that the metadata names")
        }
        guard schema.model.hasStream(plan.type) else {
            throw EditError(.invalid, "\(schema.model[plan.type].name) is no media entity")
        }
        try refuseBuiltIn(source)
        let parent = try parent(of: path)
        let url = try parent.map { try link($0.entity, to: $0.navigation) }
        let recorder = ChangeRecorder(rows, flags: options.flags)
        recorder.takesIncomplete = true
        let created = try editor(recorder).create(
            EntityBody(plan: plan),
            in: source,
            through: parent
        )
        let stored = try StreamTable(connection).content(content)
        try recorder.setStream(
            stored,
            of: created.row,
            property: "",
            in: rows.catalog.ensureTable(source)
        )
        try enqueue(
            "POST",
            url: url ?? schema.model.name(of: source),
            body: nil,
            stream: stored,
            streamProperty: "",
            affected: created,
            referred: recorder.insertedRows + [parent?.entity.row].compactMap { $0 },
            recorder: recorder
        )
        return created
    }

    package func setStream(
        _ content: StreamContent,
        at path: EntityPath,
        property: String,
        precondition: Precondition
    ) throws {
        let stored = try StreamTable(connection).content(content)
        try change(stored, method: "PUT", at: path, property: property, precondition: precondition)
    }

    /// Removes a stream; a media entity goes with its own (OData 4.01 Part 1 § 11.4.7.3).
    ///
    /// Services of the former versions keep the entity or not, each as it likes: there the content goes alone.
    package func removeStream(at path: EntityPath, property: String, precondition: Precondition)
        throws
    {
        guard property.isEmpty, schema.model.version.isV4 else {
            return try change(
                nil,
                method: "DELETE",
                at: path,
                property: property,
                precondition: precondition
            )
        }
        let entity = try entity(at: path)
        guard let table = schema.layout[entity.source] else { return }
        try demand(precondition, of: presentHead(of: entity, property: property, in: table))
        try delete(at: path, precondition: .none)
    }

    private func demand(_ precondition: Precondition, of present: StreamTable.Head?) throws {
        guard precondition.isMet(by: present) else {
            throw EditError(
                .preconditionFailed,
                "the stream in the store is another one than the request expects"
            )
        }
    }

    /// The stream as the application sees it: of one that was not downloaded, the ETag that its entity states.
    private func presentHead(of entity: RowReference, property: String, in table: TableLayout)
        throws
        -> StreamTable.Head?
    {
        if let head = try StreamTable(connection).head(of: entity.row, property: property) {
            return head
        }
        let streams = StoreStreams(connection)
        guard try streams.isUnknown(entity.row, property: property, in: table),
            let etag = try StreamControl(connection)
                .value(.etag, of: entity.row, property: property, in: table)
        else { return nil }
        return StreamTable.Head(content: 0, contentType: "", etag: etag, byteCount: 0)
    }

    private func change(
        _ content: Int64?,
        method: String,
        at path: EntityPath,
        property: String,
        precondition: Precondition
    ) throws {
        let entity = try entity(at: path)
        try refuseBuiltIn(entity.source)
        guard let table = schema.layout[entity.source] else { return }
        let type = try rows.type(of: entity.row, in: table) ?? table.entityType
        guard !property.isEmpty || schema.model.hasStream(type) else {
            throw EditError(.invalid, "\(schema.model[type].name) is no media entity")
        }
        let present = try presentHead(of: entity, property: property, in: table)
        try LocalRules(rows).checkUpdatable(entity.source)
        try demand(precondition, of: present)
        let url = try link(entity, toStream: property)
        let etag = try StoreStreams(connection).expectedETag(
            of: entity.row,
            property: property,
            in: table
        )
        let recorder = ChangeRecorder(rows, flags: options.flags)
        try recorder.willChange(entity.row, in: table)
        try recorder.setStream(content, of: entity.row, property: property, in: table)
        let involved = try involved(entity, referred: [], recorder: recorder)
        if try Correction(self).correctStream(
            content,
            method: method,
            property: property,
            involved: involved
        ) {
            return
        }
        try enqueue(
            method,
            url: url,
            body: nil,
            stream: content,
            streamProperty: property,
            affected: entity,
            referred: [],
            recorder: recorder,
            etag: etag
        )
    }
}
