import FieldService
import FieldServiceMetadata
import ODataModel
import ODataProtocol
import Testing

@testable import ODataService

@Suite struct ImportTests {
    @Test func importsTheWholeSample() async throws {
        let service = try await TestService(
            metadata: FieldServiceMetadata.v1,
            data: FieldServiceData.setNames.map { ($0, FieldServiceData.json(forSet: $0)) }
        )
        for name in FieldServiceData.setNames where name != "Depot" {
            let tree = try #require(JSONTree(FieldServiceData.json(forSet: name)))
            guard case .array(let items)? = tree.member("value")?.kind else { continue }
            #expect(await service.get(name + "/$count").text == String(items.count))
        }
        #expect(await service.get("Depot").status == 200)
    }

    @Test(arguments: [
        ("Nope", "[]"), ("Parts", "[{\"Number\":5}]"), ("Parts", "[{\"Number\":\"P1\""),
        ("Parts", ""),
        ("Parts", #"[{"Number":"P1"},{"Number":"P1"}]"#),
        ("Tasks", #"[{"ID":1,"WorkOrder@odata.bind":"Nope(1)"}]"#),
    ])
    func refusesWithTheNameOfTheSet(name: String, json: String) async throws {
        let service = try await TestService(metadata: FieldServiceMetadata.v1)
        let error = await #expect(throws: ImportError.self) {
            try await DataImporter(service.store).importAll([
                .init(name: name, json: Array(json.utf8))
            ])
        }
        #expect(error?.set == name)
    }

    @Test func takesNothingOfAFailedImport() async throws {
        let service = try await TestService(metadata: FieldServiceMetadata.v1)
        await #expect(throws: ImportError.self) {
            try await DataImporter(service.store).importAll([
                .init(
                    name: "Parts",
                    json: Array(#"[{"Number":"P1","Name":"x","UnitPrice":1,"InStock":1}]"#.utf8)
                ),
                .init(name: "Sites", json: Array("?".utf8)),
            ])
        }
        #expect(await service.get("Parts/$count").text == "0")
    }

    @Test func keepsWhatTheFileHadWhenItIsOpenedAgain() async throws {
        let file = TemporaryFile()
        let model = try CSDLDocument(reading: FieldServiceMetadata.v1).model
        for expected in 1...2 {
            let store = try TableEntityStore(
                path: file.path,
                document: FieldServiceMetadata.v1,
                model: model
            )
            let handler = ODataServiceHandler(store: store)
            _ = await handler.respond(
                to: HTTPRequest(
                    method: "POST",
                    url: "/WorkOrders",
                    headers: ["Content-Type": "application/json"],
                    body: Array(#"{"Title":"x"}"#.utf8)
                )
            )
            let count = await handler.respond(
                to: HTTPRequest(method: "GET", url: "/WorkOrders/$count")
            )
            #expect(count.text == String(expected))
        }
    }
}
