import ODataSQL
import ODataValues
import ODataModel
import ODataTables
import ODataText

/// Checks a value against the facets of its property (OData CSDL 4.01 § 7.2).
struct ValueFacets {
    private let facets: Facets
    private let layout: Layout

    init(_ facets: Facets, layout: Layout) {
        self.facets = facets
        self.layout = layout
    }

    /// What is wrong with a value, as the end of a sentence that begins with the property's name; nil where nothing is.
    func fault(of item: EntityBody.SlotValue, in column: Column) -> String? {
        guard !UnknownValue.isUnknown(item.value, in: column), case .scalar(let form) = column.kind
        else { return nil }
        return fault(of: item.value, exact: item.exact, form)
    }

    /// What is wrong with a value that stands for itself, as the end of a sentence; nil where nothing is.
    func fault(of value: Scalar, exact: String?, _ form: ScalarForm) -> String? {
        switch (value, form) {
        case (.text(let text), .string): length(text.unicodeScalars.count)
        case (.blob(let bytes), .binary): length(bytes.count)
        case (.integer(let number), .enumeration(let id)): member(number, of: layout.model[id])
        default: digits(exact, value: value, as: form)
        }
    }

    private func length(_ count: Int) -> String? {
        guard case .length(let limit)? = facets.maxLength, count > limit else { return nil }
        return "is longer than \(limit)"
    }

    /// A value is that of a member; with flags it is made of members (OData CSDL XML 4.01 §§ 10.2, 10.3).
    private func member(_ number: Int64, of type: EnumType) -> String? {
        let values = type.members.map(\.value)
        let isMade =
            type.isFlags
            ? number & ~values.reduce(0, |) == 0 : values.isEmpty || values.contains(number)
        return isMade ? nil : "has the value \(number), which is no member of \(type.name)"
    }

    private func digits(_ exact: String?, value: Scalar, as form: ScalarForm) -> String? {
        switch form {
        case .scaledDecimal, .decimalText: decimal(exact ?? text(of: value, form))
        case .dateTimeOffset, .timeOfDay, .duration: fraction(exact, value: value)
        default: nil
        }
    }

    private func text(of value: Scalar, _ form: ScalarForm) -> String {
        var bytes: [UInt8] = []
        form.write(value, in: layout.model, into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Digits before and behind the point, without zeros that say nothing.
    private func decimal(_ text: String) -> String? {
        guard let digits = SignificantDigits(text) else {
            // OData CSDL XML 4.01 § 7.2.4.
            return facets.scale == .floating
                ? nil : "is no number, which Scale=\"floating\" alone allows"
        }
        if case .digits(let scale)? = facets.scale, digits.fraction > scale {
            return "has more than \(scale) digits behind the point"
        }
        guard let precision = facets.precision else { return nil }
        if facets.scale == .floating {
            // The exponent says where the point is (§ 7.2.3).
            return digits.count > precision ? "has more than \(precision) digits" : nil
        }
        var before = precision
        if case .digits(let scale)? = facets.scale { before -= scale }
        if digits.whole > before { return "has more than \(before) digits before the point" }
        let all = digits.whole + digits.fraction
        return all > precision ? "has more than \(precision) digits" : nil
    }

    private func fraction(_ exact: String?, value: Scalar) -> String? {
        guard let precision = facets.precision, case .integer(let ticks) = value,
            exact.map(Self.digitsOfSecond) ?? Self.digitsOfSecond(ticks) > precision
        else { return nil }
        return "has more than \(precision) digits of a second"
    }

    /// How many digits a number of ticks has behind its seconds: they are 100 ns.
    private static func digitsOfSecond(_ ticks: Int64) -> Int {
        let size = 7
        var rest = ticks % 10_000_000
        guard rest != 0 else { return 0 }
        var count = size
        while rest % 10 == 0 {
            rest /= 10
            count -= 1
        }
        return count
    }

    /// How many digits a text has behind its point, without idle zeros.
    private static func digitsOfSecond(_ text: String) -> Int {
        guard let point = text.utf8.firstIndex(of: UInt8(ascii: ".")) else { return 0 }
        var digits = text.utf8[text.utf8.index(after: point)...].prefix(while: ASCII.isDigit)
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        return digits.count
    }
}

/// How many digits a decimal number has on both sides of its point, and between its first and its last that are no zeros.
struct SignificantDigits: Equatable {
    var whole: Int
    var fraction: Int
    var count: Int

    /// Counts the digits of a number as JSON or a literal has it, `-12.50` or `1.25e3`; nil where it is none.
    init?(_ text: String) {
        let parts = text.utf8.split(
            maxSplits: 1,
            omittingEmptySubsequences: false,
            whereSeparator: { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }
        )
        guard let mantissa = parts.first else { return nil }
        let exponent = parts.count > 1 ? Int(String(Substring(parts[1]))) : 0
        guard let exponent, abs(exponent) < 1_000 else { return nil }
        var digits: [UInt8] = []
        var point: Int?
        for byte in mantissa {
            switch byte {
            case UInt8(ascii: "."): point = digits.count
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits.append(byte)
            case UInt8(ascii: "-"), UInt8(ascii: "+"): continue
            default: return nil
            }
        }
        // The number is 0.digits times ten to this power.
        var power = (point ?? digits.count) + exponent
        let zero = UInt8(ascii: "0")
        while digits.last == zero { digits.removeLast() }
        let leading = digits.prefix { $0 == zero }.count
        digits.removeFirst(leading)
        power -= leading
        count = digits.count
        guard !digits.isEmpty else {
            (whole, fraction) = (0, 0)
            return
        }
        whole = max(0, power)
        fraction = max(0, digits.count - power)
    }
}
