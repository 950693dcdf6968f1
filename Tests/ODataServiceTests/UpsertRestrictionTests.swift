import ODataHTTP
import Testing

/// What `Capabilities.UpdateRestrictions` says of updates of what does not exist (OData 4.01 Part 1 § 11.4.4).
@Suite struct UpsertRestrictionTests {
    private static func metadata(_ restriction: String) -> String {
        """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="A"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="V" Type="Edm.Int32"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="As" EntityType="N.A">
        <Annotation Term="Org.OData.Capabilities.V1.UpdateRestrictions"><Record>\(restriction)</Record></Annotation>
        </EntitySet></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """
    }

    @Test(arguments: [
        (#"<PropertyValue Property="Upsertable" Bool="false"/>"#, "PATCH", 404),
        (#"<PropertyValue Property="Upsertable" Bool="false"/>"#, "PUT", 404),
        (#"<PropertyValue Property="Updatable" Bool="false"/>"#, "PUT", 404),
        (#"<PropertyValue Property="Upsertable" Bool="true"/>"#, "PATCH", 201),
        ("", "PUT", 201),
    ])
    func allowOrForbidACreation(_ restriction: String, _ method: String, _ status: Int)
        async throws
    {
        let service = try await TestService(
            metadata: Array(Self.metadata(restriction).utf8),
            data: [("As", Array(#"[{"ID":1,"V":1}]"#.utf8))]
        )
        let response = await service.send(method, "As(7)", [:], #"{"V":2}"#)
        #expect(response.status == status)
        let count = await service.send("GET", "As/$count")
        #expect(count.text == (status == 201 ? "2" : "1"))
    }
}
