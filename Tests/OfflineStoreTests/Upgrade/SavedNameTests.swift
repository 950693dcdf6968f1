import TestSupport
import Testing

@testable import StoreDownload
@testable import StoreUpgrade

/// Names of columns and codes of types that an upgrade has chosen stay in the file: another order in a later document changes none.
@Suite struct SavedNameTests {
    private static func document(_ properties: [String], _ types: [String] = []) -> [UInt8] {
        SmallDocument.items(
            properties.map { "<Property Name=\"\($0)\" Type=\"Edm.String\"/>" }.joined(),
            types: types.map { "<EntityType Name=\"\($0)\" BaseType=\"T.Item\"/>" }.joined()
        )
    }

    /// Columns are equal for SQLite where names differ in case only.
    @Test func keepsTheColumnsOfNamesThatDifferInCase() async throws {
        let store = try FilledStore(Self.document(["Name"]))
        try await store.load("Items", [#"{"ID":1,"Name":"a"}"#])
        try await store.store.upgrade(to: Self.document(["Name", "NAME"]))
        try await store.reload("Items", [#"{"ID":1,"Name":"a","NAME":"b"}"#])
        try await store.store.upgrade(to: Self.document(["name", "NAME", "Name"]))
        try await store.reload("Items", [#"{"ID":1,"Name":"a","NAME":"b","name":"c"}"#])

        let entity = try #require(try FilledStore(opening: store).entities("Items").first)
        #expect(["Name", "NAME", "name"].map { entity[$0]?.text } == ["'a'", "'b'", "'c'"])
    }

    @Test func keepsTheTypesOfRows() async throws {
        let store = try FilledStore(Self.document([]))
        try await store.load("Items", [#"{"ID":1}"#])
        try await store.store.upgrade(to: Self.document([], ["B"]))
        try await store.reload("Items", [##"{"ID":1,"@odata.type":"#T.B"}"##])
        try await store.store.upgrade(to: Self.document([], ["A", "B"]))

        let entity = try #require(try FilledStore(opening: store).entities("Items").first)
        #expect(entity["@odata.type"]?.text == "'#T.B'")
    }
}
