import ODataModelComparison
@testable import StoreRecords
import ODataSQL
import ODataBinding
@testable import StoreDownload
@testable import StoreUpgrade
import ODataModel
import ODataAnswers
import ODataTables
import TestSupport
import Testing

@testable import OfflineStore

private let pairs = SharedFolder.names(in: "metadata-pairs").filter { !$0.contains(".") }

/// Two metadata documents of one service, the second later.
private struct MetadataPair {
    let old: [UInt8]
    let new: [UInt8]
    let oldModel: EdmModel
    let newModel: EdmModel

    init(_ name: String) throws {
        old = try SharedFolder.bytes("metadata-pairs/\(name)/old.xml")
        new = try SharedFolder.bytes("metadata-pairs/\(name)/new.xml")
        oldModel = try CSDLDocument(reading: old).model
        newModel = try CSDLDocument(reading: new).model
    }

    var isCompatible: Bool {
        ModelComparison(from: oldModel, to: newModel).verdict != .incompatible
    }

    /// Sets to fill: those that differ first.
    var sets: [String] {
        let all = oldModel.container.entitySets.filter { set in
            // A set whose name is no identifier cannot be asked for.
            !set.name.contains("/") && !oldModel.key(of: set.type).isEmpty
                && oldModel.hierarchy(below: set.type).contains { !oldModel[$0].isAbstract }
        }
        let changed = all.filter { hasNewProperties($0.name) }.map(\.name)
        let rest = all.map(\.name).filter { !changed.contains($0) }
        return Array((TestScale.sample(changed, of: 3) + TestScale.sample(rest, of: 1)).prefix(60))
    }

    func hasNewProperties(_ set: String) -> Bool {
        guard let before = oldModel.container.entitySets.first(where: { $0.name == set }),
            let after = newModel.container.entitySets.first(where: { $0.name == set })
        else { return false }
        let names = Set(
            oldModel.hierarchy(below: before.type).flatMap {
                oldModel.properties(of: $0).map(\.name)
            }
        )
        return newModel.hierarchy(below: after.type)
            .filter { oldModel.structuredType(named: newModel[$0].name) != nil }
            .contains { newModel.properties(of: $0).contains { !names.contains($0.name) } }
    }

    /// Entities of a set with every property of a model.
    static func entities(_ set: String, _ model: EdmModel) -> [String] {
        guard let declared = model.container.entitySets.first(where: { $0.name == set })?.type
        else { return [] }
        var samples = EntitySamples(model)
        let type = model.hierarchy(below: declared).first { !model[$0].isAbstract } ?? declared
        // An enumeration member that the model does not know is no key.
        let keys = Set(model.key(of: type).map(\.name))
        let hasEnumKey = model.properties(of: type).contains { property in
            if keys.contains(property.name), case .enumeration = property.type.type {
                true
            } else {
                false
            }
        }
        let styles: [EntitySamples.Style] =
            hasEnumKey ? [.lowest, .highest] : [.lowest, .highest, .odd]
        return styles.map { samples.entity(type, $0, declared: declared) }
    }
}

/// Upgrades of stores that hold something, over real pairs of documents.
@Suite(
    .enabled(if: SharedFolder.isPresent, "The folder '../shared' with real documents is absent.")
)
struct UpgradePairTests {
    @Test func findsThePairs() {
        #expect(pairs.count == 35)
    }

    @Test(arguments: pairs)
    func upgradesWhatFitsAndRefusesTheRest(_ name: String) async throws {
        let pair = try MetadataPair(name)
        let store = try FilledStore(pair.old)
        for set in pair.sets {
            try await store.load(set, MetadataPair.entities(set, pair.oldModel))
        }
        try change(store, pair)
        if pair.isCompatible {
            try await upgrades(store, pair)
        } else {
            try await refuses(store, pair)
        }
    }

