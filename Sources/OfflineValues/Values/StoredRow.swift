import ODataValues
import ODataSQLite
import ODataModel
import ODataURL
import ODataAnswers
import ODataTables

/// An entity as it was read: its values are made when they are asked for.
struct StoredRow: Sendable {
    let batch: RowBatch
    let row: Int

    /// All members, as the JSON of an answer has them.
    var members: [(name: String, value: ODataValue)] {
        head + batch.fields(of: row).map { ($0.name, value($0)) } + related
    }

    /// The value of a member; nil where there is none.
    subscript(name: String) -> ODataValue? {
        if let field = batch.fields(of: row).first(where: { $0.name == name }) {
            return value(field)
        }
        return (head + related).last { $0.name == name }?.value
    }

    /// The place of a member.
    func index(of name: String) -> Int? {
        if let place = batch.fields(of: row).firstIndex(where: { $0.name == name }) {
            return place + batch.headCount(row)
        }
        return members.lastIndex { $0.name == name }
    }

    /// The value at a place.
    subscript(place: Int) -> ODataValue {
        if !batch.hasExactTexts(row), let (cell, form) = batch.value(row, at: place) {
            return value(cell, as: form)
        }
        return field(at: place).map { value($0) } ?? members[place].value
    }

    /// The primitive value at a place, with its form; nil where something else is.
    @inline(__always)
    func value(at place: Int) -> (cell: RowBatch.Cell, form: ScalarForm)? {
        batch.value(row, at: place)
    }

    @inline(__always)
    func string(_ cell: RowBatch.Cell) -> String { batch.string(cell) }

    @inline(__always)
    func bytes(_ cell: RowBatch.Cell) -> ArraySlice<UInt8> { batch.bytes(cell) }

    /// The property at a place; nil where something else is.
    private func field(at place: Int) -> RowField? {
        let index = place - batch.headCount(row)
        let fields = batch.fields(of: row)
        return fields.indices.contains(index) ? fields[index] : nil
    }

    /// The exact text of the value at a place; nil where the value itself is exact.
    func exactText(at place: Int) -> String? {
        guard batch.hasExactTexts(row), case .scalar(_, _, let name)? = field(at: place)?.kind
        else {
            return nil
        }
        return batch.exactText(row, named: name)
    }

    /// The entity's link by its set and key; nil where it has none without its parent, or the key is not known.
    var canonicalLink: String? {
        batch.key(of: row).flatMap {
            EntityURL(model: batch.model, version: .v4).canonical(batch.source, key: $0)
        }
    }

    /// The entities that an expanded navigation property leads to; nil where it was not expanded.
    func entities(_ name: String) -> [EntityValue]? {
        guard let nested = batch.nested(of: row).first(where: { $0.name == name }) else {
            return nil
        }
        let set = nested.batch.model.name(of: nested.batch.source)
        return nested.rows(of: row).map { EntityValue(entitySet: set, nested.batch, row: $0) }
    }

    // MARK: Values

    private var head: [(name: String, value: ODataValue)] {
        var head: [(name: String, value: ODataValue)] = []
        if let type = batch.typeName(row) { head.append(("@odata.type", .string("#" + type))) }
        if let etag = batch.etag(row) { head.append(("@odata.etag", .string(etag))) }
        return head
    }

    private var related: [(name: String, value: ODataValue)] {
        batch.nested(of: row).map { ($0.name, Self.value($0, of: row)) }
    }

    /// The members that a row's expanded navigation properties are.
    static func related(_ batch: RowBatch, of row: Int) -> [(name: String, value: ODataValue)] {
        batch.nested(of: row).map { ($0.name, value($0, of: row)) }
    }

    private static func value(_ nested: RowBatch.Nested, of parent: Int) -> ODataValue {
        let entities = nested.rows(of: parent).map { row in
            ODataValue.object(EntityValue(entitySet: "", nested.batch, row: row).members)
        }
        return nested.isCollection ? .collection(entities) : entities.first ?? .null
    }

    private func value(_ field: RowField) -> ODataValue {
        switch field.kind {
        case .scalar(let column, let form, let name):
            if let exact = batch.exactText(row, named: name) { return value(exact, as: form) }
            return value(batch.cell(row, column: column), as: form)
        case .json(let column): return json(batch.cell(row, column: column))
        case .complex(let presence, let fields):
            guard batch.cell(row, column: presence).storage != .null else { return .null }
            return .object(fields.map { ($0.name, value($0)) })
        }
    }

    private func value(_ exact: String, as form: ScalarForm) -> ODataValue {
        var writer = JSONWriter(capacity: exact.utf8.count)
        writer.exact(Array(exact.utf8).span, as: JSONForm(form, in: batch.model))
        return ODataValue(json: writer.bytes) ?? .string(exact)
    }

    private func json(_ cell: RowBatch.Cell) -> ODataValue {
        cell.storage == .null ? .null : ODataValue(json: Array(batch.bytes(cell))) ?? .null
    }

    private func value(_ cell: RowBatch.Cell, as form: ScalarForm) -> ODataValue {
        switch (cell.storage, form) {
        case (.null, _): .null
        case (.integer, .boolean): .boolean(cell.integer != 0)
        case (.integer, .integer): .integer(cell.integer)
        case (.text, .string): .string(batch.string(cell))
        case (.text, .json): json(cell)
        case (.integer, .scaledDecimal), (.real, _), (.text, .decimalText):
            ODataValue(numberText: text(cell, as: form))
        default: .string(text(cell, as: form))
        }
    }

    /// The value as it stands in the JSON of an answer, without quotation marks.
    func text(_ cell: RowBatch.Cell, as form: ScalarForm) -> String {
        if cell.storage == .text, form != .decimalText { return batch.string(cell) }
        var bytes: [UInt8] = []
        form.write(batch.scalar(cell), in: batch.model, into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
