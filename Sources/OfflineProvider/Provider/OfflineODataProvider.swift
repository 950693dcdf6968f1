package import ODataClient
import ODataValues
public import OfflineValues
import StoreRecords
public import ODataHTTP
package import OfflineStore
package import Synchronization

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The data of an OData service, at hand without a network.
///
/// Reads are answered from the store, local changes are applied at once and wait in a queue; `upload()` and `download()` bring both
/// sides together whenever the application says so.
public final class OfflineODataProvider: Sendable {
    package let store: LocalStore
    /// nil for a store that belongs to no service.
    package let client: ServiceClient?
    package let settings: ProviderSettings
    let delegateBox: DelegateBox
    let running = Mutex(RunningOperations())
    package let lifecycle = Mutex(Lifecycle.made)
    let messages = Mutex<[String]>([])
    let interrupted = InterruptedUpload()
    let progressStreams = Broadcast<OfflineODataProgress>()
    /// The one way in for every read; rules of a layer above are registered here.
    package let router: ReadRouter

    /// Makes the provider of a store, and the store's file where there is none.
    ///
    /// The calling thread waits for the disk, for longer where the file is of an older version; `make(serviceRoot:parameters:delegate:)`
    /// does the same without.
    ///
    /// - Parameters:
    ///   - serviceRoot: Absolute URL of the service.
    ///   - parameters: Settings; copied.
    ///   - delegate: Hears how synchronisation goes; held weakly.
    /// - Throws: ``OfflineODataError`` where the file is no store or belongs to another service.
    public convenience init(
        serviceRoot: URL,
        parameters: OfflineODataParameters = OfflineODataParameters(),
        delegate: (any OfflineODataDelegate)? = nil
    ) throws(OfflineODataError) {
        try self.init(
            serviceRoot: serviceRoot.absoluteString,
            parameters: parameters,
            delegate: delegate
        )
    }

    /// Makes the provider of a store, and the store's file where there is none; see the initializer that takes a `URL`.
    public convenience init(
        serviceRoot: String,
        parameters: OfflineODataParameters = OfflineODataParameters(),
        delegate: (any OfflineODataDelegate)? = nil
    ) throws(OfflineODataError) {
        try self.init(
            storeFile: nil,
            serviceRoot: serviceRoot,
            isCreating: true,
            parameters: parameters,
            delegate: delegate
        )
    }

    /// Makes the provider of the store at a path, which may belong to no service.
    ///
    /// - Parameters:
    ///   - storeFile: Path of the store's file.
    ///   - isCreating: Whether the file is made where there is none.
    ///   - serviceRoot: Absolute URL of the service; nil for the one that the store knows.
    ///   - parameters: Settings; `storePath` and `storeName` say nothing here.
    ///   - delegate: Hears how synchronisation goes; held weakly.
    public convenience init(
        storeFile: String,
        isCreating: Bool = false,
        serviceRoot: String? = nil,
        parameters: OfflineODataParameters = OfflineODataParameters(),
        delegate: (any OfflineODataDelegate)? = nil
    ) throws(OfflineODataError) {
        try self.init(
            storeFile: Optional(storeFile),
            serviceRoot: serviceRoot,
            isCreating: isCreating,
            parameters: parameters,
            delegate: delegate
        )
    }

    /// Makes the provider of the store at a path; without a service root it is the one that the store knows.
    package init(
        storeFile: String?,
        serviceRoot: String?,
        isCreating: Bool,
        parameters: OfflineODataParameters,
        delegate: (any OfflineODataDelegate)?
    ) throws(OfflineODataError) {
        var file = storeFile
        do {
            settings = try ProviderSettings(parameters, storeFile: storeFile)
            file = settings.storeFile
            let given = try serviceRoot.map { try ServiceURL(root: $0) }
            store = try LocalStore(
                path: settings.storeFile,
                isCreating: isCreating,
                awaitsFirstLoad: given != nil,
                showsRelatives: parameters.showsStatesOfRelatives,
                key: settings.key
            )
            let known = try Self.agree(on: given, store)
            client = try known.map { root in
                var root = root
                root.mapsForeignLinks = parameters.mapsForeignLinks
                root.add(ProviderSettings.queryOptions(parameters))
                return ServiceClient(
                    url: root,
                    transport: try ProviderSettings.transport(parameters),
                    settings: try ProviderSettings.client(
                        parameters,
                        urlCredentials: given?.credentials
                    )
                )
            }
            router = ReadRouter(store, client: client, settings: settings.download)
            delegateBox = DelegateBox(delegate)
            router.settleLeftovers { [weak self] in try await self?.settleLostAnswers() }
        } catch {
            throw OfflineODataError.whole(error, of: file)
        }
    }

    /// Makes a provider of another file, which is made where there is none, that speaks to the same service as one does.
    package init(of storeFile: String, as provider: OfflineODataProvider) throws {
        settings = provider.settings.of(storeFile)
        client = provider.client
        store = try LocalStore(
            path: storeFile,
            isCreating: true,
            awaitsFirstLoad: true,
            key: settings.key
        )
        if let url = client?.url { try Self.keep(url, in: store) }
        router = ReadRouter(store, client: client, settings: settings.download)
        delegateBox = DelegateBox(provider.delegateBox.delegate)
    }

    /// The service root of the store: the one given the first time.
    private static func agree(on given: ServiceURL?, _ store: LocalStore) throws -> ServiceURL? {
        let text = try store.file.readBlocking { try StoreState.serviceRoot($0) }
        guard let text, var known = try? ServiceURL(root: text) else {
            if let given { try keep(given, in: store) }
            return given
        }
        guard given == nil || given?.root == known.root else {
            throw OfflineODataError(
                .invalidInput,
                "the store belongs to another service: \(known.root); use another file for this service, or remove the store"
            )
        }
        known.options = try store.file.readBlocking { try StoreState.serviceOptions($0) }
        if let given, !given.options.isEmpty { known.options = given.options }
        // Earlier versions kept the URL with all that was in it.
        let kept = try store.file.readBlocking { try StoreState.serviceOptions($0) }
        if text != known.root || kept != known.options { try keep(known, in: store) }
        return known
    }

    private static func keep(_ url: ServiceURL, in store: LocalStore) throws {
        try store.file.writeBlocking { connection in
            try StoreState.setServiceRoot(url.root, on: connection)
            try StoreState.setServiceOptions(url.options, on: connection)
        }
    }

    /// The progress of every opening, download and upload from now on; it ends when its consumer stops reading, and when the store is closed.
    public func progressUpdates() -> AsyncStream<OfflineODataProgress> {
        progressStreams.stream()
    }

    /// Replaces the header fields that every request carries, such as an authorization that has been renewed.
    public func updateCustomHeaders(_ headers: HTTPHeaders) {
        client?.setCustomHeaders(headers)
    }

    /// Replaces cookies that every request carries.
    public func updateCustomCookies(_ cookies: [String: String]) {
        client?.setCustomCookies(cookies)
    }
}
