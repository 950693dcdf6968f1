public import OfflineValues
import ODataValues
import ODataSQL
import ODataSQLite
import ODataBinding
import ODataModel
import ODataURL
import ODataAnswers
import ODataTables
import OfflineStore

/// Reading one entity by its key, without a URL.
extension OfflineODataProvider {
    /// Returns the entity of a set that has a key; nil where the store has none.
    ///
    /// - Throws: ``OfflineODataError`` where there is no such set, or its key is none of one such value.
    public func entity(in entitySet: String, key: ODataValue) async throws -> EntityValue? {
        try await mapping {
            try await answer(ReadRequest(.key(entitySet: entitySet, key))).entities?.first
        }
    }

    /// Returns the entity of a set that has a key, while the calling thread waits; nil where the store has none.
    ///
    /// It never asks the service: where fetch policies decide about every read, they decide as if there were no network.
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
                    try EntityByKey(entitySet, query: query).read(key, query: query)
                } ?? nil
            }
            let read = try store.stepBlocking { connection, plans in
                try plans.keyedRead(entitySet)
                    .flatMap { try EntityByKey($0).step(key, on: connection, plans: plans) }
            }
            if let read { return read.entity }
            return try store.readBlocking { query, _ in
                try EntityByKey(entitySet, query: query).read(key, query: query)
            }
        }
    }
}

/// A read of one entity of a set by the one value of its key.
struct EntityByKey {
    private let name: String
    private let form: ScalarForm
    /// nil where no entity of the set has ever come, so that there is no table.
    private let keyed: KeyedRead?

    /// What a read has found.
    struct Found {
        var entity: EntityValue?
    }

    init(_ keyed: KeyedRead) {
        self.init(name: keyed.name, form: keyed.form, keyed: keyed)
    }

    init(_ entitySet: String, query: borrowing TableQuery) throws {
        if let keyed = try query.keyedRead(entitySet) {
            self.init(keyed)
            return
        }
        guard let form = query.keyForm(of: entitySet) else {
            throw OfflineODataError(
                .notFound,
                "there is no entity set \(entitySet) whose key is one property"
            )
        }
        self.init(name: entitySet, form: form, keyed: nil)
    }

    private init(name: String, form: ScalarForm, keyed: KeyedRead?) {
        (self.name, self.form, self.keyed) = (name, form, keyed)
    }

    /// Reads inside a transaction.
    func read(_ key: ODataValue, query: TableQuery) throws -> EntityValue? {
        let key = try scalar(key, model: query.layout.model)
        return try keyed.flatMap { entity(try $0.read(query, key: key)) }
    }

    /// Reads by the one statement alone; nil where the file has changed since the plan was made.
    func step(_ key: ODataValue, on connection: SQLiteConnection, plans: PlanCache) throws
        -> Found?
    {
        let key = try scalar(key, model: plans.schema.layout.model)
        return try keyed?.step(connection, plans: plans, key: key).map { Found(entity: entity($0)) }
    }

    /// The entity and its canonical URL, whether the store has it or not.
    func address(_ key: ODataValue, query: TableQuery) throws -> ReadRequest.Address? {
        if let keyed, let urls = keyed.urls {
            let key = try scalar(key, model: query.layout.model)
            return urls.url(key).map {
                ReadRequest.Address(url: $0, entity: KeyedEntity(source: keyed.source, key: key))
            }
        }
        let model = query.layout.model
        guard let source = model.navigationSource(named: name) else { return nil }
        let key = try scalar(key, model: model)
        let url = EntityURL(model: model, version: model.version).canonical(source, key: [key])
        return url.map {
            ReadRequest.Address(url: $0, entity: KeyedEntity(source: source, key: key))
        }
    }

    private func entity(_ batch: RowBatch) -> EntityValue? {
        batch.count == 0 ? nil : EntityValue(entitySet: name, batch, row: 0)
    }

    private func scalar(_ key: ODataValue, model: @autoclosure () -> EdmModel) throws -> Scalar {
        switch (key, form) {
        case (.integer(let value), .integer): return .integer(value)
        case (.string(let value), .string): return .text(value)
        case (.boolean(let value), .boolean): return .integer(value ? 1 : 0)
        case (.string(let text), _), (.number(let text), _):
            return try parsed(text, in: model())
        case (.integer(let value), _): return try parsed(String(value), in: model())
        default: throw mismatch
        }
    }

    private func parsed(_ text: String, in model: EdmModel) throws -> Scalar {
        guard let value = form.parse(Array(text.utf8).span, in: model),
            form.isExact(of: value, text, in: model)
        else { throw mismatch }
        return value.scalar
    }

    private var mismatch: OfflineODataError {
        OfflineODataError(.invalidInput, "the value is no key of \(name)")
    }
}
