import ODataHTTP
import Testing

@testable import ODataAnswers
import ODataService

/// Ids and links of answers that are not what a client would compute (OData JSON 4.01 §§ 4.3, 4.5.8, 15.3).
@Suite struct ControlInformationTests {
    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Slot"><Key><PropertyRef Name="Day"/><PropertyRef Name="Time"/></Key>
        <Property Name="Day" Type="Edm.Date" Nullable="false"/><Property Name="Time" Type="Edm.TimeOfDay" Nullable="false"/>
        <Property Name="Pay" Type="Edm.Decimal" Scale="floating"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Slots" EntityType="S.Slot"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """
    private static let slot = #"[{"Day":"2024-01-01","Time":"08:00:00","Pay":1}]"#

    private func service() async throws -> TestService {
        var options = StandaloneOptions()
        options.tracksChanges = true
        return try await TestService(
            metadata: Array(Self.metadata.utf8),
            data: [("Slots", Array(Self.slot.utf8))],
            options: options
        )
    }

    @Test func encodesColonsOfRelativeLinks() async throws {
        let response = await (try service()).get(
            "Slots",
            ["Accept": "application/json;metadata=full"]
        )
        let link = #""@odata.editLink":"Slots(Day=2024-01-01,Time=08%3A00%3A00)""#
        #expect(response.text.contains(link), "\(response.text)")
    }

    @Test(arguments: [
        ("4.0", "application/json", true), ("4.0", "application/json;odata.metadata=full", true),
        ("4.0", "application/json;odata.metadata=none", false), ("4.01", "application/json", false),
    ])
    func marksTransientEntities(version: String, accept: String, isMarked: Bool) async throws {
        let response = await (try service()).get(
            "Slots?$apply=groupby((Day))",
            ["OData-MaxVersion": version, "Accept": accept]
        )
        let start = isMarked ? #"{"@odata.id":null,"Day":"# : #"[{"Day":"#
        #expect(response.text.contains(start), "\(response.text)")
    }

    @Test(arguments: [("full", true), ("minimal", false)])
    func namesTheSetOfDeletedEntities(metadata: String, hasContext: Bool) async throws {
        let service = try await service()
        let headers: HTTPHeaders = [
            "Prefer": "track-changes", "OData-MaxVersion": "4.01",
            "Accept": "application/json;metadata=" + metadata,
        ]
        let link = try #require(
            await service.get("Slots", headers).text.split(separator: "\"").first {
                $0.contains("$deltatoken")
            }
        )
        let deleted = await service.send("DELETE", "Slots(Day=2024-01-01,Time=08:00:00)")
        #expect(deleted.status == 204)
        let response = await service.get(TestService.relative(String(link)), headers)
        let context =
            #"{"@context":"http://service.test/$metadata#Slots/$deletedEntity","@removed":"#
        #expect(
            response.text.contains("@removed") && response.text.contains(context) == hasContext,
            "\(response.text)"
        )
    }

    @Test(arguments: [
        ("4.0", "application/xml", #"Scale="variable""#),
        ("4.01", "application/xml", #"Scale="floating""#),
        ("4.0", "application/json", #""variable""#), ("4.01", "application/json", #""floating""#),
    ])
    func lowersFloatingScales(version: String, accept: String, part: String) async throws {
        let response = await (try service()).get(
            "$metadata",
            ["OData-MaxVersion": version, "Accept": accept]
        )
        #expect(response.text.contains(part), "\(response.text)")
    }
}
