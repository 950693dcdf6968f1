import ODataClient
import OfflineProvider
import TestSupport
import Testing

@testable import OfflineSync
@testable import StoreUpload

@Suite struct SingleSenderTests {
    /// A unit is one request or a change set; a change set sent in parts could take effect in parts.
    @Test func refusesAUnitOfAnyOtherNumberOfRequests() async {
        let result = await #expect(
            processExitsWith: .signal(Trap.signal),
            observing: [\.standardErrorContent]
        ) {
            Trap.endWithoutReport()
            let provider = try await SmallStore().provider
            let client = try #require(provider.client)
            let sender = SingleSender(
                store: provider.store,
                client: client,
                settings: UploadSettings(batchSize: 1, isRepeatable: false),
                budget: client.budget()
            )
            _ = try await sender.send(OutgoingUnit(requests: [], isChangeSet: true))
        }
        #expect(
            Trap.isReported("sent whole or not at all", in: result?.standardErrorContent)
        )
    }
}
