import ODataHTTP
import OfflineOData
import TestSupport
import Testing

/// Limits of readers as parameters, and the place that an error names.
@Suite struct LimitTests {
    private static func provider(
        _ store: SmallStore,
        _ change: (inout OfflineODataLimits) -> Void
    ) throws -> OfflineODataProvider {
        let parameters = OfflineODataParameters()
        change(&parameters.limits)
        parameters.storeKey = TestKey.store
        return try OfflineODataProvider(
            storeFile: store.directory.path + "/localstore.sqlite",
            parameters: parameters
        )
    }

    @Test func limitsTheURLOfARead() async throws {
        let store = try await SmallStore()
        let provider = try Self.provider(store) { $0.url.maximumExpandDepth = 1 }
        let deep = "WorkOrders?$expand=Tasks($expand=WorkOrder)"

        #expect(try await provider.executeQuery("WorkOrders?$expand=Tasks").count == 2)
        let error = await #expect(throws: OfflineODataError.self) {
            try await provider.executeQuery(deep)
        }
        #expect(error?.code == .limitExceeded)
        let response = await provider.respond(to: HTTPRequest(method: "GET", url: deep))
        #expect(response.status == 400)
        #expect(try await store.provider.executeQuery(deep).count == 2)
    }

    @Test func refusesALimitOfNothing() async throws {
        let store = try await SmallStore()
        #expect(throws: OfflineODataError.self) {
            try Self.provider(store) { $0.pageCount = 0 }
        }
    }

    @Test func namesTheRequestThatAnErrorIsAbout() async throws {
        let store = try await SmallStore()
        for edit in [
            { try await $0.dropRequest(77) }, { try await $0.discardError(77) },
            { try await $0.splitTransaction(of: 77) },
            {
                try await $0.retryRequest(77)
                return []
            },
        ] as [@Sendable (OfflineODataProvider) async throws -> [Int64]] {
            let error = await #expect(throws: OfflineODataError.self) {
                _ = try await edit(store.provider)
            }
            #expect(error?.code == .notFound)
            #expect(error?.place?.requestID == 77)
        }
    }
}
