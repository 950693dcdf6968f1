@testable import StoreDownload
@testable import StoreUpgrade
@testable import StoreRecords
import TestSupport
import Testing

/// Operations that a new model takes away: nothing that a store keeps, but for the calls in its queue.
@Suite struct OperationUpgradeTests {
    private static func document(_ operations: String, _ imports: String = "") -> [UInt8] {
        Array(
            """
            <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
            <edmx:DataServices><Schema Namespace="T" xmlns="http://docs.oasis-open.org/odata/ns/edm">
            <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>\(operations)
            <EntityContainer Name="C"><EntitySet Name="Items" EntityType="T.Item"/>\(imports)</EntityContainer>
            </Schema></edmx:DataServices></edmx:Edmx>
            """.utf8
        )
    }

    private static let close =
        #"<Action Name="Close" IsBound="true"><Parameter Name="i" Type="T.Item"/></Action>"#
    private static let closeAll =
        #"<Action Name="Close" IsBound="true"><Parameter Name="i" Type="Collection(T.Item)"/></Action>"#
    private static let reset = #"<Action Name="Reset"/>"#
    private static let resetImport = #"<ActionImport Name="DoReset" Action="T.Reset"/>"#
    private static let old = document(close + closeAll + reset, resetImport)

    private func filled(calling url: String? = nil) async throws -> FilledStore {
        let store = try FilledStore(Self.old)
        try await store.load("Items", [#"{"ID":1}"#])
        if let url { try store.call(url) }
        return store
    }

    @Test(arguments: [
        NamedBytes("no operations", document("")),
        NamedBytes("Close of one item", document(close)),
        NamedBytes("all but Close of one item", document(closeAll + reset, resetImport)),
        NamedBytes(
            "Close with a result",
            document(
                #"<Action Name="Close" IsBound="true"><Parameter Name="i" Type="T.Item"/><ReturnType Type="Edm.Int32"/></Action>"#
            )
        ),
    ])
    func upgradesOverOperationsThatNothingCalls(_ new: NamedBytes) async throws {
        let store = try await filled()

        try await store.store.upgrade(to: new.bytes)

        #expect(try store.entities("Items").count == 1)
        #expect(try store.faults() == "ok")
    }

    @Test(arguments: [
        (
            "Items(1)/T.Close",
            NamedBytes("all but Close of one item", document(closeAll + reset, resetImport)),
            "T.Close: action removed"
        ),
        (
            "Items/T.Close",
            NamedBytes("all but Close of all items", document(close + reset, resetImport)),
            "T.Close: action removed"
        ),
        (
            "DoReset", NamedBytes("all but DoReset", document(close + closeAll + reset)),
            "T.C/DoReset: actionImport removed"
        ),
    ])
    func refusesToLoseTheOperationOfAWaitingCall(
        _ url: String,
        _ new: NamedBytes,
        _ reason: String
    ) async throws {
        let store = try await filled(calling: url)
        let before = try store.dump()

        let error = await #expect(throws: StoreError.self) {
            try await store.store.upgrade(to: new.bytes)
        }

        #expect(error?.code == .incompatibleSchema)
        #expect(error?.details.first?.hasPrefix(reason) == true)
        #expect(error?.details.count == 2)
        #expect(error?.details.last?.hasSuffix("is affected: POST " + url) == true)
        #expect(try store.dump() == before)
    }

    /// Another overload, another operation: the waiting call still goes through.
    @Test(arguments: [
        ("Items(1)/T.Close", NamedBytes("Close of one item", document(close))),
        ("Items/T.Close", NamedBytes("Close of all items", document(closeAll))),
        ("DoReset", NamedBytes("DoReset", document(reset, resetImport))),
    ])
    func upgradesWhereTheCalledOperationStays(_ url: String, _ new: NamedBytes) async throws {
        let store = try await filled(calling: url)

        try await store.store.upgrade(to: new.bytes)

        #expect(try store.faults() == "ok")
    }
}
