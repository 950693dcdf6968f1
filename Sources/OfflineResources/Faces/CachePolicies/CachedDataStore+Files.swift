import OfflineOData

extension CachedDataStore {
    /// Returns the text for a property that holds a file (`stringForBinaryData`).
    public static func string(
        forBinaryData bytes: [UInt8],
        name: String,
        contentType: String
    ) -> String {
        BinaryText(bytes: bytes, name: name, contentType: contentType).text
    }

    /// Returns whether a property that holds a file has its URL; else it is raw data that was not synchronised yet.
    public static func stringContainsURL(_ text: String) -> Bool { BinaryText.containsURL(text) }

    /// Returns the content of a file that was not synchronised yet; nil for a URL and other texts.
    public static func dataForString(_ text: String) -> [UInt8]? { BinaryText(text)?.bytes }

    /// Reads objects back whose files the service has taken: their properties have URLs from now on.
    func reloadFiles(of resources: [SynchronizationReport.Resource]) async throws {
        let provider = engine.provider
        for resource in resources
        where [.insertedOnServer, .updatedOnServer].contains(resource.action) {
            guard let entity = try await provider.executeQuery(resource.url).first,
                entity.members.contains(where: {
                    $0.value.stringValue.flatMap(BinaryText.init) != nil
                })
            else { continue }
            let link = try await provider.link(of: entity)
            // Where the service is not reached any more, the next read brings the URL.
            try? await engine.refresh(link)
        }
    }
}
