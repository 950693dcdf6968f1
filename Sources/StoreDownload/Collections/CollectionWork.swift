package import OfflineStore
package import StoreRecords
import ODataSQL
import ODataSQLite
import ODataTables

/// The store's side of a fetch: what to ask for, and the moment in which the answer appears.
///
/// A fetch may run beside a download or an upload: it has a scratch file of its own, and merges in one transaction.
package struct CollectionWork: Sendable {
    let store: LocalStore

    package init(_ store: LocalStore) {
        self.store = store
    }

    /// What a fetch begins with.
    package struct Begin: Sendable {
        package var collection: StoredCollection
        package var task: DownloadWork.Task
        /// Changes that the service had answered by then.
        var answered: Int64
    }

    /// How a fetch ended.
    package enum Outcome: Sendable {
        case merged(StoredCollection, StagedMerge.Result)
        /// A change of a fetched entity is on its way, or was answered since the fetch began: the fetched values may be older.
        case overtaken
    }

    /// Finds or makes a collection and says what is to be asked.
    ///
    /// - Parameter asksForChanges: Whether its delta link is asked, where it has one.
    /// - Throws: ``StoreError`` before the store has been opened for the first time.
    package func begin(named name: String, url: String, asksForChanges: Bool) async throws -> Begin
    {
        try await store.file.write { connection in
            guard try StoreState.isOpened(connection) else {
                throw StoreError(.notOpen, "open the store before reading through it")
            }
            let collection = try StoredCollections(connection).ensure(named: name, url: url)
            let isDelta = asksForChanges && collection.isFetched && collection.deltaLink != nil
            return Begin(
                collection: collection,
                task: DownloadWork.Task(query: collection.query, direct: nil, isDelta: isDelta),
                answered: try AnswerCounter.value(connection)
            )
        }
    }

    /// Merges what was staged, or notes that nothing has changed, in one transaction.
    ///
    /// - Parameter note: Completes what is known of the collection, such as when it is out of date.
    package func merge(
        _ loaded: DownloadWork.Loaded,
        begin: Begin,
        staging: StagingFile,
        note: @escaping @Sendable (inout StoredCollection) -> Void
    ) async throws -> Outcome {
        try await DownloadWork(store).attached(staging) { [store] connection in
            let schema = try store.schema(connection)
            let collections = StoredCollections(connection)
            guard var collection = try collections.collection(named: begin.collection.name) else {
                throw StoreError(.notFound, "the stored collection was removed meanwhile")
            }
            var result = StagedMerge.Result()
            if !loaded.isUnchanged {
                guard try AnswerCounter.value(connection) == begin.answered else {
                    return .overtaken
                }
                let merge = try StagedMerge(
                    connection,
                    schema: schema,
                    query: loaded.task.query,
                    stamp: 0,
                    isDelta: loaded.task.isDelta,
                    isIncomplete: loaded.isIncomplete,
                    mapsForeignLinks: loaded.mapsForeignLinks
                )
                guard try !merge.meetsSentChange() else { return .overtaken }
                do {
                    result = try merge.merge()
                } catch let refusal as StagedMerge.Refusal {
                    throw StoreError(.invalid, refusal.message)
                }
                var lapsed = LapsedRows(connection, schema: schema)
                lapsed.add(result.lapsed, from: loaded.task.query)
                let gone = try lapsed.settle(isFull: false, besides: [])
                result.removed += gone.values.reduce(0, +)
                try merge.settle(result.renewed, among: [merge])
                if !loaded.task.isDelta || loaded.count != nil { collection.count = loaded.count }
                // What is missing comes with everything else only.
                collection.deltaLink = result.missing.isEmpty ? loaded.deltaLink : nil
            }
            collection.isFetched = true
            note(&collection)
            try collections.update(collection)
            if !begin.collection.isFetched {
                try JoiningRows(connection: connection, schema: schema).joinCreated(to: collection)
            }
            return .merged(collection, result)
        }
    }
}

extension StagedMerge {
    /// Whether the download contains an entity of which a change is being sent: it is unknown which of both is newer.
    func meetsSentChange() throws -> Bool {
        for table in try stagedTables() {
            guard try catalog.exists(table.name), !table.isContained else { continue }
            let isSent = try connection.integer(
                """
                SELECT 1 FROM main."$queue" q JOIN main.\(table.sql) m ON m."$id" = q."row"
                JOIN \(staged(table.name)) s ON \(keyMatch(table, came: "s", stored: "m"))
                WHERE q."status" = 'sending' LIMIT 1
                """
            )
            if isSent != nil { return true }
        }
        return false
    }
}
