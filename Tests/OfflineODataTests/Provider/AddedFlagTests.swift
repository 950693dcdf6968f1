import OfflineOData
import ODataHTTP
import Testing

/// Members of a combined enumeration that the service has added since the application was built.
@Suite struct AddedFlagTests {
    private struct Rights: ODataFlags {
        static let odataType = "S.Rights"
        static let odataMembers: [(name: String, value: Int64)] = [("Read", 1), ("Write", 2)]
        static let write = Self(rawValue: 2)
        var rawValue: Int64
    }

    private struct Item: Codable {
        var ID: Int
        var Name: String?
        var Rights: Rights
        var Shared: [Rights]
    }

    private static let metadata = """
        <edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.0"><edmx:DataServices>
        <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="S">
          <EnumType Name="Rights" IsFlags="true"><Member Name="Read" Value="1"/><Member Name="Write" Value="2"/>
            <Member Name="Share" Value="4"/></EnumType>
          <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
            <Property Name="Rights" Type="S.Rights" Nullable="false"/>
            <Property Name="Shared" Type="Collection(S.Rights)" Nullable="false"/></EntityType>
          <EntityContainer Name="C"><EntitySet Name="Items" EntityType="S.Item"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private func read(_ provider: OfflineODataProvider) async throws -> EntityValue {
        try #require(try await provider.executeQuery("Items").first)
    }

    /// They are the bits that the store's model says, and stay in a value that is changed.
    @Test func areBitsOfTheirOwn() async throws {
        let service = try RecordedService(metadata: Self.metadata)
        service.set(
            "GET Items",
            RecordedService.json(
                #"{"value":[{"ID":1,"Rights":"Read,Share","Shared":["Share","Write"]}]}"#
            )
        )
        let provider = try await service.opened(["Items"])
        var entity = try await read(provider)
        var item = try entity.decode(Item.self)
        #expect(item.Rights.rawValue == 5)
        #expect(item.Shared.map(\.rawValue) == [4, 2])
        item.Name = "x"
        try await provider.update(entity, with: item)
        entity = try await read(provider)
        #expect(entity["Rights"] == "Read,Share")
        #expect(try await provider.requestQueue().map(\.body) == [#"{"Name":"x"}"#])
        item.Rights.insert(.write)
        try await provider.update(entity, with: item)
        #expect(try await read(provider)["Rights"] == "Read,Write,Share")
    }

    /// A value that was read from no store has no model to ask.
    @Test func areUnknownWithoutAModel() {
        let entity = EntityValue(
            entitySet: "Items",
            ["ID": 1, "Rights": "Share", "Shared": .collection([])]
        )
        #expect(throws: DecodingError.self) { try entity.decode(Item.self) }
    }
}
