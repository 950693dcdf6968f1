import ODataModel
import Testing

/// What the index says of a real document.
struct IndexedDocument: Decodable, Sendable, CustomTestStringConvertible {
    var file: String
    var version: String
    var schemas: Int
    var entityTypes: Int
    var complexTypes: Int
    var enumTypes: Int
    var typeDefinitions: Int
    var entitySets: Int
    var singletons: Int
    var functions: Int
    var actions: Int
    var functionImports: Int
    var actionImports: Int
    var properties: Int
    var navigationProperties: Int

    static let all = SharedData.lines(of: "metadata/index.jsonl", as: IndexedDocument.self)

    var testDescription: String { file }

    var counts: CSDLCounts {
        var counts = CSDLCounts()
        counts.schemas = schemas
        counts.entityTypes = entityTypes
        counts.complexTypes = complexTypes
        counts.enumTypes = enumTypes
        counts.typeDefinitions = typeDefinitions
        counts.entitySets = entitySets
        counts.singletons = singletons
        counts.functions = functions
        counts.actions = actions
        counts.functionImports = functionImports
        counts.actionImports = actionImports
        counts.properties = properties
        counts.navigationProperties = navigationProperties
        return counts
    }
}

@Suite(.enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.absence)))
struct RealDocumentTests {
    @Test(arguments: IndexedDocument.all)
    func hasTheCountsOfTheIndex(_ expected: IndexedDocument) throws {
        let document = try SharedData.document("metadata/" + expected.file)

        #expect(document.counts == expected.counts)
        #expect(document.model.version.rawValue == expected.version)
    }

    @Test func findsTheIndex() {
        #expect(IndexedDocument.all.count == 160)
    }
}
