internal import CYardsticks
import ODataProtocol
import OfflineOData

/// Reads of a million entities of one set.
struct ReadingLines {
    let lines: [ReadLine]

    private static let top =
        "Readings?$filter=State eq 'paid' and Amount gt 5000000&$orderby=Amount desc&$top=100"

    init(_ store: ReadStore, rows: Int) async throws {
        let key = try await store.provider.explainQuery("Readings(1000)").statements[0].sql
        let top = Self.plain
        let count = "Readings/$count?$filter=Count gt 1000 and IsValid eq true"
        let groups = "Readings?$apply=groupby((City),aggregate(Count with sum as Sum,$count as N))"
        let maker = Maker(store: store, rows: rows)
        lines = [
            maker.byKey(key),
            maker.byURL(key),
            maker.values("top 100, filtered and ordered", Self.top, top, repeats: 300),
            maker.values(
                "the same, texts as strings",
                Self.top,
                top,
                repeats: 300,
                makesStrings: true
            ),
            maker.json(
                "top 100 as JSON, against json_object()",
                Self.top,
                Self.object,
                repeats: 300
            ),
            maker.json("$count with a filter", count, try await store.sql(count)[0], repeats: 1),
            maker.values("groupby", groups, try await store.sql(groups)[0], repeats: 1),
            maker.translation(Self.top, top),
        ]
    }

    /// The statement as one writes it who need not ask whether a number has more digits than its column: that takes functions of the
    /// product, which bare SQLite does not have.
    private static let plain = """
        SELECT * FROM "Readings" WHERE "State" = 'paid' AND "Amount" > 500000000 \
        ORDER BY "Amount" DESC, "ID" LIMIT 100
        """

    /// The rows as SQLite's own function makes JSON of them.
    private static let object: String = {
        let names = [
            "ID", "Code", "Name", "Comment", "City", "State", "Count", "Amount", "Factor",
            "Temperature", "IsValid", "CreatedAt", "ChangedAt", "Reference", "Day",
        ]
        let members = names.map { name in
            "'\(name)', " + (name == "Reference" ? "hex(\"\(name)\")" : "\"\(name)\"")
        }
        return """
            SELECT json_object(\(members.joined(separator: ","))) FROM "Readings" \
            WHERE "State" = 'paid' AND "Amount" > 500000000 ORDER BY "Amount" DESC, "ID" LIMIT 100
            """
    }()

    /// Makes the lines.
    private struct Maker {
        let store: ReadStore
        let rows: Int

        static let keyRepeats = 5_000

        var yardstick: ReadYardstick { ReadYardstick(path: store.path) }

        /// Keys far apart, so that pages are not met by accident.
        var step: Int { max(1, rows / Self.keyRepeats) }

        func key(_ turn: Int) -> Int { 1_000 + step * turn }

        func byKey(_ sql: String) -> ReadLine {
            ReadLine(
                name: "by key",
                limit: "1.25",
                repeats: Self.keyRepeats,
                yardstick: { try read(sql, Self.keyRepeats) },
                store: {
                    var values = ReadValues()
                    for turn in 0..<Self.keyRepeats {
                        let key = ODataValue.integer(Int64(key(turn)))
                        guard let entity = try store.provider.entity(in: "Readings", key: key)
                        else {
                            throw BenchmarkError("there is no entity \(key)")
                        }
                        values.read(entity, ReadValues.reading)
                    }
                }
            )
        }

        func byURL(_ sql: String) -> ReadLine {
            ReadLine(
                name: "by key, from its URL; C prepares each time",
                limit: "",
                repeats: Self.keyRepeats,
                yardstick: {
                    try yardstick.readPreparedAnew(sql, repeats: Self.keyRepeats, step: step)
                },
                store: {
                    for turn in 0..<Self.keyRepeats {
                        try query("Readings(\(key(turn)))", expecting: 1)
                    }
                }
            )
        }

        func values(
            _ name: String,
            _ url: String,
            _ sql: String,
            repeats: Int,
            makesStrings: Bool = false
        ) -> ReadLine {
            ReadLine(
                name: name,
                limit: makesStrings ? "" : "1.25",
                repeats: repeats,
                yardstick: { try read(sql, repeats) },
                store: { for _ in 0..<repeats { try query(url, makesStrings: makesStrings) } }
            )
        }

        private func query(
            _ url: String,
            expecting count: Int? = nil,
            makesStrings: Bool = false
        ) throws {
            let entities = try store.provider.executeQuery(url)
            if let count, entities.count != count { throw BenchmarkError("\(url) has no answer") }
            var values = ReadValues(makesStrings: makesStrings)
            // Rows of a groupby are few, and no readings.
            guard entities.first?.index(of: "ID") == 0 else { return }
            for entity in entities { values.read(entity, ReadValues.reading) }
        }

        func json(_ name: String, _ url: String, _ sql: String, repeats: Int) -> ReadLine {
            ReadLine(
                name: name,
                limit: name.hasPrefix("top") ? "1.00" : "1.25",
                repeats: repeats,
                yardstick: { try read(sql, repeats) },
                store: {
                    for _ in 0..<repeats {
                        let response = store.provider.respond(
                            to: HTTPRequest(method: "GET", url: url)
                        )
                        guard response.status == 200 else {
                            throw BenchmarkError(String(decoding: response.body, as: UTF8.self))
                        }
                    }
                }
            )
        }

        /// A request that is new each time costs so much more than one that has been met before as it takes to parse, bind and
        /// translate it.
        func translation(_ url: String, _ sql: String) -> ReadLine {
            let repeats = 2_000
            func run(_ amount: (Int) -> Int) throws {
                for turn in 0..<repeats {
                    _ = try store.provider.executeQuery(
                        "Readings?$filter=State eq 'paid' and Amount gt \(amount(turn))"
                            + "&$orderby=Amount desc&$top=1"
                    )
                }
            }
            var known = Double.infinity
            for _ in 0..<5 {
                let start = yardstick_cpu_seconds()
                try? run { _ in 5_000_000 }
                known = min(known, yardstick_cpu_seconds() - start)
            }
            var fresh = 0
            return ReadLine(
                name: "parse, bind and translate, against sqlite3_prepare_v3()",
                limit: "4.00",
                repeats: repeats,
                yardstick: { try yardstick.prepare(sql, repeats: repeats) },
                store: {
                    try run { turn in
                        fresh += 1
                        return 4_000_000 + fresh
                    }
                },
                deduction: known
            )
        }

        private func read(_ sql: String, _ repeats: Int) throws -> Double {
            try yardstick.read(sql, repeats: repeats, step: step)
        }
    }
}
