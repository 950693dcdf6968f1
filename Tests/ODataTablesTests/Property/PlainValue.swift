#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A value as the slow evaluator knows it; nothing here is shared with the engine.
enum PlainValue {
    case null
    case boolean(Bool)
    case integer(Int64)
    case decimal(Decimal)
    case double(Double)
    case text(String)
    case guid(String)
    /// Days since some day.
    case day(Int)
    case instant(PlainInstant)
}

/// A date and time with the parts that its offset tells.
struct PlainInstant {
    var year: Int
    var month: Int
    var day: Int
    var seconds: Int
    /// Ticks of 100 ns within the second.
    var fraction: Int
    /// Minutes east of Greenwich.
    var offset: Int

    /// The instant in ticks, whatever the offset.
    var ticks: Int {
        (PlainCalendar.days(year, month, day) * 86_400 + seconds - offset * 60) * 10_000_000
            + fraction
    }

    var text: String {
        let time = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { pad($0, 2) }
        let sign = offset < 0 ? "-" : "+"
        let zone = pad(abs(offset) / 60, 2) + ":" + pad(abs(offset) % 60, 2)
        return PlainCalendar.text(year, month, day) + "T" + time.joined(separator: ":")
            + (fraction == 0 ? "" : "." + pad(fraction, 7)) + (offset == 0 ? "Z" : sign + zone)
    }
}

/// The calendar by counting years and months one by one.
enum PlainCalendar {
    static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    static func length(_ year: Int, _ month: Int) -> Int {
        [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let whole = (1..<year).reduce(0) { $0 + (isLeap($1) ? 366 : 365) }
        return (1..<month).reduce(whole) { $0 + length(year, $1) } + day
    }

    static func text(_ year: Int, _ month: Int, _ day: Int) -> String {
        pad(year, 4) + "-" + pad(month, 2) + "-" + pad(day, 2)
    }
}

func pad(_ number: Int, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
}

// MARK: - Comparison

extension PlainValue {
    var isNull: Bool { if case .null = self { true } else { false } }

    /// Whether a condition holds; null is neither true nor false.
    var truth: Bool? { if case .boolean(let value) = self { value } else { nil } }

    /// The number as a double.
    var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .decimal(let value): Double(value.description)
        case .double(let value): value
        default: nil
        }
    }

    private var decimal: Decimal? {
        switch self {
        case .integer(let value): Decimal(value)
        case .decimal(let value): value
        default: nil
        }
    }

    /// Compares two values that are not null; nil where they have no order, as NaN.
    func order(_ other: PlainValue) -> Int? {
        switch (self, other) {
        case (.boolean(let a), .boolean(let b)): return (a ? 1 : 0) - (b ? 1 : 0)
        case (.text(let a), .text(let b)), (.guid(let a), .guid(let b)): return Self.order(a, b)
        case (.day(let a), .day(let b)): return a - b
        case (.instant(let a), .instant(let b)): return Self.sign(a.ticks, b.ticks)
        case (.integer(let a), .double(let b)): return Self.order(a, b)
        case (.double(let a), .integer(let b)): return Self.order(b, a).map { -$0 }
        case (.double, _), (_, .double):
            guard let a = double, let b = other.double, !a.isNaN, !b.isNaN else { return nil }
            return Self.sign(a, b)
        default:
            guard let a = decimal, let b = other.decimal else { return nil }
            return Self.sign(a, b)
        }
    }

    private static func sign<C: Comparable>(_ a: C, _ b: C) -> Int { a < b ? -1 : a == b ? 0 : 1 }

    /// By code points, which the bytes of UTF-8 follow.
    private static func order(_ a: String, _ b: String) -> Int {
        let (x, y) = (a.unicodeScalars.map(\.value), b.unicodeScalars.map(\.value))
        return x.lexicographicallyPrecedes(y) ? -1 : x == y ? 0 : 1
    }

    /// A whole number and a double, without rounding the whole number.
    private static func order(_ a: Int64, _ b: Double) -> Int? {
        if b.isNaN { return nil }
        if b >= 9_223_372_036_854_775_808 { return -1 }
        if b < -9_223_372_036_854_775_808 { return 1 }
        let whole = Int64(b.rounded(.down))
        if a != whole { return a < whole ? -1 : 1 }
        return b > b.rounded(.down) ? -1 : 0
    }

    /// Compares for an order of rows: null first, NaN last.
    func rowOrder(_ other: PlainValue) -> Int {
        switch (isNull, other.isNull) {
        case (true, true): return 0
        case (true, false): return -1
        case (false, true): return 1
        default: break
        }
        if let order = order(other) { return order }
        let (a, b) = (double?.isNaN ?? false, other.double?.isNaN ?? false)
        return (a ? 1 : 0) - (b ? 1 : 0)
    }
}
