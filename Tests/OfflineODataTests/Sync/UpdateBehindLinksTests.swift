import OfflineOData
import TestSupport
import Testing

/// Updates of entities whose ETag the service changes with each link that leads to them.
@Suite struct UpdateBehindLinksTests {
    /// Each change of a link waits for the one before it, so that many rounds change the ETag.
    @Test(arguments: [1, 2, 5, 8])
    func areNotRefusedForWhatWasSentBeforeThem(_ linkCount: Int) async throws {
        let service = try await SampleService(sets: [])
        _ = try await service.create("WorkOrders", #"{"Title":"a"}"#, "WorkOrders")
        let part = #"{"Number":"N1","Name":"old","UnitPrice":1,"InStock":1}"#
        _ = try await service.create("Parts", part, "Parts")
        let directory = try TemporaryDirectory()
        let provider = try service.provider(directory)
        for query in ["WorkOrders?$expand=RequiredParts", "Parts"] {
            try provider.add(definingQuery: OfflineODataDefiningQuery(name: query, query: query))
        }
        try await provider.open()
        let ends = try #require(
            try await provider.executeQuery("WorkOrders").first
        )
        var target = try #require(try await provider.executeQuery("Parts").first)
        for number in 0..<linkCount {
            if number.isMultiple(of: 2) {
                try await provider.createLink(from: ends, property: "RequiredParts", to: target)
            } else {
                try await provider.deleteLink(from: ends, property: "RequiredParts", to: target)
            }
        }
        target["Name"] = .string("new")
        try await provider.updateEntity(target)
        #expect(try await provider.upload().failedCount == 0)
        #expect(try await provider.errorArchive().isEmpty)
        let name = await service.get("Parts('N1')/Name/$value")
        #expect(String(decoding: name.body, as: UTF8.self) == "new")
    }
}
