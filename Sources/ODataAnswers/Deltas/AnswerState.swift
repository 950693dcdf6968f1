import ODataPayload

/// What a tracked request answered at one moment: each entity by its row, with its id and a digest of its JSON.
struct AnswerState: Sendable {
    /// An entity of the answer.
    struct Entity: Sendable, Equatable {
        /// Relative to the service root.
        var url: String
        /// Of the JSON with all that is expanded; compared within one process only.
        var digest: Int
    }

    /// By row.
    private(set) var entities: [Int64: Entity] = [:]

    /// What one state has and another has not.
    struct Difference {
        /// New or changed, in the order of their rows.
        var changed: [Int64] = []
        /// Not in the later state any more, or there with another id.
        var removed: [(row: Int64, url: String)] = []

        var isEmpty: Bool { changed.isEmpty && removed.isEmpty }
        var count: Int { changed.count + removed.count }
    }

    /// Takes the entities of an answer.
    ///
    /// - Parameters:
    ///   - rows: Their rows, in order.
    ///   - json: Their objects, separated by commas.
    ///   - url: Gives the entity-id of a row; nil where it has none, and cannot be tracked.
    init(rows: [Int64], json: [UInt8], url: (Int64) throws -> String?) throws {
        entities.reserveCapacity(rows.count)
        var rest = rows.makeIterator()
        for object in try Self.objects(json) {
            guard let row = rest.next() else { return }
            var hasher = Hasher()
            hasher.combine(json[object])
            guard let url = try url(row) else { continue }
            entities[row] = Entity(url: url, digest: hasher.finalize())
        }
    }

    /// Where the objects of a list lie.
    private static func objects(_ json: [UInt8]) throws -> [Range<Int>] {
        var places: [Range<Int>] = []
        try ByteCursor.with(json.span) { cursor in
            while !cursor.isAtEnd {
                places.append(try cursor.place(depth: 0, limit: ByteCursor.storedDepth))
                cursor.advance()
            }
        }
        return places
    }

    func difference(from former: AnswerState) -> Difference {
        var difference = Difference()
        difference.changed = entities.filter { former.entities[$0.key] != $0.value }.keys.sorted()
        difference.removed = former.entities.filter { entities[$0.key]?.url != $0.value.url }
            .map { (row: $0.key, url: $0.value.url) }.sorted { $0.row < $1.row }
        return difference
    }
}
