import ODataHTTP
import Testing

/// Changes of what a derived type declares, by a body that does not state the type (OData 4.01 Part 1 § 11.4.3).
@Suite struct DerivedChangeTests {
    private static func metadata(isOpen: Bool) -> String {
        """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Pet" OpenType="\(isOpen)"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
        <EntityType Name="Cat" BaseType="S.Pet"><Property Name="Lives" Type="Edm.Int32"/>
        <NavigationProperty Name="Friend" Type="S.Pet"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Pets" EntityType="S.Pet">
        <NavigationPropertyBinding Path="S.Cat/Friend" Target="Pets"/></EntitySet></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """
    }

    @Test(
        arguments: [true, false],
        [
            ("PATCH", "Pets(1)", #"{"Lives":8}"#), ("PUT", "Pets(1)", #"{"Lives":8}"#),
            ("PATCH", "Pets(1)/S.Cat", #"{"Lives":8}"#),
            ("PATCH", "Pets(1)", #"{"Lives":8,"Friend@odata.bind":"Pets(2)"}"#),
        ]
    )
    func changesThePropertyOfTheEntity(
        isOpen: Bool,
        change: (method: String, url: String, body: String)
    ) async throws {
        let service = try await TestService(metadata: Array(Self.metadata(isOpen: isOpen).utf8))
        for body in [##"{"@odata.type":"#S.Cat","ID":1,"Lives":7}"##, #"{"ID":2}"#] {
            #expect(await service.send("POST", "Pets", [:], body).status == 201)
        }
        let response = await service.send(change.method, change.url, [:], change.body)
        #expect(response.status == 204, "\(response.text)")
        let text = await service.get("Pets(1)").text
        #expect(text.hasSuffix(#""ID":1,"Lives":8}"#), "\(text)")
    }

    @Test func keepsADynamicPropertyOfAnotherEntityOfThatName() async throws {
        let service = try await TestService(metadata: Array(Self.metadata(isOpen: true).utf8))
        #expect(await service.send("POST", "Pets", [:], #"{"ID":1}"#).status == 201)
        #expect(await service.send("PATCH", "Pets(1)", [:], #"{"Lives":"many"}"#).status == 204)
        #expect(await service.get("Pets(1)").text.hasSuffix(#""ID":1,"Lives":"many"}"#))
    }

    /// An update through a cast that the entity is not of creates nothing (OData 4.01 Part 1 § 11.4.4).
    @Test(arguments: ["PATCH", "PUT", "DELETE"])
    func findsNoEntityOfAnotherType(_ method: String) async throws {
        let service = try await TestService(metadata: Array(Self.metadata(isOpen: false).utf8))
        #expect(await service.send("POST", "Pets", [:], #"{"ID":1}"#).status == 201)
        let response = await service.send(method, "Pets(1)/S.Cat", [:], #"{"Lives":8}"#)
        #expect(response.status == 404, "\(response.text)")
    }

    /// What replaces an entity says all of it: what its own type has to have is missed, and what it may have is reset.
    @Test(arguments: [
        (false, 400, "\"Lives\":7,\"Toys\":[\"a\"]"), (true, 204, "\"Lives\":null,\"Toys\":[]"),
    ])
    func replacesTheWholeEntity(_ isNullable: Bool, _ status: Int, _ left: String) async throws {
        let metadata = Self.metadata(isOpen: false).replacing(
            #"<Property Name="Lives" Type="Edm.Int32"/>"#,
            with: """
                <Property Name="Lives" Type="Edm.Int32" Nullable="\(isNullable)"/>
                <Property Name="Toys" Type="Collection(Edm.String)" Nullable="false"/>
                """
        )
        let service = try await TestService(metadata: Array(metadata.utf8))
        let cat = ##"{"@odata.type":"#S.Cat","ID":1,"Lives":7,"Toys":["a"]}"##
        #expect(await service.send("POST", "Pets", [:], cat).status == 201)
        #expect(await service.send("PUT", "Pets(1)", [:], "{}").status == status)
        let text = await service.get("Pets(1)").text
        #expect(text.hasSuffix("\"ID\":1,\(left)}"), "\(text)")
    }
}
