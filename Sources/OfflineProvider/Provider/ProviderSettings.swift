import ODataText
import OfflineSync
package import OfflineValues
import ODataSQLite
import ODataPayload
package import ODataClient
package import ODataHTTP
import ODataURL

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A provider's copy of its parameters, so that later changes of the object have no effect.
package struct ProviderSettings: Sendable {
    package private(set) var storeFile: String
    let upload: UploadSettings
    let download: DownloadSettings
    let optimizesQueue: Bool
    package let waitsForOtherProcess: Duration
    package let log: Log
    package let limits: OfflineODataLimits
    /// Entities in a page of the store's own answers.
    let pageSize: Int?
    let currentUser: String?
    let forceUploadOnUserSwitch: Bool
    /// Where a copy of the store is sent.
    let sendStoreURL: String?
    /// The key of an encrypted store.
    let key: EncryptionKey?

    /// Copies and checks the parameters.
    ///
    /// - Throws: ``OfflineODataError`` for values that make no sense, and for client-only metadata, which is not supported.
    init(_ parameters: OfflineODataParameters, storeFile: String?) throws {
        key = try Self.key(parameters)
        guard !parameters.enableClientOnlyMetadata else {
            throw OfflineODataError(
                .notSupported,
                "client-only metadata is not supported: leave enableClientOnlyMetadata out, and keep such data in a store without a service"
            )
        }
        guard key == nil || parameters.backgroundUploads == nil else {
            throw OfflineODataError(
                .notSupported,
                "a background session reads bodies from files in plain text: use none with an encrypted store"
            )
        }
        guard
            parameters.backgroundUploads?.mayRepeat != true || parameters.enableRepeatableRequests
        else {
            throw OfflineODataError(
                .preconditionFailed,
                "the background session may send a change twice: set enableRepeatableRequests if the service carries out a repeated request once, or use no background session"
            )
        }
        guard parameters.uploadBatchSize > 0 else {
            throw OfflineODataError(.invalidInput, "uploadBatchSize must be at least 1")
        }
        guard parameters.parallelQueryCount > 0 else {
            throw OfflineODataError(.invalidInput, "parallelQueryCount must be at least 1")
        }
        guard parameters.parallelBatchCount > 0 else {
            throw OfflineODataError(.invalidInput, "parallelBatchCount must be at least 1")
        }
        guard parameters.timeout >= .zero else {
            throw OfflineODataError(.invalidInput, "timeout must not be negative")
        }
        guard parameters.pageSize ?? 1 > 0 else {
            throw OfflineODataError(.invalidInput, "pageSize must be at least 1")
        }
        guard parameters.clientDrivenPageSize ?? 1 > 0 else {
            throw OfflineODataError(.invalidInput, "clientDrivenPageSize must be at least 1")
        }
        let sizes = [
            parameters.maximumUploadBatchBytes, parameters.limits.bodyBytes,
            parameters.limits.payload.maximumItemBytes, parameters.limits.pageCount,
            parameters.limits.emptyPageCount,
        ]
        guard sizes.allSatisfy({ $0 > 0 }) else {
            throw OfflineODataError(.invalidInput, "a maximum size or count must be at least 1")
        }
        self.storeFile = StoreFiles.resolved(try storeFile ?? Self.path(parameters))
        upload = UploadSettings(
            batchSize: parameters.uploadBatchSize,
            batchBytes: parameters.maximumUploadBatchBytes,
            parallelBatchCount: max(1, parameters.parallelBatchCount),
            isRepeatable: parameters.enableRepeatableRequests,
            tunnelsMethods: parameters.tunnelsMethods,
            batchFormat: parameters.uploadBatchFormat,
            appliesResponses: parameters.appliesUploadResponses,
            gracePeriod: parameters.cancellationGrace,
            spoolsAnswers: parameters.enableBackgroundDataTransfer,
            background: parameters.enableBackgroundDataTransfer
                ? parameters.backgroundUploads : nil,
            batchLimits: parameters.limits.batch
        )
        download = DownloadSettings(
            preferredPageSize: parameters.preferredPageSize,
            clientDrivenPageSize: parameters.clientDrivenPageSize,
            parallelQueryCount: max(1, parameters.parallelQueryCount),
            continuesTransfers: parameters.enableBackgroundDataTransfer,
            comparesKeys: parameters.comparesKeysAfterDeltas,
            payloadLimits: parameters.limits.payload,
            maximumPageCount: parameters.limits.pageCount,
            maximumEmptyPageCount: parameters.limits.emptyPageCount
        )
        optimizesQueue = parameters.enableRequestQueueOptimization
        waitsForOtherProcess = parameters.waitsForOtherProcess
        log = Log(parameters.logger)
        limits = parameters.limits
        pageSize = parameters.pageSize
        currentUser = parameters.currentUser
        forceUploadOnUserSwitch = parameters.forceUploadOnUserSwitch
        sendStoreURL = parameters.sendStoreURL
    }

    /// The same settings for another file.
    func of(_ storeFile: String) -> ProviderSettings {
        var settings = self
        settings.storeFile = storeFile
        return settings
    }

    private static func key(_ parameters: OfflineODataParameters) throws -> EncryptionKey? {
        guard parameters.storeEncryptionKey == nil || parameters.storeKey == nil else {
            throw OfflineODataError(
                .invalidInput,
                "storeEncryptionKey and storeKey exclude each other: give the key once"
            )
        }
        let key =
            parameters.storeKey?.key
            ?? parameters.storeEncryptionKey.map(EncryptionKey.init(text:))
        guard key?.isEmpty != true else {
            throw OfflineODataError(
                .invalidInput,
                "the encryption key is empty: leave it out for a store that is not encrypted"
            )
        }
        return key
    }

    private static func path(_ parameters: OfflineODataParameters) throws -> String {
        let name = parameters.storeName
        guard !name.isEmpty, name.utf8.allSatisfy({ $0 != UInt8(ascii: "/") && $0 != 0 }) else {
            throw OfflineODataError(
                .invalidInput,
                "storeName is the name of a file in storePath, without a slash, not '\(name)'"
            )
        }
        let file = name + ".sqlite"
        guard let directory = parameters.storePath?.path, !directory.isEmpty else { return file }
        return directory.hasSuffix("/") ? directory + file : directory + "/" + file
    }

    /// How the service is spoken to.
    ///
    /// - Parameter urlCredentials: Name and password of the service URL, for which the parameters' credentials stand in.
    package static func client(
        _ parameters: OfflineODataParameters,
        urlCredentials: (name: String, password: String)?
    ) throws -> ServiceClientSettings {
        let isAuthorized = parameters.customHeaders["Authorization"] != nil
        let fallback = urlCredentials.flatMap { credentials in
            isAuthorized
                ? nil
                : OfflineODataBasicCredentials(
                    name: credentials.name,
                    password: credentials.password
                )
        }
        return ServiceClientSettings(
            headers: parameters.customHeaders,
            cookies: parameters.customCookies,
            credentials: parameters.credentials ?? fallback,
            allowedOrigins: Set(try parameters.allowedOrigins.map(ServiceURL.origin(named:))),
            timeout: parameters.timeout,
            retry: parameters.retryPolicy,
            takesUnavailableAsUnprocessed: parameters.takesUnavailableAsUnprocessed,
            maximumBodySize: parameters.limits.bodyBytes,
            metadataLimits: parameters.limits.metadata,
            payloadLimits: parameters.limits.payload,
            log: Log(parameters.logger)
        )
    }

    /// The query options of every request as a URL has them.
    package static func queryOptions(_ parameters: OfflineODataParameters) -> [String] {
        parameters.customQueryOptions.sorted { $0.key < $1.key }.map { name, value in
            [name, value].map { text in
                var output: [UInt8] = []
                PercentEncoding.append(text.utf8, to: &output)
                return String(decoding: output, as: UTF8.self)
            }.joined(separator: "=")
        }
    }

    /// The transport that the parameters name, or the platform's.
    package static func transport(_ parameters: OfflineODataParameters) throws -> any HTTPTransport
    {
        if let transport = parameters.transport { return transport }
        return try parameters.standardTransport()
    }
}
