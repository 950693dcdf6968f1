import ODataHTTP
import OfflineOData
import Synchronization
import Testing

/// Delegates that synchronise from within a callback: each call ends, by itself or with "in use".
@Suite struct DelegateReentryTests {
    private final class Caller: OfflineODataDelegate {
        let outcomes = Mutex<[String]>([])
        let isOfState: Bool

        init(isOfState: Bool) { self.isOfState = isOfState }

        private func note(_ work: () async throws -> Void) async {
            let outcome: String
            do {
                try await work()
                outcome = "done"
            } catch {
                outcome = (error as? OfflineODataError)?.category.description ?? "\(error)"
            }
            outcomes.guarded { $0.append(outcome) }
        }

        func offlineODataProvider(
            _ provider: OfflineODataProvider,
            stateDidChange newState: OfflineODataStoreState
        ) async {
            guard isOfState, newState == .open else { return }
            await note { try await provider.download() }
        }

        func offlineODataProvider(
            _ provider: OfflineODataProvider,
            requestDidFail request: OfflineODataFailedRequest
        ) async {
            guard !isOfState else { return }
            await note { try await provider.upload() }
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: [true, false])
    func doNotWaitForThemselves(_ isOfState: Bool) async throws {
        let service = try RecordedService(metadata: TalkModel.document)
        service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":1,"Price":5}]}"#))
        service.set("PATCH Orders(1)", HTTPResponse(status: 400))
        let caller = Caller(isOfState: isOfState)
        let provider = try await service.opened(["Orders"], delegate: caller)
        var order = try #require(try await provider.executeQuery("Orders(1)").first)
        order["Price"] = 7
        try await provider.updateEntity(order)
        _ = try? await provider.upload()
        while caller.outcomes.guarded({ $0.isEmpty }) { await Task.yield() }
        #expect(["done", "inUse"].contains(caller.outcomes.guarded { $0[0] }))
        withExtendedLifetime(caller) {}
    }
}
