import OfflineOData

/// Reads of entities with related ones, a million in all.
struct DepotLines {
    let lines: [ReadLine]

    init(_ store: ReadStore, rows: Int) async throws {
        let first = DepotPages(rows: rows).depots / 2
        let url =
            "Depots?$filter=ID ge \(first)&$orderby=ID&$top=50&$expand=Tours($expand=Stops)"
        let sql = try await store.sql(url)
        let repeats = 20
        guard sql.count == 3 else {
            throw BenchmarkError("an expand of two levels has three statements")
        }
        lines = [
            ReadLine(
                name: "two-level expand of 50 parents",
                limit: "1.25",
                repeats: repeats,
                yardstick: { try ReadYardstick(path: store.path).expand(sql, repeats: repeats) },
                store: { for _ in 0..<repeats { try Self.read(url, store.provider) } }
            )
        ]
    }

    private static func read(_ url: String, _ provider: OfflineODataProvider) throws {
        var values = ReadValues()
        for depot in try provider.executeQuery(url) {
            values.read(depot, ReadValues.depot)
            for tour in depot.entities("Tours") ?? [] {
                values.read(tour, ReadValues.tour)
                for stop in tour.entities("Stops") ?? [] { values.read(stop, ReadValues.tour) }
            }
        }
        guard values.rows == 50 + 500 + 4_500 else {
            throw BenchmarkError("the expand brings \(values.rows) entities")
        }
    }
}
