import ODataModel
import Testing

@Suite struct LeniencyTests {
    @Test(arguments: [
        (
            #"<ComplexType Name="T"><Property Name="P" Type="Edm.Int32" Nullable="False"/></ComplexType>"#,
            CSDLDiagnostic.Severity.warning, "NS.T"
        ),
        (
            #"<ComplexType Name="T"><Property Name="P" Type="Edm.Int32" Nulable="false"/></ComplexType>"#,
            .warning, "NS.T/P"
        ),
        (
            #"<ComplexType Name="T"><Property Name="P" Type="Edm.String" MaxLength="ten"/></ComplexType>"#,
            .warning, "NS.T"
        ),
        (
            #"<ComplexType Name="T"><Property Name="P" Type="Edm.Decimal" Scale="-1"/></ComplexType>"#,
            .warning, "NS.T"
        ),
        (
            #"<ComplexType Name="T"><Property Name="P" Type="NS.No"/></ComplexType>"#, .error,
            "NS.T/P"
        ),
        (
            #"<ComplexType Name="T"><Property Name="P" Type="Edm.Float"/></ComplexType>"#, .error,
            "NS.T/P"
        ),
        (
            #"<ComplexType Name="T"><Property Name="P" Type="Edm.Int32"/><Property Name="P" Type="Edm.Guid"/></ComplexType>"#,
            .error, "NS.T/P"
        ),
        (
            #"<ComplexType Name="T"><NavigationProperty Name="P" Type="Edm.Int32"/></ComplexType>"#,
            .error, "NS.T/P"
        ),
        (#"<ComplexType Name="T"/><ComplexType Name="T"/>"#, .error, "NS.T"),
        (#"<ComplexType Name="T" BaseType="NS.T"/>"#, .error, "NS.T"),
        (
            #"<ComplexType Name="T" BaseType="NS.U"/><ComplexType Name="U" BaseType="NS.T"/>"#,
            .error, "NS.U"
        ),
        (#"<ComplexType Name="T" BaseType="NS.E"/><EntityType Name="E"/>"#, .error, "NS.T"),
        (#"<ComplexType Name="T" BaseType="NS.No"/>"#, .error, "NS.T"),
        (#"<EntityType Name="T"><Key><PropertyRef Name="No"/></Key></EntityType>"#, .error, "NS.T"),
        (
            #"<EnumType Name="T"><Member Name="A" Value="99999999999999999999"/></EnumType>"#,
            .error, "NS.T"
        ),
        (#"<EnumType Name="T"><Member Name="A"/><Member Name="A"/></EnumType>"#, .error, "NS.T/A"),
        (#"<EnumType Name="T" UnderlyingType="Edm.String"/>"#, .error, "NS.T"),
        (#"<ComplexType Name="T" x:y="1"/>"#, .error, "NS.T"),
        (#"<ComplexType Name="T"><Foo/></ComplexType>"#, .warning, "NS.T"),
        (#"<ComplexType Name="T"><EntitySet/></ComplexType>"#, .warning, "NS.T"),
        (#"<ComplexType xmlns="" Name="T"/>"#, .warning, "NS"),
    ])
    func reportsOneDiagnosticForAFaultyElement(
        _ schema: String,
        _ severity: CSDLDiagnostic.Severity,
        _ path: String
    ) throws {
        let document = try Documents.read(Documents.v4(schema))

        #expect(document.diagnostics.count == 1, "\(document.diagnostics)")
        #expect(document.diagnostics.first?.severity == severity)
        #expect(document.diagnostics.first?.path == path)
        #expect(document.diagnostics.first?.line == 4)
    }

    @Test func keepsTheFirstOfTwoProperties() throws {
        let document = try Documents.read(
            Documents.v4(
                Documents.entity(
                    "Order",
                    """
                    <Property Name="P" Type="Edm.Int32"/><Property Name="P" Type="Edm.Guid"/>
                    <NavigationProperty Name="P" Type="NS.Order"/>
                    <NavigationProperty Name="N" Type="NS.Order"/>
                    """
                )
            )
        )

        #expect(document.property("P")?.type.type == .primitive(.int32))
        #expect(document.type("NS.Order")?.properties.map(\.name) == ["ID", "P"])
        #expect(document.type("NS.Order")?.navigationProperties.map(\.name) == ["N"])
        #expect(document.counts.properties == 3)
    }

    @Test func leavesElementsOfOtherNamespacesAlone() throws {
        let document = try Documents.read(
            Documents.v4(#"<x:Thing xmlns:x="urn:x"><x:Part a="1"/>text</x:Thing>"#)
        )

        #expect(document.diagnostics.isEmpty)
    }

    @Test func readsBehindByteOrderMarkAndWhiteSpace() throws {
        let text = "\u{FEFF}\n\n" + Documents.v4("<Foo/>")
        let document = try Documents.read(text)

        #expect(document.diagnostics.map(\.line) == [6])
    }

    @Test func readsUTF16() throws {
        let text =
            "<?xml version='1.0' encoding='UTF-16'?>" + Documents.v4(Documents.entity("Größe"))
        var bytes: [UInt8] = [0xFF, 0xFE]
        for unit in text.utf16 { bytes += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        let document = try CSDLDocument(reading: bytes)

        #expect(document.model.structuredTypes.map(\.name) == ["NS.Größe"])
    }

    @Test func leavesOutSetsOfUnknownTypes() throws {
        let document = try Documents.read(
            Documents.v4(
                """
                \(Documents.entity("Order"))
                <EntityContainer Name="C"><EntitySet Name="A" EntityType="NS.Order"/>
                <EntitySet Name="B" EntityType="NS.No"/></EntityContainer>
                """
            )
        )

        #expect(document.model.container.entitySets.map(\.name) == ["A"])
        #expect(document.diagnostics.map(\.severity) == [.error, .error])
    }
}
