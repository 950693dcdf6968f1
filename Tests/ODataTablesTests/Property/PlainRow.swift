import TestSupport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An entity of the property test.
struct PlainRow {
    var id: Int
    var values: [String: PlainValue]
    var tags: [String]
    /// The key of the row that it belongs to.
    var up: Int?

    /// Properties of every kind of value.
    static let metadata = """
        <edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.0"><edmx:DataServices>
        <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="N">
        <EntityType Name="A"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="I" Type="Edm.Int32"/><Property Name="L" Type="Edm.Int64"/><Property Name="S" Type="Edm.String"/>
        <Property Name="T" Type="Edm.String"/><Property Name="D" Type="Edm.Double"/>
        <Property Name="P" Type="Edm.Decimal" Precision="12" Scale="2"/><Property Name="M" Type="Edm.Decimal" Scale="variable"/>
        <Property Name="B" Type="Edm.Boolean"/><Property Name="At" Type="Edm.DateTimeOffset" Precision="7"/>
        <Property Name="Day" Type="Edm.Date"/><Property Name="G" Type="Edm.Guid"/>
        <Property Name="Tags" Type="Collection(Edm.String)" Nullable="false"/><Property Name="UpID" Type="Edm.Int32"/>
        <NavigationProperty Name="Up" Type="N.A" Partner="Down"><ReferentialConstraint Property="UpID" ReferencedProperty="ID"/></NavigationProperty>
        <NavigationProperty Name="Down" Type="Collection(N.A)" Partner="Up"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="As" EntityType="N.A"><NavigationPropertyBinding Path="Up" Target="As"/>
        <NavigationPropertyBinding Path="Down" Target="As"/></EntitySet></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    /// The row as a payload says it.
    var json: String {
        var members = ["\"ID\":\(id)"]
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            members.append("\"\(name)\":" + Self.json(value))
        }
        members.append(
            "\"Tags\":[" + tags.map { Self.json(.text($0)) }.joined(separator: ",") + "]"
        )
        members.append("\"UpID\":" + (up.map(String.init) ?? "null"))
        return "{" + members.joined(separator: ",") + "}"
    }

    private static func json(_ value: PlainValue) -> String {
        switch value {
        case .null: return "null"
        case .boolean(let value): return String(value)
        case .integer(let value): return String(value)
        case .decimal(let value): return value.description
        case .double(let value):
            if value.isNaN { return "\"NaN\"" }
            return value.isInfinite ? (value < 0 ? "\"-INF\"" : "\"INF\"") : "\(value)"
        case .guid(let text): return "\"\(text)\""
        case .day: return "\"\(PlainDay.text(value))\""
        case .instant(let instant): return "\"\(instant.text)\""
        case .text(let text):
            var json = "\""
            for scalar in text.unicodeScalars {
                let isPlain = scalar.value >= 0x20 && scalar != "\"" && scalar != "\\"
                json += isPlain ? String(scalar) : "\\u" + hexadecimal(scalar.value)
            }
            return json + "\""
        }
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }
}

/// Days of the property test: few, so that comparisons meet.
enum PlainDay {
    static let all: [(year: Int, month: Int, day: Int)] = [
        (1, 1, 1), (1900, 2, 28), (1999, 12, 31), (2000, 2, 29), (2000, 3, 1), (2024, 6, 15),
        (9999, 12, 31),
    ]

    static func value(_ index: Int) -> PlainValue {
        .day(PlainCalendar.days(all[index].year, all[index].month, all[index].day))
    }

    static func text(_ value: PlainValue) -> String {
        guard case .day(let days) = value else { return "" }
        for day in all where PlainCalendar.days(day.year, day.month, day.day) == days {
            return PlainCalendar.text(day.year, day.month, day.day)
        }
        return ""
    }
}

/// Makes values: few different ones, extremes among them.
struct PlainValueMaker {
    var random: SeededGenerator

    private static let texts = [
        "", " ", "a", "A", "ab", "Ab", "b", "ä", "a\u{308}", "Ä", "ß", "%", "_", "a%", "'", "O''N",
        "\u{0}", "a\u{0}b", "日本",
        "日", "🙂", "🙂x", " a ", "zz", "\\", "\"", "a;b", "null", "1", "\u{FFFD}", "\u{E000}", "é",
        "İ",
    ]
    private static let longs: [Int64] = [
        .min, .min + 1, -9_007_199_254_740_993, -1, 0, 1, 2, 9_007_199_254_740_993, .max - 1, .max,
    ]
    private static let doubles: [Double] = [
        0, 1, -1, 0.5, 1.5, 2.5, -2.5, 1e300, -1e300, .leastNonzeroMagnitude, 9_007_199_254_740_992,
        0.1, .infinity,
        -.infinity, .nan,
    ]
    private static let decimals = [
        "0", "1", "-1", "0.1", "0.10", "1.5", "2.5", "-2.5", "1.005", "99999999999999999999.5",
        "-99999999999999999999.5", "0.000000000000001", "1.25", "3",
    ]
    private static let prices = [
        "0", "1", "-1", "0.1", "1.5", "2.5", "9999999999.99", "-0.01", "1.25",
    ]

    mutating func integer(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &random)
    }
    mutating func chance(_ percent: Int) -> Bool { integer(1...100) <= percent }
    mutating func pick<Item>(_ items: [Item]) -> Item { items[integer(0...(items.count - 1))] }

    /// A value of a property, null now and then where that may be.
    mutating func value(of property: String, isNullable: Bool = true) -> PlainValue {
        if isNullable, chance(20) { return .null }
        switch property {
        case "ID": return .integer(Int64(integer(1...20)))
        case "I", "UpID":
            return .integer(
                Int64(chance(15) ? pick([-2_147_483_648, 2_147_483_647]) : integer(-3...8))
            )
        case "L": return .integer(pick(Self.longs))
        case "S", "T": return .text(pick(Self.texts))
        case "D": return .double(pick(Self.doubles))
        case "P": return .decimal(Decimal(string: pick(Self.prices)) ?? 0)
        case "M": return .decimal(Decimal(string: pick(Self.decimals)) ?? 0)
        case "B": return .boolean(chance(50))
        case "Day": return PlainDay.value(integer(0...6))
        case "G":
            let digits = pick(["0", "1", "a", "f"])
            return .guid("\(digits)0000000-0000-0000-0000-00000000000\(pick(["0", "1", "f"]))")
        default: return .instant(instant())
        }
    }

    private mutating func instant() -> PlainInstant {
        let day = PlainDay.all[integer(1...5)]
        return PlainInstant(
            year: day.year,
            month: day.month,
            day: day.day,
            seconds: pick([0, 1, 3599, 43_200, 86_399]),
            fraction: pick([0, 0, 5_000_000, 1]),
            offset: pick([0, 0, 60, -90, 840, -840])
        )
    }

    mutating func rows(_ count: Int) -> [PlainRow] {
        (1...count).map { id in
            var values: [String: PlainValue] = [:]
            for name in ["I", "L", "S", "T", "D", "P", "M", "B", "Day", "G", "At"] {
                values[name] = value(of: name)
            }
            let tags = (0..<integer(0...3)).map { _ in pick(["a", "b", "", "ä", "A"]) }
            return PlainRow(
                id: id,
                values: values,
                tags: tags,
                up: chance(70) ? integer(1...count) : nil
            )
        }
    }
}
