import ODataValues
import ODataAnswers
import ODataModel
package import ODataTables
import Synchronization

/// An entity as an application reads and writes it: its properties by name, and what the store knows of it.
public struct EntityValue: Sendable {
    /// The entity set that it belongs to.
    public var entitySet: String
    /// The row of a batch that it is, where nothing was set in it.
    ///
    /// It stands here, not among the rest: a value of a row is then read without a copy, which counts where many are.
    private(set) var stored: StoredRow?
    /// Members and past of all others; behind one reference, since most are rows, and every copy counts it.
    private var rest: Rest?
    private static let lastTemporaryID = Atomic<Int64>(0)

    /// Returns an identity that no row has.
    private static func temporaryID() -> Int64 {
        -lastTemporaryID.add(1, ordering: .relaxed).newValue
    }

    /// What the members are read from where they are not those of a row.
    private enum Content: Sendable {
        case written(WrittenObject)
        case own([(name: String, value: ODataValue)])
    }

    /// What says which entity it is.
    private enum Origin: Sendable {
        case row(StoredRow)
        case members(TableSchema)
    }

    private final class Rest: Sendable {
        /// The members; nil while they are those of the row.
        let content: Content?
        /// Where it was read, whatever was set since.
        let origin: Origin?
        /// The entity's number where it was not read as a row.
        let ownID: Int64
        /// What was set since it was read.
        let assigned: [String: AssignedMember]

        init(
            _ content: Content?,
            origin: Origin? = nil,
            id ownID: Int64 = 0,
            assigned: [String: AssignedMember] = [:]
        ) {
            (self.content, self.origin, self.assigned) = (content, origin, assigned)
            self.ownID = ownID
        }
    }

    private var origin: Origin? { stored.map { .row($0) } ?? rest?.origin }

    /// Number of the entity's row in its store; negative for one that is in none.
    package var rowID: Int64 {
        if case .row(let stored)? = origin { return stored.batch.id(of: stored.row) }
        return rest?.ownID ?? 0
    }

    /// What was set since it was read.
    package var assigned: [String: AssignedMember] { rest?.assigned ?? [:] }

    /// Properties and inline entities in order, control information among them under its `@odata.` and `@sap.` names.
    public private(set) var members: [(name: String, value: ODataValue)] {
        get {
            if let stored { return stored.members }
            switch rest?.content {
            case .written(let written): return written.members
            case .own(let members): return members
            case nil: return []
            }
        }
        set {
            rest = Rest(.own(newValue), origin: origin, id: rest?.ownID ?? 0, assigned: assigned)
            stored = nil
        }
    }

    /// Creates an entity that is not in any store yet.
    public init(entitySet: String, _ members: KeyValuePairs<String, ODataValue> = [:]) {
        self.entitySet = entitySet
        rest = Rest(.own(members.map { ($0.key, $0.value) }), id: Self.temporaryID())
    }

    /// - Parameters:
    ///   - row: The entity's row, where it is one.
    ///   - schema: The schema of the store that it was read from.
    package init(
        entitySet: String,
        members: [(name: String, value: ODataValue)],
        row: Int64? = nil,
        schema: TableSchema? = nil
    ) {
        self.entitySet = entitySet
        let origin = row == nil ? nil : schema.map { Origin.members($0) }
        rest = Rest(.own(members), origin: origin, id: row ?? Self.temporaryID())
    }

    /// Takes an entity as it was written.
    package init(entitySet: String, _ written: WrittenObject, row: Int64) {
        self.entitySet = entitySet
        rest = Rest(.written(written), id: row)
    }

    /// Takes a row of a batch; one that holds more than values is read from its JSON at once.
    package init(entitySet: String, _ batch: RowBatch, row: Int) {
        self.entitySet = entitySet
        let stored = StoredRow(batch: batch, row: row)
        guard let json = batch.object(row) else {
            self.stored = stored
            return
        }
        var members = StoredRow.related(batch, of: row)
        if case .object(let values)? = ODataValue(json: json) { members = values + members }
        rest = Rest(.own(members), origin: .row(stored))
    }

