import ODataSQLite
import ODataValues
import ODataTables

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Values by their place, in a type of Swift: nothing is made that the caller does not ask for.
extension EntityValue {
    /// The whole number at a place; nil for null and for anything else.
    public func integer(at place: Int) -> Int64? {
        guard let (cell, form) = stored(at: place) else { return self[place].integerValue }
        switch (cell.storage, form) {
        case (.integer, .integer): return cell.integer
        case (.null, .integer): return nil
        default: return self[place].integerValue
        }
    }

    /// The number at a place as a floating-point one; nil for null and for anything else.
    public func double(at place: Int) -> Double? {
        guard let (cell, form) = stored(at: place) else { return self[place].doubleValue }
        switch (cell.storage, form) {
        case (.real, _): return cell.real
        case (.null, _): return nil
        case (.integer, .integer): return Double(cell.integer)
        case (.integer, .scaledDecimal(let scale)) where cell.integer.magnitude < 1 << 53:
            // Both are exact, so that the one division rounds correctly.
            return Double(cell.integer) / Self.powersOfTen[scale]
        default: return self[place].doubleValue
        }
    }

    /// The Boolean at a place; nil for null and for anything else.
    public func boolean(at place: Int) -> Bool? {
        guard let (cell, form) = stored(at: place) else { return self[place].booleanValue }
        return cell.storage == .integer && form == .boolean ? cell.integer != 0 : nil
    }

    /// The text at a place, of numbers too; nil for null, for Booleans and for what has members or items.
    public func string(at place: Int) -> String? {
        guard let (cell, form) = stored(at: place), form == .string else {
            return self[place].text
        }
        return cell.storage == .text ? stored?.string(cell) : nil
    }

    /// Calls a function with the UTF-8 bytes of the string at a place, which costs no string; nil where there is none.
    public func withUTF8<R>(at place: Int, _ body: (ArraySlice<UInt8>) throws -> R) rethrows -> R? {
        guard let (cell, form) = stored(at: place), form == .string else {
            guard let text = self[place].stringValue else { return nil }
            return try body(Array(text.utf8)[...])
        }
        guard cell.storage == .text, let bytes = stored?.bytes(cell) else { return nil }
        return try body(bytes)
    }

    /// The day or the instant at a place, a day as its beginning in UTC; nil for null and for anything else.
    public func date(at place: Int) -> Date? {
        guard let (cell, form) = stored(at: place) else { return self[place].dateValue }
        switch (cell.storage, form) {
        case (.integer, .date): return DateText.date(days: cell.integer)
        case (.integer, .dateTimeOffset):
            // The ticks may not be the whole of the text.
            return stored?.exactText(at: place).flatMap(DateText.date)
                ?? DateText.date(cell.integer)
        default: return nil
        }
    }

    /// The Guid at a place; nil for null and for anything else.
    public func uuid(at place: Int) -> UUID? {
        guard let (cell, form) = stored(at: place), form == .guid, cell.storage == .blob else {
            return self[place].stringValue.flatMap { UUID(uuidString: $0) }
        }
        guard let bytes = stored?.bytes(cell) else { return nil }
        return UUID(bytes)
    }

    /// The entities that an expanded navigation property leads to; nil where it was not expanded.
    public func entities(_ property: String) -> [EntityValue]? {
        if let stored { return stored.entities(property) }
        switch self[property] {
        case .collection(let items): return items.compactMap(EntityValue.init)
        case .object(let members): return [EntityValue(entitySet: "", members: members)]
        case .null: return []
        default: return nil
        }
    }

    /// Those that the scale of a decimal kept as an integer can be.
    private static let powersOfTen: [Double] = (0...ScalarForm.largestScaledPrecision).map {
        (0..<$0).reduce(1) { power, _ in power * 10 }
    }

    private func stored(at place: Int) -> (cell: RowBatch.Cell, form: ScalarForm)? {
        // Bound to a name, the row would be counted once more.
        stored?.value(at: place) ?? nil
    }

    private init?(_ value: ODataValue) {
        guard case .object(let members) = value else { return nil }
        self.init(entitySet: "", members: members)
    }
}

extension ODataValue {
    /// The text of a string or a number.
    fileprivate var text: String? {
        switch self {
        case .string(let text), .number(let text): text
        case .integer(let value): String(value)
        case .double(let value): value.description
        case .null, .boolean, .collection, .object: nil
        }
    }
}

extension UUID {
    fileprivate init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count == 16 else { return nil }
        let b = bytes.startIndex
        self.init(
            uuid: (
                bytes[b], bytes[b + 1], bytes[b + 2], bytes[b + 3], bytes[b + 4], bytes[b + 5],
                bytes[b + 6], bytes[b + 7], bytes[b + 8], bytes[b + 9], bytes[b + 10],
                bytes[b + 11], bytes[b + 12], bytes[b + 13], bytes[b + 14], bytes[b + 15]
            )
        )
    }
}
