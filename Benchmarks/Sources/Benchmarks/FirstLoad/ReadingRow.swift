/// One entity of the first-load benchmark, made from its number.
struct ReadingRow {
    private static let cities = ["Hamburg", "München", "Leeds", "Łódź", "Besançon", "Wellington"]
    private static let states = ["new", "checked", "sent", "paid"]
    private static let words = [
        "pump", "valve", "filter", "replaced", "inspected", "basement", "kitchen", "roof", "noise",
        "pressure", "before", "after", "customer", "called", "again", "tomorrow", "größer", "été",
    ]

    private let row: Int
    private let keys: ReadingPages.Keys
    /// SplitMix64 (https://prng.di.unimi.it/splitmix64.c), started from the number of the row.
    private var state: UInt64

    /// Prepares an entity.
    ///
    /// - Parameter version: Entities of one number have other values in each version.
    init(_ row: Int, keys: ReadingPages.Keys, version: Int = 0) {
        self.row = row
        self.keys = keys
        state = UInt64(row) &* 0xD6E8_FEB8_6659_FD93 &+ UInt64(version) &* 0x2545_F491_4F6C_DD1D
    }

    /// Appends the entity as JSON.
    consuming func write(to bytes: inout [UInt8]) {
        let key = keys == .guid ? "\"\(guid())\"" : String(1_000 + row)
        bytes.append(contentsOf: #"{"ID":\#(key),"Code":"R-\#(padded(row, 8))""#.utf8)
        bytes.append(contentsOf: #","Name":"\#(sentence(3))""#.utf8)
        let comment = below(10) < 3 ? "null" : "\"\(sentence(4 + below(12)))\""
        bytes.append(contentsOf: #","Comment":\#(comment)"#.utf8)
        let city = below(10) == 0 ? "null" : "\"\(Self.cities[below(6)])\""
        bytes.append(contentsOf: #","City":\#(city),"State":"\#(Self.states[below(4)])""#.utf8)
        bytes.append(contentsOf: #","Count":\#(below(100_000) - 50_000)"#.utf8)
        bytes.append(contentsOf: #","Amount":\#(below(9_000_000)).\#(padded(below(100), 2))"#.utf8)
        let factor = below(1_000_000_000)
        bytes.append(contentsOf: #","Factor":\#(below(100)).\#(padded(factor, 9))"#.utf8)
        let temperature = below(5) == 0 ? "null" : "\(below(80) - 30).\(below(10))"
        bytes.append(contentsOf: #","Temperature":\#(temperature)"#.utf8)
        bytes.append(contentsOf: #","IsValid":\#(below(2) == 0)"#.utf8)
        bytes.append(contentsOf: #","CreatedAt":"\#(instant())""#.utf8)
        let changed = below(4) == 0 ? "null" : "\"\(instant())\""
        bytes.append(contentsOf: #","ChangedAt":\#(changed),"Reference":"\#(guid())""#.utf8)
        bytes.append(contentsOf: #","Day":"\#(day())"}"#.utf8)
    }

    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    private mutating func below(_ bound: Int) -> Int {
        Int(next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    private mutating func sentence(_ count: Int) -> String {
        (0..<count).map { _ in Self.words[below(Self.words.count)] }.joined(separator: " ")
    }

    private mutating func instant() -> String {
        let time = [below(24), below(60), below(60)].map { padded($0, 2) }.joined(separator: ":")
        return "\(day())T\(time).\(padded(below(1_000), 3))Z"
    }

    private mutating func day() -> String {
        "\(2_015 + below(11))-\(padded(1 + below(12), 2))-\(padded(1 + below(28), 2))"
    }

    private mutating func guid() -> String {
        let digits = Array(hexadecimal(next()) + hexadecimal(next()))
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
            .map { String(digits[$0]) }
            .joined(separator: "-")
    }

    private func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    private func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
