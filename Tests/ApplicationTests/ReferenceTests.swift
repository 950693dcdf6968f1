import OfflineOData
import Synchronization
import Testing

/// Code as users of the reference engine write it: its names, its order of calls, its delegate.
@Suite struct ReferenceTests {
    /// Types and names of the reference's newer delegate.
    final class Listener: OfflineODataDelegate {
        let heard = Mutex<Set<String>>([])

        func offlineODataProvider(
            _: OfflineODataProvider,
            didUpdateOpenProgress progress: OfflineODataProviderOperationProgress
        ) { note("open", progress.currentStepNumber, of: progress.totalNumberOfSteps) }
        func offlineODataProvider(
            _: OfflineODataProvider,
            didUpdateDownloadProgress progress: OfflineODataProviderDownloadProgress
        ) { note("download", progress.currentStepNumber, of: progress.totalNumberOfSteps) }
        func offlineODataProvider(
            _: OfflineODataProvider,
            didUpdateUploadProgress progress: OfflineODataProviderOperationProgress
        ) {
            guard progress.bytesSent == 0 else { return }
            note("upload", progress.currentStepNumber, of: progress.totalNumberOfSteps)
        }
        func offlineODataProvider(
            _: OfflineODataProvider,
            didUpdateSendStoreProgress progress: OfflineODataProviderOperationProgress
        ) { note("sendStore", progress.currentStepNumber, of: progress.totalNumberOfSteps) }
        func offlineODataProvider(
            _: OfflineODataProvider,
            requestDidFail request: OfflineODataFailedRequest
        ) {
            guard request.httpStatusCode == 400, !request.errorMessage.isEmpty else { return }
            note("failed", 1, of: 1)
        }

        func offlineODataProvider(
            _: OfflineODataProvider,
            stateDidChange newState: OfflineODataStoreState
        ) { note("state \(newState)", 1, of: 1) }
        /// There are no such downloads here: it compiles, and is not called.
        func offlineODataProvider(
            _: OfflineODataProvider,
            didUpdateFileDownloadProgress progress: OfflineODataFileDownloadProgress
        ) { note("file", 1, of: 1) }

        private func note(_ what: String, _ step: Int, of count: Int) {
            guard (1...count).contains(step) else { return }
            heard.withLock { _ = $0.insert(what) }
        }
    }

    private static func parameters(_ directory: URL) -> OfflineODataParameters {
        let parameters = OfflineODataParameters()
        parameters.storeName = "shop"
        parameters.storePath = directory
        parameters.customHeaders = ["X-Device": "7"]
        parameters.customCookies = ["session": "1"]
        parameters.enableRepeatableRequests = true
        parameters.enableRequestQueueOptimization = true
        parameters.enableUndoLocalCreation = true
        parameters.enableTransactionBuilder = true
        parameters.enableIndividualErrorArchiveDeletion = true
        parameters.refreshInOrderOfAddition = true
        parameters.enableBackgroundDataTransfer = true
        parameters.enableClientOnlyMetadata = false
        parameters.pageSize = 1
        parameters.timeout = .seconds(30)
        parameters.currentUser = "alice"
        parameters.forceUploadOnUserSwitch = true
        parameters.sendStoreURL = "support/store"
        return parameters
    }

    private static func options() -> OfflineODataRequestOptions {
        let options = OfflineODataRequestOptions()
        options.unmodifiableRequest = true
        options.transactionID = "t"
        options.uploadCategory = "urgent"
        options.customTag = "tag"
        options.customHeaders = ["X-Own": "1"]
        options.customHeaderFormatTemplate = ["X-Key": "{ID}"]
        options.sendEmptyUpdate = false
        options.preferNoContent = true
        options.updateMode = .merge
        return options
    }

    @Test func refusesClientOnlyMetadata() {
        let parameters = OfflineODataParameters()
        parameters.enableClientOnlyMetadata = true
        let error = #expect(throws: OfflineODataError.self) {
            try OfflineODataProvider(serviceRoot: ScriptedService.root, parameters: parameters)
        }
        #expect(error?.category == .notSupported)
    }

    @Test func livesAsWithTheReference() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(
            path: "offline-odata-" + UUID().uuidString
        )
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let listener = Listener()
        let parameters = Self.parameters(directory)
        parameters.transport = ScriptedService.shop()
        parameters.retryPolicy = .never
        let root = try #require(URL(string: ScriptedService.root))
        let provider = try OfflineODataProvider(
            serviceRoot: root,
            parameters: parameters,
            delegate: listener
        )
        try provider.add(
            definingQuery: OfflineODataDefiningQuery(
                name: "Items",
                query: "Items",
                automaticallyRetrievesStreams: false
            )
        )
        try await provider.open()

        let created = try await provider.createEntity(
            EntityValue(entitySet: "Items", ["ID": 4, "Name": "Rug"]),
            options: Self.options()
        )
        try await provider.undoPendingChanges([created])
        #expect(try await provider.requestQueueIsEmpty())

        var lamp = try #require(try await provider.executeQuery("Items(1)").first)
        lamp["Name"] = "bad"
        try await provider.updateEntity(lamp, options: Self.options())
        let (errors, told) = AsyncStream.makeStream(of: OfflineODataError?.self)
        let upload: CancelToken = provider.upload(categories: ["urgent"]) { told.yield($0) }
        for await error in errors {
            #expect(error == nil)
            break
        }
        let download: CancelToken = provider.download(withSubset: ["Items"]) { told.yield($0) }
        for await error in errors {
            #expect(error == nil)
            break
        }
        let sending: CancelToken = provider.sendStore { told.yield($0) }
        for await error in errors {
            #expect(error == nil)
            break
        }
        upload.cancel()
        download.cancel()
        sending.cancel()
        let isCut = try { try provider.hasPendingDownload() || !provider.requestQueueIsEmpty() }()
        #expect(!isCut)
        #expect(try await !provider.hasPendingDownload())
        #expect(try await !provider.hasPendingUpload())

        // The built-in entity sets by their names, an entry of the archive deleted by itself.
        let archive = try await provider.executeQuery("ErrorArchive")
        #expect(archive.first?["HTTPStatusCode"] == 400)
        #expect(archive.first?["CustomTag"] == "tag")
        #expect(try await provider.executeQuery("RequestQueue").isEmpty)
        let events = try await provider.executeQuery("EventLog?$orderby=ID desc&$top=1")
        #expect(events.first?["Type"] == "Download")
        let entry = try #require(archive.first)
        try await provider.deleteEntity(entry)
        #expect(try await provider.executeQuery("ErrorArchive").isEmpty)

        let page = await provider.respond(to: HTTPRequest(method: "GET", url: "Items"))
        #expect(String(decoding: page.body, as: UTF8.self).contains("nextLink"))
        provider.cancelDownload()
        provider.cancelUpload()
        try await provider.close()
        let heard = listener.heard.withLock { $0 }
        let states = [
            "opening", "initializing", "downloading", "populating", "open", "closed",
        ].map { "state " + $0 }
        #expect(
            heard == Set(["open", "download", "upload", "failed", "sendStore"] + states)
        )
    }
}
