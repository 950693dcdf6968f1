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
        var sink = ImportSink(writing: writing, source: writing.schema.plans.source(of: plan))
        var reader = PayloadReader(
            model: writing.schema.model,
            plan: plan,
            plans: writing.schema.plans
        )
        let isArray = source.json.first { $0 > 0x20 } == UInt8(ascii: "[")
        if isArray { try reader.feed(Array("{\"value\":".utf8).span, into: &sink) }
        try reader.feed(source.json.span, into: &sink)
        if isArray { try reader.feed(Array("}".utf8).span, into: &sink) }
        _ = try reader.finish()
        return sink.count
    }
}

/// Why an import was refused.
package struct ImportError: Error, Equatable, CustomStringConvertible {
    package var set: String
    package var message: String

    package var description: String { "\(set): \(message)" }
}

/// Creates each entity of the top level as soon as it is complete, so that memory does not grow with the file.
private struct ImportSink: EntitySink {
    let writing: TableWriting
    let source: NavigationSource
    var count = 0
    private var collector = EntityBodyCollector()
    private var depth = 0

    init(writing: TableWriting, source: NavigationSource) {
        self.writing = writing
        self.source = source
    }

    mutating func beginEntity(_ plan: EntityPlan) {
        depth += 1
        collector.beginEntity(plan)
    }

    mutating func endEntity() throws {
        depth -= 1
        collector.endEntity()
        guard depth == 0 else { return }
        for body in collector.entities {
            _ = try writing.create(body, at: EntityPath(source: source))
        }
        count += collector.entities.count
        collector = EntityBodyCollector()
    }

    mutating func type(_ plan: EntityPlan) { collector.type(plan) }
    mutating func null(_ slot: Int) { collector.null(slot) }
    mutating func integer(_ value: Int64, _ slot: Int) { collector.integer(value, slot) }
    mutating func real(_ value: Double, _ slot: Int) { collector.real(value, slot) }
    mutating func text(_ value: Span<UInt8>, _ slot: Int) { collector.text(value, slot) }
    mutating func blob(_ value: Span<UInt8>, _ slot: Int) { collector.blob(value, slot) }
    mutating func exact(_ text: Span<UInt8>, _ slot: Int) { collector.exact(text, slot) }
    mutating func undeclared(_ name: Span<UInt8>, _ json: Span<UInt8>) {
        collector.undeclared(name, json)
    }
    mutating func control(_ information: EntityControl, _ value: Span<UInt8>) {
        collector.control(information, value)
    }
    mutating func bind(_ navigation: NavigationPropertyID, to reference: Span<UInt8>) {
        collector.bind(navigation, to: reference)
    }
    mutating func beginNavigation(_ navigation: NavigationPropertyID, isDelta: Bool) {
        collector.beginNavigation(navigation, isDelta: isDelta)
    }
    mutating func endNavigation(_ navigation: NavigationPropertyID, nextLink: String?) {
        collector.endNavigation(navigation, nextLink: nextLink)
    }
    mutating func removed(id: Span<UInt8>, reason: RemovalReason) {}
    mutating func link(_ change: LinkChange) {}
}
