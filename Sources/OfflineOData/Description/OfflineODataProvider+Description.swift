import OfflineProvider
import OfflineValues
import StoreRecords
import OfflineStore

/// What a store can hold, and how much it holds.
extension OfflineODataProvider {
    /// Returns the entity sets and singletons of the store with the number of stored entities, in the order of the metadata.
    ///
    /// The built-in sets `RequestQueue`, `ErrorArchive` and `EventLog` come last; their entities are not counted.
    ///
    /// - Throws: ``OfflineODataError`` before the metadata has come for the first time.
    public func setDescriptions() async throws(OfflineODataError) -> [OfflineODataSetDescription] {
        let model = try await metadata()
        let counts = try await status().entitySets.map { ($0.name, $0.entityCount) }
        return SetDescriber(model: model, counts: Dictionary(counts) { first, _ in first })
            .descriptions()
    }

    /// Returns why an entity is in the store: queries, versions, requests, references.
    ///
    /// - Parameter url: URL of the entity, relative to the service root.
    /// - Throws: ``OfflineODataError`` where the store does not have it.
    public func provenance(of url: String) async throws(OfflineODataError)
        -> OfflineODataProvenance
    {
        let url = try await resolved(url)
        return try await uncancelled {
            try await store.file.readCancellable { [store] connection in
                OfflineODataProvenance(
                    try EntityProvenance(url, on: connection, schema: store.schema(connection))
                )
            }
        }
    }
}
