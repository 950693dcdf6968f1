import OfflineProvider
import OfflineValues
import StoreDownload
import StoreExchange
import ODataModel
import ODataTables
import OfflineStore

/// Entities into files.
extension OfflineODataProvider {
    /// Writes the entities of each set and singleton that has some, as the store shows them, local changes included.
    ///
    /// ``importData(_:metadata:)`` with these files and ``metadataDocument()`` makes a store of them again: with links, contained
    /// entities and streams. What was created here and has no key yet is left out, with the links to it: `exportQueue` takes it along
    /// as the change that it is. Each file is in memory as a whole, with its streams; ``exportData(inPagesOf:to:)`` and
    /// ``exportStreams(to:)`` write sets and streams of any size.
    ///
    /// - Parameter write: Takes one file after the other.
    /// - Returns: How many files there were.
    /// - Throws: ``OfflineODataError``, and what `write` throws.
    @discardableResult
    public func exportData(
        to write: (OfflineODataDataFile) async throws -> Void
    ) async throws -> Int {
        var json: [UInt8] = []
        return try await exportData(inPagesOf: 1_000) { piece in
            json += piece.json
            guard piece.isLast else { return }
            var file = OfflineODataDataFile(entitySet: piece.entitySet, json: json)
            json = []
            for item in try await streams(of: piece.entitySet) {
                let stream = OfflineODataStream(item.head, store: store)
                file.streams.append(
                    OfflineODataDataStream(
                        url: item.url,
                        contentType: stream.contentType,
                        etag: stream.etag,
                        content: try await stream.bytes()
                    )
                )
            }
            try await write(file)
        }
    }

    /// Writes the entities of each set and singleton that has some, page by page: no more than a page is in memory.
    ///
    /// A page is read in a transaction of its own. A change made between two pages is met or not, and no entity is written twice.
    /// ``exportStreams(to:)`` writes the streams of the entities.
    ///
    /// - Parameters:
    ///   - entityCount: Entities in a page.
    ///   - write: Takes the files one after the other, in pieces.
    /// - Returns: How many files there were.
    /// - Throws: ``OfflineODataError``, `CancellationError`, and what `write` throws.
    @discardableResult
    public func exportData(
        inPagesOf entityCount: Int,
        to write: (OfflineODataDataPiece) async throws -> Void
    ) async throws -> Int {
        guard entityCount > 0 else {
            throw OfflineODataError(.invalidInput, "a page must hold at least one entity")
        }
        var (entities, links) = (0, 0)
        return try await settings.log.work(
            "export",
            about: [],
            fields: {
                [("sets", .count($0)), ("entities", .count(entities)), ("links", .count(links))]
            }
        ) {
            let names = try await filledSets()
            for name in names {
                try Task.checkCancellation()
                try await export(name, inPagesOf: entityCount).write { piece in
                    (entities, links) = (entities + piece.entityCount, links + piece.linkCount)
                    try await write(piece)
                }
            }
            return names.count
        }
    }

    private func export(_ entitySet: String, inPagesOf entityCount: Int) -> DataExport {
        DataExport(
            store: store,
            entitySet: entitySet,
            pageSize: entityCount,
            serviceRoot: serviceRoot ?? ""
        )
    }

    /// Hands out the streams of the entities that ``exportData(inPagesOf:to:)`` writes, one after the other.
    ///
    /// - Parameter write: Takes the name of the set or singleton that the entity belongs to, the URL of the stream relative to the
    ///   service root (`Photos(1)/$value`), and the stream. ``importStream(_:content:contentType:etag:)`` takes it again.
    /// - Returns: How many streams there were.
    /// - Throws: ``OfflineODataError``, `CancellationError`, and what `write` throws.
    @discardableResult
    public func exportStreams(
        to write: (_ entitySet: String, _ url: String, OfflineODataStream) async throws -> Void
    ) async throws -> Int {
        try await settings.log.work(
            "export.streams",
            about: [],
            fields: { [("streams", .count($0))] }
        ) {
            var count = 0
            for name in try await filledSets() {
                for item in try await streams(of: name) {
                    try Task.checkCancellation()
                    try await write(name, item.url, OfflineODataStream(item.head, store: store))
                    count += 1
                }
            }
            return count
        }
    }

    private func filledSets() async throws -> [String] {
        let model = try await metadata()
        return try await status().entitySets.filter { $0.entityCount > 0 }.map(\.name)
            .filter { model.isTopLevel($0) }
    }

    private func streams(of set: String) async throws -> [StreamExport.Item] {
        try await mapping {
            try await store.readCancellable { query, schema in
                try StreamExport(query.connection, schema: schema).items(of: set)
            }
        }
    }
}

extension EdmModel {
    /// Whether a set has a file of its own: contained entities come with those around them.
    func isTopLevel(_ name: String) -> Bool {
        switch navigationSource(named: name) {
        case .entitySet, .singleton: true
        default: false
        }
    }
}
