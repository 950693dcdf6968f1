import ODataModel
import Testing

/// Names of properties are unique among those of a type and its base types (OData CSDL XML 4.01 §§ 7.1, 8.1).
@Suite struct RedeclaredPropertyTests {
    private static let base = #"<EntityType Name="D" BaseType="NS.A">"#
    private static let node = #"<NavigationProperty Name="N" Type="NS.A"/>"#

    @Test(arguments: [
        (#"<Property Name="P" Type="Edm.String"/><Property Name="Q" Type="Edm.String"/>"#, ["Q"]),
        (
            #"<Property Name="Q" Type="Edm.String"/><NavigationProperty Name="P" Type="NS.A"/>"#,
            ["Q"]
        ),
        (#"<Property Name="N" Type="Edm.Int32"/><Property Name="ID" Type="Edm.Int32"/>"#, []),
    ])
    func leavesOutWhatTheBaseTypeHas(_ members: String, _ kept: [String]) throws {
        // The derived type comes first, another one of the base type declares the same names.
        let document = try Documents.read(
            Documents.v4(
                Self.base + members + "</EntityType>"
                    + #"<EntityType Name="E" BaseType="NS.D"><Property Name="P" Type="Edm.Int32"/></EntityType>"#
                    + #"<EntityType Name="F" BaseType="NS.B"><Property Name="Q" Type="Edm.Int32"/></EntityType>"#
                    + Documents.entity("A", #"<Property Name="P" Type="Edm.Int32"/>"# + Self.node)
                    + Documents.entity("B")
            )
        )
        let model = document.model
        func names(_ type: String) throws -> [String] {
            let id = try #require(model.structuredType(named: type))
            return model[id].properties.map(\.name) + model[id].navigationProperties.map(\.name)
        }
        #expect(try names("NS.D") == kept)
        #expect(try names("NS.E") == [])
        #expect(try names("NS.F") == ["Q"])
        let faults = document.diagnostics.filter { $0.message.hasPrefix("The base type has") }
        #expect(faults.allSatisfy { $0.severity == .error })
        let removed = members.split(separator: "Name=\"").count - 1 - kept.count
        #expect(faults.count == removed + 1, "\(faults)")
        #expect(faults.contains { $0.path == "NS.E/P" })
    }

    @Test func leavesThemOutOfJSONToo() throws {
        let text = """
            {"$Version":"4.01","NS":{"A":{"$Kind":"EntityType","$Key":["ID"],"ID":{"$Type":"Edm.Int32"},"P":{}},
            "D":{"$Kind":"EntityType","$BaseType":"NS.A","P":{"$Type":"Edm.Int32"},"Q":{}}}}
            """
        let document = try CSDLDocument(reading: Array(text.utf8))
        let type = try #require(document.model.structuredType(named: "NS.D"))
        #expect(document.model[type].properties.map(\.name) == ["Q"])
        #expect(document.diagnostics.map(\.path) == ["NS.D/P"])
    }
}
