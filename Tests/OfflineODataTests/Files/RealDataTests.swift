import ODataModel
import OfflineOData
import TestSupport
import Testing

private let documents = TestScale.sample(
    SharedFolder.names(in: "metadata").filter { $0.hasSuffix(".xml") },
    of: 40
)

/// Generated entities of real documents are the same after an export and an import.
@Suite(
    .enabled(if: SharedFolder.isPresent, "The folder '../shared' with real documents is absent.")
)
struct RealDataTests {
    @Test(arguments: documents)
    func bringsBackWhatWasExported(_ document: String) async throws {
        let metadata = try SharedFolder.bytes("metadata/" + document)
        let model = try CSDLDocument(reading: metadata).model
        let first = try DataCopy()
        try await first.provider.importData([], metadata: metadata)
        var count = 0
        for set in Self.sets(of: model) {
            let entities = Self.entities(of: set, model).joined(separator: ",")
            let file = OfflineODataDataFile(
                entitySet: set.name,
                json: Array(
                    (model.version.isV4 ? "[\(entities)]" : #"{"d":{"results":[\#(entities)]}}"#)
                        .utf8
                )
            )
            // Some samples break a rule of their model, such as that of a length.
            count += (try? await first.provider.importData([file])) ?? 0
        }
        let copy = try await DataCopy(of: first.provider)
        let texts = try await DataCopy.text(of: first.provider)
        #expect(texts.isEmpty == (count == 0))
        #expect(try await DataCopy.text(of: copy.provider) == texts)
    }

    /// Sets whose names can stand in a URL, of types with a key.
    private static func sets(of model: EdmModel) -> [EntitySet] {
        let sets = model.container.entitySets.filter {
            !$0.name.contains("/") && !model.key(of: $0.type).isEmpty
        }
        return TestScale.sample(sets, of: 6)
    }

    private static func entities(of set: EntitySet, _ model: EdmModel) -> [String] {
        var samples = EntitySamples(model)
        let types = model.hierarchy(below: set.type).filter { !model[$0].isAbstract }
        guard let type = types.last else { return [] }
        return [EntitySamples.Style.lowest, .highest].map {
            samples.entity(type, $0, declared: set.type)
        }
    }
}
