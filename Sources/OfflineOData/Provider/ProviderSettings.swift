import FoundationEssentials
import ODataProtocol

/// What a provider keeps of its parameters: values, so that nobody changes them behind its back.
struct ProviderSettings: Sendable {
    let storeFile: String
    let upload: UploadSettings
    let download: DownloadSettings
    let optimizesQueue: Bool
    let waitsForOtherProcess: Duration
    let currentUser: String?
    let forceUploadOnUserSwitch: Bool

    /// Copies and checks the parameters.
    ///
    /// - Throws: ``OfflineODataError`` for an encryption key: encrypted stores are not supported.
    init(_ parameters: OfflineODataParameters, storeFile: String?) throws {
        guard parameters.storeEncryptionKey == nil else {
            throw OfflineODataError(
                .notSupported,
                "encrypted stores are not supported: leave storeEncryptionKey out, or encrypt the file system"
            )
        }
        guard parameters.uploadBatchSize > 0 else {
            throw OfflineODataError(.invalidInput, "uploadBatchSize must be at least 1")
        }
        guard parameters.clientDrivenPageSize ?? 1 > 0 else {
            throw OfflineODataError(.invalidInput, "clientDrivenPageSize must be at least 1")
        }
        let sizes = [
            parameters.maximumUploadBatchBytes, parameters.maximumBodyBytes,
            parameters.maximumItemBytes, parameters.maximumPageCount,
            parameters.maximumEmptyPageCount,
        ]
        guard sizes.allSatisfy({ $0 > 0 }) else {
            throw OfflineODataError(.invalidInput, "a maximum size or count must be at least 1")
        }
        self.storeFile = storeFile ?? Self.path(parameters)
        upload = UploadSettings(
            batchSize: parameters.uploadBatchSize,
            batchBytes: parameters.maximumUploadBatchBytes,
            isRepeatable: parameters.enableRepeatableRequests,
            tunnelsMethods: parameters.tunnelsMethods,
            batchFormat: parameters.uploadBatchFormat,
            appliesResponses: parameters.appliesUploadResponses,
            gracePeriod: parameters.cancellationGrace
        )
        download = DownloadSettings(
            preferredPageSize: parameters.preferredPageSize,
            clientDrivenPageSize: parameters.clientDrivenPageSize,
            parallelQueryCount: max(1, parameters.parallelQueryCount),
            continuesTransfers: parameters.enableBackgroundDataTransfer,
            comparesKeys: parameters.comparesKeysAfterDeltas,
            maximumItemBytes: parameters.maximumItemBytes,
            maximumPageCount: parameters.maximumPageCount,
            maximumEmptyPageCount: parameters.maximumEmptyPageCount
        )
        optimizesQueue = parameters.enableRequestQueueOptimization
        waitsForOtherProcess = parameters.waitsForOtherProcess
        currentUser = parameters.currentUser
        forceUploadOnUserSwitch = parameters.forceUploadOnUserSwitch
    }

    private static func path(_ parameters: OfflineODataParameters) -> String {
        let file = parameters.storeName + ".sqlite"
        guard let directory = parameters.storePath?.path, !directory.isEmpty else { return file }
        return directory.hasSuffix("/") ? directory + file : directory + "/" + file
    }

    /// How the service is spoken to.
    ///
    /// - Parameter urlCredentials: Name and password of the service URL, for which the parameters' credentials stand in.
    static func client(
        _ parameters: OfflineODataParameters,
        _ urlCredentials: (name: String, password: String)?
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
            maximumBodySize: parameters.maximumBodyBytes
        )
    }

    /// The query options of every request as a URL has them.
    static func queryOptions(_ parameters: OfflineODataParameters) -> [String] {
        parameters.customQueryOptions.sorted { $0.key < $1.key }.map { name, value in
            [name, value].map { text in
                var output: [UInt8] = []
                PercentEncoding.append(text.utf8, to: &output)
                return String(decoding: output, as: UTF8.self)
            }.joined(separator: "=")
        }
    }

    /// The transport that the parameters name, or libcurl.
    static func transport(_ parameters: OfflineODataParameters) throws -> any HTTPTransport {
        if let transport = parameters.transport { return transport }
        var settings = CurlTransportSettings()
        settings.authorityFile = parameters.certificateAuthorityFile
        return try CurlTransport(settings: settings)
    }
}
