import CommandSupport
import OfflineOData

extension ExportDirectory {
    /// Writes the entities of a store into a directory, with the metadata and, as JSON, the streams.
    static func write(
        _ provider: OfflineODataProvider,
        to path: String,
        as format: ExportFormat = .json
    ) async throws -> DataCounts {
        let document = try await provider.metadataDocument()
        let directory = try ExportDirectory(path)
        do {
            try directory.writeMetadata(document, of: try await provider.metadata())
            let counts = try await write(provider, to: directory, as: format)
            try directory.publish()
            return counts
        } catch {
            directory.discard()
            throw error
        }
    }

    private static func write(
        _ provider: OfflineODataProvider,
        to directory: ExportDirectory,
        as format: ExportFormat
    ) async throws -> DataCounts {
        guard format == .json else {
            return try await writeTables(of: provider, to: directory, as: format)
        }
        var counts = try await writeEntities(of: provider, to: directory)
        counts.streams = try await writeStreams(of: provider, to: directory)
        return counts
    }

    private static func writeEntities(
        of provider: OfflineODataProvider,
        to directory: ExportDirectory
    ) async throws -> DataCounts {
        var counts = DataCounts()
        let file = GrowingFile()
        counts.sets = try await provider.exportData(inPagesOf: 1_000) { piece in
            if piece.isFirst { try file.begin(directory.file(of: piece.entitySet)) }
            try file.append(piece.json + (piece.isLast ? [0x0A] : []))
            counts.entities += piece.entityCount
            counts.links += piece.linkCount
        }
        return counts
    }

    /// Writes each set as rows and columns; a set is in memory as a whole, since its last entity may have the last column.
    private static func writeTables(
        of provider: OfflineODataProvider,
        to directory: ExportDirectory,
        as format: ExportFormat
    ) async throws -> DataCounts {
        var counts = DataCounts()
        var json: [UInt8] = []
        let model = try await provider.metadata()
        counts.sets = try await provider.exportData(inPagesOf: 1_000) { piece in
            json += piece.json
            counts.entities += piece.entityCount
            if format == .ndjson { counts.links += piece.linkCount }
            guard piece.isLast else { return }
            let table = try OfflineODataTable(json: json, model: model)
            json = []
            let bytes = format == .csv ? table.csv() : table.ndjson()
            try FileBytes.write(bytes, to: directory.file(of: piece.entitySet, as: format))
        }
        return counts
    }

    /// Writes the streams into files that are numbered in each set, and then the lists of them.
    private static func writeStreams(
        of provider: OfflineODataProvider,
        to directory: ExportDirectory
    ) async throws -> Int {
        var items: [String: [StreamFiles.Item]] = [:]
        let count = try await provider.exportStreams { set, url, stream in
            let files = directory.streams(of: set)
            let item = StreamFiles.Item(
                url: url,
                file: String(items[set, default: []].count + 1),
                contentType: stream.contentType,
                etag: stream.etag
            )
            try FileBytes.makeDirectory(files.directory)
            let file = GrowingFile()
            try file.begin(files.path(of: item))
            for try await piece in stream { try file.append(piece) }
            items[set, default: []].append(item)
        }
        for (set, items) in items { try directory.streams(of: set).write(items) }
        return count
    }
}

/// The file that is being written, closed when the next one begins.
private final class GrowingFile {
    private var descriptor: Int32?
    private var path = ""

    deinit { end() }

    func begin(_ path: String) throws(CommandFailure) {
        end()
        self.path = path
        descriptor = try FileBytes.descriptor(writing: path)
    }

    func append(_ bytes: [UInt8]) throws(CommandFailure) {
        guard let descriptor else { return }
        try FileBytes.write(bytes, to: descriptor, named: path)
    }

    private func end() {
        if let descriptor { FileBytes.close(descriptor) }
        descriptor = nil
    }
}
