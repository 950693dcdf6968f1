import ODataModel
import ODataProtocol
import ODataService
import ODataTables
import OfflineStore

/// Reading one entity by its key, without a URL.
extension OfflineODataProvider {
    /// Returns the entity of a set that has a key; nil where the store has none.
    ///
    /// - Throws: ``OfflineODataError`` where there is no such set, or its key is none of one such value.
    public func entity(in entitySet: String, key: ODataValue) async throws -> EntityValue? {
        try await mapping {
            let source = try await router.source(
                of: ReadRequest(.key(entitySet: entitySet, key))
            )
            guard case .store = source else {
                return try await entities(of: .key(entitySet: entitySet, key), from: source)?.first
            }
            return try await store.readCancellable { query, _ in
                try EntityByKey(entitySet, query).read(key, query)
            }
        }
    }

    /// Returns the entity of a set that has a key, while the calling thread waits; nil where the store has none.
    ///
    /// - Throws: ``OfflineODataError`` where there is no such set, or its key is none of one such value.
    @available(*, noasync, message: "await the asynchronous form")
    public func entity(in entitySet: String, key: ODataValue) throws(OfflineODataError)
        -> EntityValue?
    {
        try mapping {
            let source = try router.sourceAtHand(
                of: ReadRequest(.key(entitySet: entitySet, key))
            )
            guard case .store = source else {
                return try router.readBlocking(source) { query, _ in
                    try EntityByKey(entitySet, query).read(key, query)
                } ?? nil
            }
            let read = try store.stepBlocking { connection, plans in
                try plans.keyedRead(entitySet)
                    .flatMap { try EntityByKey($0).step(key, connection, plans) }
            }
            if let read { return read.entity }
            return try store.readBlocking { query, _ in
                try EntityByKey(entitySet, query).read(key, query)
            }
        }
    }
}

/// A read of one entity of a set by the one value of its key.
struct EntityByKey {
    private let keyed: KeyedRead

    /// What a read has found.
    struct Found {
        var entity: EntityValue?
    }

    init(_ keyed: KeyedRead) {
        self.keyed = keyed
    }

    init(_ entitySet: String, _ query: TableQuery) throws {
        guard let keyed = try query.keyedRead(entitySet) else {
            throw OfflineODataError(
                .notFound,
                "there is no entity set \(entitySet) whose key is one property"
            )
        }
        self.init(keyed)
    }

    /// Reads inside a transaction.
    func read(_ key: ODataValue, _ query: TableQuery) throws -> EntityValue? {
        entity(try keyed.read(query, scalar(key, query.layout.model)))
    }

    /// Reads by the one statement alone; nil where the file has changed since the plan was made.
    func step(_ key: ODataValue, _ connection: SQLiteConnection, _ plans: PlanCache) throws
        -> Found?
    {
        try keyed.step(connection, plans, scalar(key, plans.schema.layout.model))
            .map { Found(entity: entity($0)) }
    }

    private func entity(_ batch: RowBatch) -> EntityValue? {
        batch.count == 0 ? nil : EntityValue(entitySet: keyed.name, batch, row: 0)
    }

    private func scalar(_ key: ODataValue, _ model: @autoclosure () -> EdmModel) throws -> Scalar {
        switch (key, keyed.form) {
        case (.integer(let value), .integer): return .integer(value)
        case (.string(let value), .string): return .text(value)
        case (.boolean(let value), .boolean): return .integer(value ? 1 : 0)
        case (.string(let text), _), (.number(let text), _):
            return try parsed(text, model())
        case (.integer(let value), _): return try parsed(String(value), model())
        default: throw mismatch
        }
    }

    private func parsed(_ text: String, _ model: EdmModel) throws -> Scalar {
        guard let value = keyed.form.parse(Array(text.utf8).span, in: model),
            keyed.form.tellsAll(of: value, text, in: model)
        else { throw mismatch }
        return value.scalar
    }

    private var mismatch: OfflineODataError {
        OfflineODataError(.invalidInput, "the value is no key of \(keyed.name)")
    }
}