    /// The value of a property; nil where the entity does not have it.
    public subscript(name: String) -> ODataValue? {
        get {
            if let stored { return stored[name] }
            return members.last { $0.name == name }?.value
        }
        set {
            // The store's own information is no value of the application's.
            if isRead, !name.hasPrefix("@") { remember(newValue, of: name) }
            var own = members
            // Held once only, it is changed where it is.
            members = []
            let place = own.lastIndex { $0.name == name }
            switch (place, newValue) {
            case (let place?, let value?): own[place].value = value
            case (let place?, nil): own.remove(at: place)
            case (nil, let value?): own.append((name, value))
            case (nil, nil): break
            }
            members = own
        }
    }

    private mutating func remember(_ value: ODataValue?, of name: String) {
        var assigned = assigned
        let read = assigned[name] == nil ? self[name] : nil
        assigned[name, default: AssignedMember(read)].set(value)
        rest = Rest(rest?.content, origin: origin, id: rest?.ownID ?? 0, assigned: assigned)
    }

    /// Returns the place of a property in `members`; entities of one answer have the same places as long as they have the same type.
    public func index(of name: String) -> Int? {
        if let stored { return stored.index(of: name) }
        return members.firstIndex { $0.name == name }
    }

    /// The value at a place.
    public subscript(index: Int) -> ODataValue {
        stored?[index] ?? members[index].value
    }

    /// The entity as a value of the application's own type, whose coding keys are the properties' names.
    ///
    /// - Throws: `DecodingError` where a value does not fit the type.
    public func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try ODataValueDecoder(.object(members), at: [], in: model).value(of: type)
    }

    /// The model of the store that it was read from.
    private var model: (() -> EdmModel)? {
        switch origin {
        case .row(let stored):
            let batch = stored.batch
            return { batch.model }
        case .members(let schema): return { schema.model }
        case nil: return nil
        }
    }

    // MARK: What the store knows

    /// Whether it was read from a store: what was not set since is no part of a change.
    package var isRead: Bool { rowID > 0 }

    /// URL by which the store finds the entity, relative to the service root; nil before it is created.
    public package(set) var readLink: String? {
        get { self["@odata.readLink"]?.stringValue ?? canonicalLink }
        set { self["@odata.readLink"] = newValue.map { .string($0) } }
    }

    /// The link by set and key; nil for what has none without its parent.
    private var canonicalLink: String? {
        switch origin {
        case .row(let stored): stored.canonicalLink
        case .members(let schema): try? canonicalLink(in: schema)
        case nil: nil
        }
    }

    /// The ETag that the service gave.
    public var etag: String? { self["@odata.etag"]?.stringValue }

    /// Whether it was changed here, and the result not downloaded since.
    public var isLocal: Bool { self["@sap.isLocal"]?.booleanValue ?? false }

    /// Whether a change waits to be sent.
    public var hasPendingChanges: Bool { self["@sap.hasPendingChanges"]?.booleanValue ?? false }

    /// Whether the service refused a change.
    public var inErrorState: Bool { self["@sap.inErrorState"]?.booleanValue ?? false }

    /// Whether the service has a newer version than the one that was changed here.
    public var hasConflict: Bool { self["@sap.hasConflict"]?.booleanValue ?? false }

    /// Whether an entity to which a navigation property leads was changed here; known where
    /// ``OfflineODataParameters/Values/showsStatesOfRelatives`` is set.
    public var hasLocalRelatives: Bool { self["@sap.hasLocalRelatives"]?.booleanValue ?? false }

    /// Whether a change of such an entity waits to be sent.
    public var hasRelativesWithPendingChanges: Bool {
        self["@sap.hasRelativesWithPendingChanges"]?.booleanValue ?? false
    }

    /// Whether the service refused a change of such an entity.
    public var hasRelativesInErrorState: Bool {
        self["@sap.hasRelativesInErrorState"]?.booleanValue ?? false
    }

    /// The entity's properties as the body of a request, without what the store knows.
    package func body() -> [UInt8] {
        let sent = members.filter { !$0.name.hasPrefix("@") || $0.name == "@odata.type" }
        var writer = JSONWriter(capacity: 256)
        ODataValue.object(sent).write(to: &writer)
        return writer.bytes
    }
}
