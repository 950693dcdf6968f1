public import OfflineValues
import StoreRecords

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Making a provider without waiting for the disk on a thread that others need.
extension OfflineODataProvider {
    /// Makes the provider of the store of a service as the initializer does; an older file is brought up to date on the way.
    ///
    /// - Parameters:
    ///   - serviceRoot: Absolute URL of the service.
    ///   - parameters: Settings; copied.
    ///   - delegate: Hears how synchronisation goes; held weakly.
    /// - Throws: ``OfflineODataError`` where the file is no store or belongs to another service.
    public static func make(
        serviceRoot: String,
        parameters: OfflineODataParameters = OfflineODataParameters(),
        delegate: (any OfflineODataDelegate)? = nil
    ) async throws(OfflineODataError) -> OfflineODataProvider {
        try await make(
            nil,
            isCreating: true,
            serviceRoot: serviceRoot,
            parameters: parameters,
            delegate: delegate
        )
    }

    /// Makes the provider of the store of a service; see the form that takes a `String`.
    public static func make(
        serviceRoot: URL,
        parameters: OfflineODataParameters = OfflineODataParameters(),
        delegate: (any OfflineODataDelegate)? = nil
    ) async throws(OfflineODataError) -> OfflineODataProvider {
        try await make(
            nil,
            isCreating: true,
            serviceRoot: serviceRoot.absoluteString,
            parameters: parameters,
            delegate: delegate
        )
    }

    /// Makes the provider of the store at a path as the initializer does, which may belong to no service.
    ///
    /// - Parameters:
    ///   - storeFile: Path of the store's file.
    ///   - isCreating: Whether the file is made where there is none.
    ///   - serviceRoot: Absolute URL of the service; nil for the one that the store knows.
    ///   - parameters: Settings; `storePath` and `storeName` say nothing here.
    ///   - delegate: Hears how synchronisation goes; held weakly.
    /// - Throws: ``OfflineODataError`` where the file is no store or belongs to another service.
    public static func make(
        storeFile: String,
        isCreating: Bool = false,
        serviceRoot: String? = nil,
        parameters: OfflineODataParameters = OfflineODataParameters(),
        delegate: (any OfflineODataDelegate)? = nil
    ) async throws(OfflineODataError) -> OfflineODataProvider {
        try await make(
            storeFile,
            isCreating: isCreating,
            serviceRoot: serviceRoot,
            parameters: parameters,
            delegate: delegate
        )
    }

    private static func make(
        _ storeFile: String?,
        isCreating: Bool,
        serviceRoot: String?,
        parameters: OfflineODataParameters,
        delegate: (any OfflineODataDelegate)?
    ) async throws(OfflineODataError) -> OfflineODataProvider {
        // What is set later counts no more.
        let copied = OfflineODataParameters(parameters.all)
        do {
            return try await DiskWork.run {
                try OfflineODataProvider(
                    storeFile: storeFile,
                    serviceRoot: serviceRoot,
                    isCreating: isCreating,
                    parameters: copied,
                    delegate: delegate
                )
            }
        } catch {
            throw OfflineODataError.whole(error)
        }
    }
}
