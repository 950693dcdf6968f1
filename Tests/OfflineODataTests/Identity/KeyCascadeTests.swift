import OfflineOData
import ODataHTTP
import Testing

/// Keys that hold the key of another entity change with it, on every level.
@Suite struct KeyCascadeTests {
    private static let model = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.String" Nullable="false"/>
        <NavigationProperty Name="Lines" Type="Collection(S.Line)" Partner="Order"/></EntityType>
        <EntityType Name="Line"><Key><PropertyRef Name="OrderID"/><PropertyRef Name="No"/></Key>
        <Property Name="OrderID" Type="Edm.String" Nullable="false"/>
        <Property Name="No" Type="Edm.Int32" Nullable="false"/><Property Name="Text" Type="Edm.String"/>
        <NavigationProperty Name="Order" Type="S.Order" Nullable="false" Partner="Lines">
        <ReferentialConstraint Property="OrderID" ReferencedProperty="ID"/></NavigationProperty></EntityType>
        <EntityType Name="Note"><Key><PropertyRef Name="OrderID"/><PropertyRef Name="No"/>
        <PropertyRef Name="Page"/></Key>
        <Property Name="OrderID" Type="Edm.String" Nullable="false"/>
        <Property Name="No" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Page" Type="Edm.Int32" Nullable="false"/><Property Name="Text" Type="Edm.String"/>
        <NavigationProperty Name="Line" Type="S.Line" Nullable="false">
        <ReferentialConstraint Property="OrderID" ReferencedProperty="OrderID"/>
        <ReferentialConstraint Property="No" ReferencedProperty="No"/></NavigationProperty></EntityType>
        <EntityContainer Name="C">
        <EntitySet Name="Orders" EntityType="S.Order">
        <NavigationPropertyBinding Path="Lines" Target="Lines"/></EntitySet>
        <EntitySet Name="Lines" EntityType="S.Line">
        <NavigationPropertyBinding Path="Order" Target="Orders"/></EntitySet>
        <EntitySet Name="Notes" EntityType="S.Note">
        <NavigationPropertyBinding Path="Line" Target="Lines"/></EntitySet>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    /// The line is created by itself, or inline with its order; the service gives the order the key 'b' in place of 'a'.
    @Test(arguments: [true, false])
    func namesChildrenByTheirNewKeys(_ isInline: Bool) async throws {
        let service = try RecordedService(metadata: Self.model)
        for set in ["Orders", "Lines", "Notes"] {
            service.set("GET \(set)", RecordedService.json(#"{"value":[]}"#))
        }
        let provider = try await service.opened(["Orders", "Lines", "Notes"])
        service.set("POST $batch", HTTPResponse(status: 404))
        if isInline {
            let line = #"{"OrderID":"a","No":1,"Text":"x"}"#
            try await provider.send("POST", "Orders", "{\"ID\":\"a\",\"Lines\":[\(line)]}")
        } else {
            try await provider.send("POST", "Orders", #"{"ID":"a"}"#)
            try await provider.send("POST", "Lines", #"{"OrderID":"a","No":1,"Text":"x"}"#)
        }
        try await provider.send("PATCH", "Lines(OrderID='a',No=1)", #"{"Text":"y"}"#)
        try await provider.send("POST", "Notes", #"{"OrderID":"a","No":1,"Page":1}"#)
        try await provider.send("PATCH", "Notes(OrderID='a',No=1,Page=1)", #"{"Text":"z"}"#)
        service.set(
            "POST Orders",
            RecordedService.json(
                #"{"ID":"b","Lines":[{"OrderID":"b","No":1,"Text":"x"}]}"#,
                status: 201
            )
        )
        let told = #"{"OrderID":"b","No":1,"Text":"x"}"#
        service.set("POST Lines", RecordedService.json(told, status: 201))
        service.set(
            "POST Notes",
            RecordedService.json(#"{"OrderID":"b","No":1,"Page":1}"#, status: 201)
        )
        for url in ["Lines(OrderID='b',No=1)", "Notes(OrderID='b',No=1,Page=1)"] {
            service.set("PATCH " + url, HTTPResponse(status: 204))
        }
        service.clearLog()

        let result = try await provider.upload()

        #expect(result.failedCount == 0)
        #expect(try await provider.requestQueueIsEmpty())
        #expect(!service.requests.contains { $0.contains("'a'") }, "\(service.requests)")
        #expect(service.bodies(of: "POST Notes") == [#"{"OrderID":"b","No":1,"Page":1}"#])
        let notes = try await provider.executeQuery("Notes")
        #expect(notes.map { $0["OrderID"]?.stringValue } == ["b"])
    }
}
