import ODataModel
import Testing

/// The reader keeps what the attributes of an element stood for when it came last: each element here differs from the one before.
@Suite struct AttributeRowTests {
    @Test(arguments: [
        // As the one before, but for the order.
        #"Type="Edm.String" Name="P" Nullable="false""#,
        #"Nullable="false" Type="Edm.String" Name="P""#,
        // More and fewer.
        #"Name="P" Type="Edm.String" Nullable="false" Unicode="true""#,
        // Others of the same count.
        #"Name="P" MaxLength="9" Type="Edm.String" Nullable="false""#,
        // With one that is not known, and with one in another namespace.
        #"Name="P" Type="Edm.String" Nullable="false" Colour="red""#,
        #"Name="P" Type="Edm.String" Nullable="false" x:Colour="red""#,
    ])
    func readsEachElementByItsOwnAttributes(_ attributes: String) throws {
        let document = try Documents.read(
            Documents.v4(
                """
                <EntityType Name="Order" xmlns:x="http://example.com/x">
                <Property Name="Before" Type="Edm.Int32" Nullable="true"/>
                <Property \(attributes)/>
                <Property Name="Behind" Type="Edm.Guid" Nullable="true"/></EntityType>
                """
            )
        )

        let property = try #require(document.property("P"))
        #expect(property.type.type == .primitive(.string))
        #expect(!property.isNullable)
        #expect(property.type.facets.maxLength == (attributes.contains("9") ? .length(9) : nil))
        #expect(property.type.facets.isUnicode == (attributes.contains("Uni") ? true : nil))
        #expect(document.property("Before")?.type.type == .primitive(.int32))
        #expect(document.property("Behind")?.type.type == .primitive(.guid))
        #expect(document.property("Behind")?.isNullable == true)
        #expect(document.property("Behind")?.type.facets == Facets())
    }

    @Test func takesAPrefixForWhatItIsBoundToAtEachElement() throws {
        let document = try Documents.read(
            Documents.v2(
                """
                <EntityType Name="Order" xmlns:p="http://www.sap.com/Protocols/SAPData">
                <Property Name="A" Type="Edm.String" p:label="one"/>
                <Property Name="B" Type="Edm.String" p:label="two" xmlns:p="http://example.com/x"/>
                <Property Name="C" Type="Edm.String" p:label="three"/></EntityType>
                """
            )
        )

        let terms = ["A", "B", "C"].map { document.property($0)?.annotations.map(\.term) }
        #expect(terms == [["sap:label"], ["p:label"], ["sap:label"]])
    }

    @Test func warnsOfEachUnknownAttribute() throws {
        let document = try Documents.read(
            Documents.v4(
                """
                <EntityType Name="Order">
                <Property Name="A" Type="Edm.String" Colour="red"/>
                <Property Name="B" Type="Edm.String" Colour="red"/>
                <Property Name="C" Type="Edm.String"/></EntityType>
                """
            )
        )

        let warnings = document.diagnostics.filter { $0.message.contains("'Colour'") }
        #expect(warnings.map(\.path) == ["NS.Order/A", "NS.Order/B"])
    }
}
