import TestSupport
import Testing

/// Random filters, orders and expands over random rows, against an evaluator that shares nothing with the engine.
@Suite struct PropertyTests {
    private static let rowCount = 20
    /// Questions asked of one set of rows.
    private static let questionsPerSet = 250

    @Test(arguments: 0..<8)
    func answersAsThePlainEvaluatorDoes(part: Int) throws {
        let sets = TestScale.size(1, soak: 50)
        for set in 0..<sets {
            var run = try Run(seed: UInt64(part * 1000 + set), rows: Self.rowCount)
            for question in 0..<Self.questionsPerSet {
                let fault = run.ask(question)
                #expect(
                    fault == nil,
                    "seed \(part * 1000 + set), question \(question): \(fault ?? "")"
                )
                if fault != nil { break }
            }
        }
    }

    /// One set of rows in tables of its own.
    private struct Run {
        let tables: SmallTables
        let plain: PlainEvaluator
        var maker: ExpressionMaker

        init(seed: UInt64, rows count: Int) throws {
            var values = PlainValueMaker(random: SeededGenerator(seed: seed))
            let rows = values.rows(count)
            tables = try SmallTables(Array(PlainRow.metadata.utf8))
            let table = try tables.table("As")
            for row in rows { try tables.insert(row.json, into: table) }
            plain = PlainEvaluator(rows: rows)
            maker = ExpressionMaker(values)
        }

        /// Asks one question; what is wrong with the answer, if anything.
        mutating func ask(_ number: Int) -> String? {
            number % 5 == 4 ? expand() : filter()
        }

        private mutating func filter() -> String? {
            let condition = maker.condition(3)
            let order = maker.order(maker.values.integer(0...3))
            var url = "As?$select=ID&$filter=" + condition.text().percentEncoded
            if !order.isEmpty { url += "&$orderby=" + Self.text(order).percentEncoded }
            var expected = plain.sorted(plain.rows.filter { plain.keeps(condition, $0) }, by: order)
            if maker.values.chance(20) {
                let (skip, top) = (maker.values.integer(0...4), maker.values.integer(0...6))
                url += "&$skip=\(skip)&$top=\(top)"
                expected = Array(expected.dropFirst(skip).prefix(top))
            }
            return compare(url, expected.map { String($0.id) }, condition.text()) {
                $0["ID"]?.text ?? ""
            }
        }

        /// Expands the rows below with a condition, an order and a limit of their own.
        private mutating func expand() -> String? {
            let condition = maker.condition(1)
            let order = maker.order(maker.values.integer(0...2))
            let top = maker.values.chance(40) ? maker.values.integer(0...2) : nil
            var inner = "$select=ID;$filter=" + condition.text().percentEncoded
            if !order.isEmpty { inner += ";$orderby=" + Self.text(order).percentEncoded }
            if let top { inner += ";$top=\(top)" }
            let url = "As?$select=ID&$expand=Up($select=ID),Down(\(inner))"
            let expected = plain.rows.map { row -> String in
                let below = plain.sorted(
                    plain.below(row).filter { plain.keeps(condition, $0) },
                    by: order
                )
                let ids = below.prefix(top ?? .max).map { String($0.id) }
                let up = plain.rows.first { $0.id == row.up }.map { String($0.id) }
                return "\(row.id)<\(up ?? "")>" + ids.joined(separator: ",")
            }
            return compare(url, expected, condition.text()) { row in
                let ids = row["Down"]?.items.map { $0["ID"]?.text ?? "" } ?? []
                return "\(row["ID"]?.text ?? "")<\(row["Up"]?["ID"]?.text ?? "")>"
                    + ids.joined(separator: ",")
            }
        }

        private func compare(
            _ url: String,
            _ expected: [String],
            _ condition: String,
            _ describe: (JSONValue) -> String
        ) -> String? {
            do {
                let found = try tables.entities(url).map(describe)
                return found == expected ? nil : "\(condition)\n\(url)\n\(found), not \(expected)"
            } catch {
                return "\(condition)\n\(url)\n\(error)"
            }
        }

        private static func text(_ order: [(expression: PlainExpression, isDescending: Bool)])
            -> String
        {
            order.map { $0.expression.text() + ($0.isDescending ? " desc" : "") }.joined(
                separator: ","
            )
        }
    }
}

extension String {
    /// The text as it stands in a query option.
    var percentEncoded: String {
        var result = ""
        for byte in utf8 {
            let isPlain =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte) || "-._~/(),$:".utf8.contains(byte)
            let digits = String(byte, radix: 16, uppercase: true)
            result += isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + digits
        }
        return result
    }
}
