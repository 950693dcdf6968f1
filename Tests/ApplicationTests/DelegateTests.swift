import OfflineOData
import Synchronization
import Testing

/// Delegates as users of the reference engine write them, and those of the main actor.
@Suite struct DelegateTests {
    /// Ordinary functions with the provider as their first argument.
    final class Listener: OfflineODataDelegate {
        let heard = Mutex<[String]>([])
        let providers = Mutex<Set<ObjectIdentifier>>([])

        private func note(_ what: String, _ provider: OfflineODataProvider) {
            heard.withLock { $0.append(what) }
            providers.withLock { _ = $0.insert(ObjectIdentifier(provider)) }
        }

        func offlineODataProvider(
            _ provider: OfflineODataProvider,
            didUpdateOpenProgress progress: OfflineODataProgress
        ) { note("open", provider) }
        func offlineODataProvider(
            _ provider: OfflineODataProvider,
            didUpdateDownloadProgress progress: OfflineODataProgress
        ) { note("download", provider) }
        func offlineODataProvider(
            _ provider: OfflineODataProvider,
            didUpdateUploadProgress progress: OfflineODataProgress
        ) { note("upload", provider) }
        func offlineODataProvider(
            _ provider: OfflineODataProvider,
            requestDidFail request: OfflineODataFailedRequest
        ) { note("failed \(request.code)", provider) }
    }

    @MainActor final class ScreenListener: OfflineODataDelegate {
        var steps: [OfflineODataProgress.Step] = []

        func offlineODataProvider(
            _ provider: OfflineODataProvider,
            didUpdateOpenProgress progress: OfflineODataProgress
        ) { steps.append(progress.step) }
    }

    @Test func hearsOfSeveralProviders() async throws {
        let listener = Listener()
        let first = try await ShopStore(delegate: listener)
        let second = try await ShopStore(delegate: listener)
        var lamp = try #require(try await first.provider.executeQuery("Items(1)").first)
        lamp["Name"] = "bad"
        try await first.provider.updateEntity(lamp)
        try await first.provider.upload()
        try await second.provider.download()
        let heard = Set(listener.heard.withLock { $0 })
        #expect(heard.isSuperset(of: ["open", "upload", "download", "failed BadName"]))
        #expect(listener.providers.withLock { $0.count } == 2)
        withExtendedLifetime((first, second)) {}
    }

    @Test @MainActor func canBeOfTheMainActor() async throws {
        let listener = ScreenListener()
        let shop = try await ShopStore(delegate: listener)
        #expect(listener.steps.last == .finished)
        withExtendedLifetime(shop) {}
    }

    @Test @MainActor func listFollowsTheStore() async throws {
        let shop = try await ShopStore()
        let list = OfflineODataList("Items?$orderby=ID", of: shop.provider)
        while !list.isLoaded { await Task.yield() }
        #expect(list.entities.count == 2)
        try await shop.provider.createEntity(EntityValue(entitySet: "Items", ["ID": 4]))
        while list.entities.count < 3, list.error == nil { await Task.yield() }
        #expect(list.entities.map { $0["ID"] } == [1, 2, 4])
    }

    @Test func callsBackAsTheReferenceDoes() async throws {
        let shop = try await ShopStore()
        let provider = shop.provider
        let error: OfflineODataError? = await withCheckedContinuation { continuation in
            provider.download(withSubset: ["Items"]) { continuation.resume(returning: $0) }
        }
        #expect(error == nil)
        let other: OfflineODataError? = await withCheckedContinuation { continuation in
            provider.upload(categories: ["A"]) { continuation.resume(returning: $0) }
        }
        #expect(other == nil)
    }
}
