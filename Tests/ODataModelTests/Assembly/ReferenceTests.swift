import ODataModel
import Testing

private let reference = """
    <edmx:Reference Uri="base.xml"><edmx:Include Namespace="Base" Alias="B"/></edmx:Reference>
    """

private let base = """
    <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
    <Schema Namespace="Base" xmlns="http://docs.oasis-open.org/odata/ns/edm">
    <EntityType Name="Thing" OpenType="true"><Key><PropertyRef Name="ID"/></Key>
    <Property Name="ID" Type="Edm.Guid"/></EntityType>
    <EntityContainer Name="Basis"><EntitySet Name="Things" EntityType="Base.Thing"/></EntityContainer>
    </Schema></edmx:DataServices></edmx:Edmx>
    """

private let main = Documents.v4(
    """
    <EntityType Name="Order" BaseType="B.Thing"/>
    <EntityContainer Name="C" Extends="B.Basis"><EntitySet Name="Orders" EntityType="NS.Order"/></EntityContainer>
    """,
    references: reference
)

@Suite struct ReferenceTests {
    @Test func warnsOfDocumentsThatAreNotAtHand() throws {
        let document = try Documents.read(main)

        #expect(document.references.map(\.uri) == ["base.xml"])
        #expect(document.references[0].includes == [EdmModel.Schema(namespace: "Base", alias: "B")])
        #expect(document.diagnostics.allSatisfy { $0.severity == .warning })
        #expect(document.diagnostics.map(\.line).contains(4))
        #expect(document.model.container.entitySets.map(\.name) == ["Orders"])
    }

    @Test func resolvesFromOtherDocuments() throws {
        var asked: [String] = []
        let document = try Documents.read(main) { reference in
            asked.append(reference.uri)
            return Array(base.utf8)
        }

        #expect(asked == ["base.xml"])
        #expect(document.diagnostics.isEmpty)
        let order = try #require(document.model.structuredType(named: "NS.Order"))
        #expect(document.model.key(of: order).map(\.path) == ["ID"])
        #expect(document.model[order].isOpen)
        #expect(document.model.container.name == "NS.C")
        #expect(document.model.container.entitySets.map(\.name) == ["Things", "Orders"])
        #expect(document.counts.entityTypes == 1)
        #expect(document.counts.schemas == 1)
        #expect(document.model.structuredType(named: "B.Thing") != nil)
    }

    @Test func followsReferencesOfReferencesOnce() throws {
        let loop = base.replacing(
            "<edmx:DataServices>",
            with:
                #"<edmx:Reference Uri="base.xml"/><edmx:Reference Uri="main.xml"/><edmx:DataServices>"#
        )
        var asked: [String] = []
        _ = try Documents.read(main) { reference in
            asked.append(reference.uri)
            return reference.uri == "base.xml" ? Array(loop.utf8) : nil
        }

        #expect(asked == ["base.xml", "main.xml"])
    }

    @Test func limitsTheDocuments() {
        var limits = CSDLLimits()
        limits.maximumDocumentCount = 1
        let error = #expect(throws: CSDLError.self) {
            _ = try Documents.read(main, limits: limits) { _ in Array(base.utf8) }
        }
        #expect(error?.code == .limit)
    }

    @Test func namesTheDocumentThatFails() {
        let error = #expect(throws: CSDLError.self) {
            _ = try Documents.read(main) { _ in Array("<a>".utf8) }
        }
        #expect(error?.message.contains("base.xml") == true)
    }
}
