package import StoreRecords

extension DefiningQuery {
    /// Slots from here on are those of imports: no store has so many queries.
    package static let firstImportSlot = 1 << 40

    /// Whether it stands for a file of an import.
    var isImport: Bool { slot >= Self.firstImportSlot }
}

extension DownloadWork.Task {
    /// The file of an import, merged like changes: what the store has beside it is not removed.
    package static func importing(_ query: DefiningQuery) -> Self {
        Self(query: query, direct: nil, isDelta: true)
    }
}
