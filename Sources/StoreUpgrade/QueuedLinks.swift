import ODataModelComparison
import ODataSQL
import ODataSQLite
import ODataTables
import StoreRecords

/// Local changes of links that a new model has the store keep in another form.
///
/// What they have changed is known by the old form alone, so they stand against the upgrade.
struct QueuedLinks {
    /// The relations of which links were changed.
    private(set) var changes: [ModelChange] = []
    /// The requests that changed them.
    private(set) var requests: Set<Int64> = []

    init(_ connection: SQLiteConnection, _ relations: [RelationConversion.Change]) throws {
        for relation in relations {
            let found = try Self.requests(relation, on: connection)
            guard !found.isEmpty else { continue }
            requests.formUnion(found)
            changes.append(
                ModelChange(
                    path: relation.path,
                    change: .changed,
                    what: .navigationProperty,
                    isCompatible: true,
                    detail:
                        "its links are kept in another form from now on, and local changes of them wait"
                )
            )
        }
    }

    private static func requests(
        _ relation: RelationConversion.Change,
        on connection: SQLiteConnection
    ) throws -> Set<Int64> {
        let journal = EffectJournal(connection)
        switch relation.old {
        case .links(let table, _): return try journal.requests(linkingIn: table)
        case .dependent(let columns):
            return try journal.requests(setting: columns.map(\.here), in: relation.here.name)
        case .principal(let columns):
            return try journal.requests(setting: columns.map(\.there), in: relation.there.name)
        }
    }
}
