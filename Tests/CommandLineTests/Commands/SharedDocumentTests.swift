import Foundation
import TestSupport
import Testing

/// A line of the index of real documents.
struct IndexedDocument: Decodable, Sendable {
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

    static let all: [IndexedDocument] = {
        guard let bytes = try? SharedFolder.bytes("metadata/index.jsonl") else { return [] }
        return bytes.split(separator: 0x0A).compactMap {
            try? JSONDecoder().decode(IndexedDocument.self, from: Data($0))
        }
    }()

    /// The first members of the summary, as the command prints them.
    var json: String {
        let numbers = [
            ("schemas", schemas), ("entityTypes", entityTypes), ("complexTypes", complexTypes),
            ("enumTypes", enumTypes), ("typeDefinitions", typeDefinitions),
            ("entitySets", entitySets),
            ("singletons", singletons), ("functions", functions), ("actions", actions),
            ("functionImports", functionImports), ("actionImports", actionImports),
            ("properties", properties), ("navigationProperties", navigationProperties),
        ]
        let lines = ["\"version\": \"\(version)\""] + numbers.map { "\"\($0.0)\": \($0.1)" }
        return "{\n" + lines.map { "  \($0),\n" }.joined()
    }
}

@Suite(
    .enabled(if: SharedFolder.isPresent, "The folder '../shared' with real documents is absent.")
)
struct SharedDocumentTests {
    @Test func summarisesEveryRealDocumentAsItsIndexSays() async throws {
        #expect(IndexedDocument.all.count == 160)
        try await withThrowingTaskGroup(of: Void.self) { group in
            var waiting = IndexedDocument.all[...]
            func next() {
                guard let document = waiting.popFirst() else { return }
                group.addTask { try await check(document) }
            }
            for _ in 0..<4 { next() }
            for try await _ in group { next() }
        }
    }

    private func check(_ document: IndexedDocument) async throws {
        let path = SharedFolder.path("metadata/" + document.file)
        let outcome = try await Tool.run("metadata", "summary", path, "--json")

        #expect(outcome.status == 0, "\(document.file): \(outcome.errors)")
        #expect(outcome.output.hasPrefix(document.json), "\(document.file)")
    }
}
