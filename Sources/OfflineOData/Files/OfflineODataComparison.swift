import OfflineProvider
import OfflineValues
import OfflineSync
import StoreRecords
import ODataHTTP
import ODataTables
import OfflineStore

/// What a comparison of a store with its service has found.
public struct OfflineODataComparison: Sendable, Hashable, Codable {
    /// Entities, links and streams that differ.
    public internal(set) var differences: [OfflineODataDifference] = []
    /// Entities that were compared.
    public internal(set) var comparedCount = 0
    /// Entities that were passed over for changes that wait or were refused: they differ on purpose.
    public internal(set) var passedOverCount = 0

    init() {}

    mutating func add(_ other: OfflineODataComparison) {
        differences += other.differences
        comparedCount += other.comparedCount
        passedOverCount += other.passedOverCount
    }
}

extension OfflineODataProvider {
    /// Compares the store, entity by entity, with what the service answers to its defining queries and stored reads now.
    ///
    /// The queries and reads are loaded into a second file beside the store, or in the directory for temporary files where the store can
    /// be read only, which goes away again. Entities with changes that are not uploaded
    /// are passed over; download first, so that what has changed at the service meanwhile is no difference. Links and dynamic
    /// properties that no query brings are not compared: a download does not bring them either.
    ///
    /// - Throws: ``OfflineODataError`` where the store has no service, or it cannot be asked; `CancellationError`.
    public func compareWithService() async throws -> OfflineODataComparison {
        try await settings.log.work("compare", about: [], fields: Self.fields) {
            try await compared()
        }
    }

    private static func fields(of comparison: OfflineODataComparison) -> [Log.Field] {
        [
            ("compared", .count(comparison.comparedCount)),
            ("passedOver", .count(comparison.passedOverCount)),
            ("differences", .count(comparison.differences.count)),
        ]
    }

    private func compared() async throws -> OfflineODataComparison {
        guard client != nil else { throw OfflineODataError.withoutService }
        guard !store.file.isWritable else { return try await compared(besides: settings.storeFile) }
        let directory = try ScratchDirectory(for: "comparison")
        defer { directory.remove() }
        return try await compared(besides: directory.path("store.sqlite"))
    }

    /// - Parameter path: What the name of the second file begins with.
    private func compared(besides path: String) async throws -> OfflineODataComparison {
        let status = try await status()
        let lock = try await ScratchLock(besides: path, mark: StoreFiles.comparisonMark)
        defer { withExtendedLifetime(lock) {} }
        // A name of its own: another process may check the same store at the same time.
        let suffix = String(UInt64.random(in: .min ... .max), radix: 16)
        let copy = try await mapping {
            try await DiskWork.run { [self] in
                try OfflineODataProvider(
                    of: path + StoreFiles.comparisonMark + suffix,
                    as: self
                )
            }
        }
        defer { try? StoreFiles.remove(copy.settings.storeFile) }
        let queries = try await definingQueries()
        for query in queries {
            try await copy.addDefiningQuery(query)
        }
        try await copy.open()
        let reads = try await storedReads()
        for read in reads { try await copy.load(read) }
        let model = try await metadata()
        let comparison = ServiceComparison(
            store: self,
            copy: copy,
            model: model,
            streamQueries: Set(
                status.queries.filter(\.automaticallyRetrievesStreams).map(\.name)
            ),
            links: ExpandedLinks(queries, layout: try await store.schema().layout),
            dynamic: DynamicSelections(queries.map(\.query) + reads.map(\.url), model: model)
        )
        let names = Set(status.entitySets.map(\.name)).union(
            try await copy.status().entitySets.map(\.name)
        )
        return try await comparison.compare(names.sorted())
    }

    /// The reads that fetch policies have stored; files are none of them.
    private func storedReads() async throws -> [StoredCollection] {
        try await router.collections { collections in
            var found: [StoredCollection] = []
            while case let page = try collections.all(after: found.last?.name ?? ""), !page.isEmpty
            {
                found += page
            }
            return found.filter(\.isFetched)
        }
    }

    /// Asks the service for what a read of another store holds; what the service has no more is absent.
    private func load(_ read: StoredCollection) async throws {
        var fetch = ReadRouter.Fetch(read.url, name: read.name)
        // The name of a read has the reader's header fields behind its URL, a line each.
        for line in read.name.split(separator: "\n").dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            fetch.headers.add(String(line[..<colon]), String(value))
        }
        do {
            _ = try await router.fetch(fetch)
        } catch let error as OfflineODataError {
            guard [404, 410].contains(error.httpStatus) else { throw error }
        }
    }
}
