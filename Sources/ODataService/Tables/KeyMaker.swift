import ODataSQL
import ODataValues
import ODataSQLite
import ODataAnswers
import ODataModel
import ODataPayload
import ODataTables

/// Gives keys to entities created without: the next number, a random Guid, a random text.
struct KeyMaker {
    let rows: RowEditor

    /// Length of random texts that no facet makes shorter.
    private static let textLength = 12

    /// Sets the parts of a key that a body does not mention.
    func completeKey(of body: inout EntityBody, in table: TableLayout) throws {
        for slot in table.keyColumns {
            switch body.value(of: slot) {
            case nil: body.set(try made(slot, of: body, in: table), slot: slot)
            case .null:
                throw EditError(
                    .invalid,
                    "\(table.columns[slot].path.joined(separator: "/")) cannot be null: it is part of the key"
                )
            default: continue
            }
        }
        // The complex values that hold parts of a key are there.
        for slot in table.columns.indices where table.holdsKey(slot) && !body.mentions(slot) {
            body.set(.integer(1), slot: slot)
        }
    }

    private func made(_ slot: Int, of body: EntityBody, in table: TableLayout) throws -> Scalar {
        let column = table.columns[slot]
        switch column.form {
        case .integer: return try nextNumber(column, in: table)
        case .guid: return .blob(Self.randomGuid())
        case .string: return .text(Self.randomText(limit(of: column, in: body)))
        default:
            throw EditError(
                .invalid,
                "the key property \(column.path.joined(separator: "/")) is missing"
            )
        }
    }

    /// One more than the largest ever used: a deleted entity's key never means another one later.
    func nextNumber(_ column: Column, in table: TableLayout) throws -> Scalar {
        let largest =
            try rows.connection.integer("SELECT max(\(column.sql)) FROM \(table.sql)") ?? 0
        let place = "key:\(table.name)/\(column.name)"
        var number = largest
        if case .integer(let used)? = try rows.connection.metaValue(place) {
            number = max(largest, used)
        }
        guard number < Self.largest(column.form) else {
            throw EditError(.invalid, "the numbers of \(table.name) are used up")
        }
        try rows.connection.setMetaValue(place, to: .integer(number + 1))
        return .integer(number + 1)
    }

    private static func largest(_ form: ScalarForm?) -> Int64 {
        switch form {
        case .integer(.byte): 255
        case .integer(.sbyte): 127
        case .integer(.int16): Int64(Int16.max)
        case .integer(.int32): Int64(Int32.max)
        default: .max
        }
    }

    private func limit(of column: Column, in body: EntityBody) -> Int {
        guard let name = column.path.first, column.path.count == 1,
            case .length(let limit)? = rows.layout.model.property(name, of: body.plan.type)?
                .type.facets.maxLength
        else { return Self.textLength }
        return min(limit, Self.textLength)
    }

    /// A Guid of version 4 (RFC 9562 § 5.4).
    static func randomGuid() -> [UInt8] {
        var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes
    }

    /// Letters and digits that look different from each other.
    private static func randomText(_ length: Int) -> String {
        let alphabet = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ")
        return String((0..<length).map { _ in alphabet[Int.random(in: alphabet.indices)] })
    }
}
