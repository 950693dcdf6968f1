import OfflineOData
import Testing

/// The sequences state which errors they throw, so that a loop over them can too.
@Suite struct SequenceTests {
    private func first<Sequence: AsyncSequence>(
        of sequence: Sequence
    ) async throws(OfflineODataError) -> Sequence.Element?
    where Sequence.Failure == OfflineODataError, Sequence.Element: Sendable {
        for try await element in sequence { return element }
        return nil
    }

    @Test func loopsThrowOfflineODataErrorsOnly() async throws {
        let shop = try await ShopStore()
        let provider = shop.provider
        try await provider.createEntity(EntityValue(entitySet: "Items", ["ID": 7]))
        #expect(try await first(of: provider.requests)?.method == "POST")
        #expect(try await first(of: provider.refusedRequests) == nil)
        #expect(try await first(of: provider.requestQueueUpdates())?.count == 1)
        #expect(try await first(of: provider.errorArchiveUpdates())?.isEmpty == true)
        #expect(try await first(of: provider.liveQuery("Items"))?.count == 3)
        #expect(OfflineODataStream.Failure.self == OfflineODataError.self)
    }

    @Test func wrongQueryIsAnErrorOfItsOwnType() async throws {
        let shop = try await ShopStore()
        do throws(OfflineODataError) {
            _ = try await first(of: shop.provider.liveQuery("Items?$filter=Nothing eq 1"))
            Issue.record("the query names no property")
        } catch {
            #expect(error.category == .invalidInput)
        }
    }

    @Test func cancelledLiveQueryEnds() async throws {
        let shop = try await ShopStore()
        let live = shop.provider.liveQuery("Items")
        let task = Task {
            var count = 0
            for try await _ in live {
                count += 1
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            }
            return count
        }
        #expect(try await task.value == 1)
    }

    @Test func cancelledReadOfTheQueueIsAnError() async throws {
        let shop = try await ShopStore()
        let requests = shop.provider.requests
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            for try await _ in requests {}
        }
        let error = await #expect(throws: OfflineODataError.self) { try await task.value }
        #expect(error?.category == .cancelled)
    }
}
