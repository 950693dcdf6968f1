import ODataModel
import ODataProtocol
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

    /// Imports bodies in one transaction, those first that others refer to where the caller orders them so.
    ///
    /// - Throws: `ImportError` that names the set; nothing is imported then.
    /// - Returns: How many entities were created.
    @discardableResult
    package func importAll(_ sources: [Source]) async throws -> Int {
        let plans = try sources.map { try plan($0.name) }
        return try await store.load { writing in
            var count = 0
            for (source, plan) in zip(sources, plans) {
                do {
                    count += try Self.load(source, plan, writing)
                } catch {
                    throw ImportError(set: source.name, message: "\(error)")
                }
            }
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

    private static func load(_ source: Source, _ plan: EntityPlan, _ writing: TableWriting) throws
        -> Int
    {
        let path = EntityPath(source: writing.schema.plans.source(of: plan))
        var count = 0
        var sink = EachBodySink { body in
            do {
                _ = try writing.create(body, at: path)
                count += 1
            } catch let error as EditError {
                throw PayloadRefusal(error.message)
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
        return count
    }
}

/// Why an import was refused.
package struct ImportError: Error, Equatable, CustomStringConvertible {
    package var set: String
    package var message: String

    package var description: String { "\(set): \(message)" }
}
