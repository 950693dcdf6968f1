import ODataSQL
import ODataBinding
import ODataAnswers
import ODataModel
import ODataPayload
import ODataTables

/// Fills a `TableEntityStore` from bodies as services answer them: `{"value":[…]}`, `[…]`, or the entity of a singleton.
package struct DataImporter {
    private let store: TableEntityStore

    package init(_ store: TableEntityStore) {
        self.store = store
    }

    /// A body and the set or singleton that it belongs to.
    package struct Source: Sendable {
        package var name: String
        package var json: [UInt8]

        package init(name: String, json: [UInt8]) {
            self.name = name
            self.json = json
        }
    }

    /// Imports bodies in one transaction; entities may refer to any others of them.
    ///
    /// - Parameter finish: Comes last in the transaction.
    /// - Throws: `ImportError` that names the set; nothing is imported then.
    /// - Returns: How many entities were created.
    @discardableResult
    package func importAll(
        _ sources: [Source],
        finish: @escaping @Sendable (TableWriting) throws -> Void = { _ in }
    ) async throws -> Int {
        let plans = try sources.map { try plan($0.name) }
        return try await store.load { writing in
            var deferred = DeferredEntities(writing)
            var count = 0
            for (file, (source, plan)) in zip(sources, plans).enumerated() {
                do {
                    count += try Self.load(
                        source,
                        plan: plan,
                        writing: writing,
                        as: file,
                        deferred: &deferred
                    )
                } catch {
                    throw ImportError(set: source.name, message: "\(error)")
                }
            }
            do {
                count += try deferred.create()
            } catch let fault as DeferredEntities.Fault {
                throw Self.error(
                    fault,
                    from: sources[fault.place.file],
                    plan: plans[fault.place.file],
                    writing: writing
                )
            }
            try finish(writing)
            return count
        }
    }

    private func plan(_ name: String) throws -> EntityPlan {
        let schema = store.schema()
        guard let source = schema.model.navigationSource(named: name),
            let plan = schema.plans.plan(for: source)
        else {
            throw ImportError(
                set: name,
                message: "the metadata has no such entity set or singleton"
            )
        }
        return plan
    }

    /// Creates the entities of a body that refer only to existing entities.
    private static func load(
        _ source: Source,
        plan: EntityPlan,
        writing: TableWriting,
        as file: Int,
        deferred: inout DeferredEntities
    ) throws -> Int {
        let path = EntityPath(source: writing.schema.plans.source(of: plan))
        var (count, index) = (0, 0)
        try read(source, plan: plan, writing: writing) { body in
            defer { index += 1 }
            if try deferred.take(body, at: path, place: .init(file: file, index: index)) { return }
            _ = try writing.create(body, at: path)
            count += 1
        }
        return count
    }

    /// The error of an entity that waited for others, with its place in the file.
    private static func error(
        _ fault: DeferredEntities.Fault,
        from source: Source,
        plan: EntityPlan,
        writing: TableWriting
    ) -> ImportError {
        var index = 0
        do {
            try read(source, plan: plan, writing: writing) { _ in
                if index == fault.place.index { throw fault.error }
                index += 1
            }
            return ImportError(set: source.name, message: "\(fault.error)")
        } catch {
            return ImportError(set: source.name, message: "\(error)")
        }
    }

    private static func read(
        _ source: Source,
        plan: EntityPlan,
        writing: TableWriting,
        take: (EntityBody) throws -> Void
    ) throws {
        try withoutActuallyEscaping(take) { take in
            var sink = EachBodySink { body in
                do {
                    try take(body)
                } catch let error as EditError {
                    throw PayloadRefusal(error.message, at: error.path)
                }
            }
            var reader = PayloadReader(
                model: writing.schema.model,
                plan: plan,
                plans: writing.schema.plans,
                expecting: PayloadExpectation(refusesUnknown: true, refusesUnknownMembers: true)
            )
            let text = DataFileText(source.json)
            _ = try text.atPlaceInFile { try reader.read(text.payload.span, into: &sink) }
        }
    }
}

/// Why an import was refused.
package struct ImportError: Error, Equatable, CustomStringConvertible {
    package var set: String
    package var message: String

    package var description: String { "\(set): \(message)" }
}
