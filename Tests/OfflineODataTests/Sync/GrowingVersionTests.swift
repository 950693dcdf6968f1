import ODataHTTP
import OfflineOData
import Testing

/// A newer version of an entity that comes in parts: each part adds to what came before.
@Suite struct GrowingVersionTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
        <Property Name="Qty" Type="Edm.Int32"/><Property Name="Note" Type="Edm.String"/>
        <NavigationProperty Name="Boss" Type="N.Item"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Items" EntityType="N.Item">
        <NavigationPropertyBinding Path="Boss" Target="Items"/></EntitySet>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private static func page(_ version: Int?, _ values: String, next: Int) -> HTTPResponse {
        let etag = version.map { "\"@odata.etag\":\"W/\\\"\($0)\\\"\"," } ?? ""
        return RecordedService.json(
            "{\"value\":[{\(etag)\"ID\":1\(values)}],\"@odata.deltaLink\":\"Items?d=\(next)\"}"
        )
    }

    /// The later delta says nothing of what the earlier one has brought.
    @Test(
        arguments: [true, false],
        [(#","Name":"theirs""#, "theirs"), ("", "a"), (#","Note":"n""#, "a")]
    )
    func keepsWhatAnEarlierDeltaHasBrought(
        _ hasETags: Bool,
        _ later: (values: String, name: String)
    ) async throws {
        let service = try RecordedService(metadata: Self.metadata)
        let first = Self.page(hasETags ? 1 : nil, #","Name":"a","Qty":10"#, next: 1)
        service.set("GET Items", first)
        service.set("GET Items?d=1", Self.page(hasETags ? 2 : nil, #","Qty":77"#, next: 2))
        service.set("GET Items?d=2", Self.page(hasETags ? 3 : nil, later.values, next: 3))
        let provider = try await service.opened(["Items"])
        try await provider.send("PATCH", "Items(1)", #"{"Qty":11}"#)

        try await provider.download()
        try await provider.download()

        let server = try await provider.conflict(for: "Items(1)").server
        #expect(server?["Qty"] == .integer(77))
        #expect(server?["Name"] == .string(later.name))
        try await provider.undoPendingChanges("Items(1)")
        let item = try await provider.executeQuery("Items(1)").first
        #expect(item?["Qty"] == .integer(77))
        #expect(item?["Name"] == .string(later.name))
    }

    /// An entity stands at the top with all its properties, and inside of another with some, before or after.
    @Test(arguments: [true, false])
    func takesAllThatOneAnswerSays(_ isFirst: Bool) async throws {
        let query = "Items?$expand=Boss($select=ID,Name)"
        let whole = #"{"@odata.etag":"W/\"1\"","ID":1,"Name":"a","Qty":10,"Boss":null}"#
        let other = #"{"ID":2,"Name":"b","Qty":20,"Boss":{"ID":1,"Name":"a"}}"#
        let list = (isFirst ? [whole, other] : [other, whole]).joined(separator: ",")
        let service = try RecordedService(metadata: Self.metadata)
        service.set("GET \(query)", RecordedService.json("{\"value\":[\(list)]}"))
        let provider = try await service.opened([query])

        let item = try await provider.executeQuery("Items(1)").first
        #expect(item?["Qty"] == .integer(10))
        #expect(item?.etag == #"W/"1""#)

        let newer = list.replacing("10", with: "11").replacing(#"\"1\""#, with: #"\"2\""#)
        service.set("GET \(query)", RecordedService.json("{\"value\":[\(newer)]}"))
        try await provider.download()
        let renewed = try await provider.executeQuery("Items(1)").first
        #expect(renewed?["Qty"] == .integer(11))
        #expect(renewed?.etag == #"W/"2""#)
    }
}
