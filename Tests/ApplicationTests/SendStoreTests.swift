import OfflineOData
import Synchronization
import Testing

/// Sending a copy of the store to the service's operator.
@Suite struct SendStoreTests {
    /// Collects the progress that a delegate receives.
    private final class Listener: OfflineODataDelegate {
        let received = Mutex<[OfflineODataProgress]>([])

        func offlineODataProvider(
            _ provider: OfflineODataProvider,
            didUpdateSendStoreProgress progress: OfflineODataProgress
        ) { received.withLock { $0.append(progress) } }
    }

    private func provider(
        of shop: ShopStore,
        sendStoreURL: String?,
        delegate: (any OfflineODataDelegate)? = nil
    ) throws -> OfflineODataProvider {
        let parameters = OfflineODataParameters()
        parameters.storePath = shop.directory
        parameters.transport = shop.service
        parameters.retryPolicy = .never
        parameters.sendStoreURL = sendStoreURL
        return try OfflineODataProvider(
            serviceRoot: ScriptedService.root,
            parameters: parameters,
            delegate: delegate
        )
    }

    @Test func sendsACopyThatOpensAsAStore() async throws {
        let shop = try await ShopStore()
        let listener = Listener()
        let body = Mutex<[UInt8]>([])
        shop.service.answer { request in
            guard request.method == "PUT" else { return nil }
            body.withLock { $0 = request.body }
            return HTTPResponse(status: 204)
        }
        let provider = try provider(of: shop, sendStoreURL: "support/store", delegate: listener)
        try await provider.createEntity(EntityValue(entitySet: "Items", ["ID": 7]))
        try await provider.sendStore()
        #expect(shop.service.requests.last == "PUT http://shop.test/support/store")

        let path = shop.directory.appending(path: "received.sqlite").path
        try Data(body.withLock { $0 }).write(to: URL(filePath: path))
        let copy = try OfflineODataProvider(storeFile: path)
        #expect(try await copy.executeQuery("Items").count == 3)
        #expect(try await copy.requestQueue().map(\.method) == ["POST"])

        let received = listener.received.withLock { $0 }
        #expect(received.first?.step == .copyingStore)
        #expect(received.map(\.stepNumber) == received.map(\.stepNumber).sorted())
        #expect(received.last?.step == .finished)
        #expect(received.last?.sentByteCount == body.withLock { $0.count })
        let left = try FileManager.default.contentsOfDirectory(atPath: shop.directory.path)
        #expect(!left.contains { $0.contains("-copy-") })
    }

    @Test func refusesWithoutAPlaceToSendItTo() async throws {
        let shop = try await ShopStore()
        let missing = await #expect(throws: OfflineODataError.self) {
            try await shop.provider.sendStore()
        }
        #expect(missing?.category == .notSupported)
        let foreign = try provider(of: shop, sendStoreURL: "https://elsewhere.test/store")
        await #expect(throws: OfflineODataError.self) { try await foreign.sendStore() }
        #expect(!shop.service.requests.contains { $0.hasPrefix("PUT") })
    }

    @Test func throwsWhatTheServiceAnswers() async throws {
        let shop = try await ShopStore()
        shop.service.answer { $0.method == "PUT" ? HTTPResponse(status: 403) : nil }
        let provider = try provider(of: shop, sendStoreURL: "support/store")
        let error = await #expect(throws: OfflineODataError.self) { try await provider.sendStore() }
        #expect(error?.httpStatus == 403)
    }
}