    /// Changes one entity of each set, so that there are base copies and waiting requests.
    ///
    /// Values at the end of a range break the facets of some documents: then the lowest are taken, and sets that cannot be changed are
    /// left alone.
    private func change(_ store: FilledStore, _ pair: MetadataPair) throws {
        for set in pair.sets {
            for style in [EntitySamples.Style.highest, .lowest] {
                do {
                    try change(store, set, style)
                    break
                } catch let error as EditError where [.invalid, .notAllowed].contains(error.code) {
                    continue
                }
            }
        }
    }

    private func change(_ store: FilledStore, _ set: String, _ style: EntitySamples.Style) throws {
        try store.store.changeBlocking(ChangeOptions()) { writing in
            let model = writing.schema.model
            let source = try #require(model.navigationSource(named: set))
            guard let table = writing.schema.layout[source],
                let plan = writing.schema.plans.plan(for: source),
                let row = try writing.query().rows(EntityPath(source: source)).first,
                let key = try RowEditor(writing.query().connection, layout: writing.schema.layout)
                    .key(
                        of: row.row,
                        in: table
                    )
            else { return }
            let fixed = Set(
                model.properties(of: table.entityType)
                    .filter { $0.isComputed || $0.isImmutable || $0.isReadOnly }.map(\.name)
            )
            var samples = EntitySamples(model)
            let keys = model.key(of: table.entityType).map(\.path)
            let text = samples.entity(table.entityType, style, declared: table.entityType) {
                name in
                fixed.contains(name) || keys.contains { $0.hasPrefix(name) }
            }
            let enveloped = model.version.isV4 ? text : "{\"d\":\(text)}"
            let body = try #require(
                try EntityBodyReader.read(Array(enveloped.utf8), plan: plan, in: writing.schema)
            )
            _ = try writing.update(
                body,
                at: EntityPath(source: source, steps: [.key(key)]),
                isReplacing: false,
                precondition: .none
            )
        }
    }

    private func upgrades(_ store: FilledStore, _ pair: MetadataPair) async throws {
        let before = try Dictionary(
            uniqueKeysWithValues: pair.sets.map { ($0, try store.entities($0)) }
        )
        let queue = try store.dump(of: "$queue%")
        let copies = try store.dump(of: "$base:%").count

        try await store.store.upgrade(to: pair.new)

        #expect(try store.dump(of: "$queue%") == queue)
        #expect(try store.dump(of: "$base:%").count == copies)
        #expect(try store.faults() == "ok")
        for set in pair.sets {
            let old = try #require(before[set])
            let difference = JSONValue.array(old).difference(
                to: .array(try store.entities(set)),
                at: set
            )
            #expect(difference == nil)
            if pair.hasNewProperties(set) {
                #expect(try store.query(set).deltaLink == nil, "\(set) keeps its delta link")
                #expect(try store.query(set).needsFullRead)
            }
        }
        try await equalsAStoreOfTheNewModel(pair)
    }

    /// After a full read nothing tells an upgraded store from one that was made from the new document.
    private func equalsAStoreOfTheNewModel(_ pair: MetadataPair) async throws {
        let upgraded = try FilledStore(pair.old)
        let made = try FilledStore(pair.new)
        for set in pair.sets {
            try await upgraded.load(set, MetadataPair.entities(set, pair.oldModel))
            try await made.load(set, MetadataPair.entities(set, pair.newModel))
        }
        try await upgraded.store.upgrade(to: pair.new)
        for set in pair.sets {
            try await upgraded.reload(set, MetadataPair.entities(set, pair.newModel))
            let difference = JSONValue.array(try upgraded.entities(set))
                .difference(to: .array(try made.entities(set)), at: set)
            #expect(difference == nil)
        }
    }

    private func refuses(_ store: FilledStore, _ pair: MetadataPair) async throws {
        let before = try store.dump()

        let error = await #expect(throws: StoreError.self) {
            try await store.store.upgrade(to: pair.new)
        }

        #expect(error?.code == .incompatibleSchema)
        #expect(error?.details.isEmpty == false)
        #expect(try store.dump() == before)
    }
}
