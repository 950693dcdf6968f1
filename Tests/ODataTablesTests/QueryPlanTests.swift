@testable import ODataSQL
@testable import ODataSQLite
import ODataBinding
import ODataURL
import TestSupport
import Testing

@testable import ODataTables

/// What SQLite does for a URL: an index is used wherever one serves.
@Suite struct QueryPlanTests {
    private static func tables() throws -> SmallTables {
        let tables = try SmallTables(Array(PlainRow.metadata.utf8))
        let table = try tables.table("As")
        let catalog = TableCatalog(tables.connection, layout: tables.schema.layout)
        try catalog.createIndex(on: table.source, over: [["S"], ["I"]])
        try catalog.createIndex(on: table.source, over: [["P"]])
        try catalog.createIndex(on: table.source, over: [["At"]])
        try catalog.createIndex(on: table.source, over: [["G"]])
        return tables
    }

    /// What later versions of SQLite do otherwise, or name otherwise; 3.54 was seen to.
    private static let laterPlans = [
        "As?$filter=S eq 'a' and I gt 3&$orderby=I":
            "SEARCH t0 USING INDEX $index:As:S,I (S=? AND I>? AND I<?)|USE TEMP B-TREE FOR LAST TERM OF ORDER BY",
        // With a second term to order by, it takes the few first rows out of a scan.
        "As?$orderby=P&$top=5": "SCAN t0|USE TEMP B-TREE FOR ORDER BY",
        "As?$filter=Down/any(d:d/I gt 3)":
            "SCAN t0 USING INDEX $key:As|SEARCH t1 EXISTS USING INDEX $ref:As(UpID) (UpID=?)",
    ]

    /// Whether SQLite is later than the version whose plans stand beside the URLs.
    private static func isLater(_ connection: SQLiteConnection) throws -> Bool {
        try connection.integer(
            "SELECT CAST(substr(sqlite_version(), 1, instr(sqlite_version(), '.') + 2) AS REAL) > 3.40"
        ) == 1
    }

    @Test(arguments: [
        ("As(5)", "SEARCH t0 USING INDEX $key:As (ID=?)"),
        ("As", "SCAN t0 USING INDEX $key:As"),
        ("As?$top=3", "SCAN t0 USING INDEX $key:As"),
        ("As?$orderby=ID desc", "SCAN t0 USING INDEX $key:As"),
        ("As?$filter=ID eq 5", "SEARCH t0 USING INDEX $key:As (ID=?)"),
        ("As?$filter=ID gt 5", "SEARCH t0 USING INDEX $key:As (ID>? AND ID<?)"),
        ("As?$filter=ID in (1,2,3)", "SEARCH t0 USING INDEX $key:As (ID=?)"),
        ("As?$filter=ID eq 1 or ID eq 2", "SEARCH t0 USING INDEX $key:As (ID=?)"),
        (
            "As?$filter=S eq 'a'",
            "SEARCH t0 USING INDEX $index:As:S,I (S=?)|USE TEMP B-TREE FOR ORDER BY"
        ),
        (
            "As?$filter=S eq 'a' and I gt 3&$orderby=I",
            "SEARCH t0 USING INDEX $index:As:S,I (S=? AND I>? AND I<?)|USE TEMP B-TREE FOR RIGHT PART OF ORDER BY"
        ),
        (
            "As?$filter=S eq null",
            "SEARCH t0 USING INDEX $index:As:S,I (S=?)|USE TEMP B-TREE FOR ORDER BY"
        ),
        (
            "As?$filter=startswith(S,'ab')",
            "SEARCH t0 USING INDEX $index:As:S,I (S>? AND S<?)|USE TEMP B-TREE FOR ORDER BY"
        ),
        (
            "As?$filter=not (S ne 'a')",
            "SEARCH t0 USING INDEX $index:As:S,I (S=?)|USE TEMP B-TREE FOR ORDER BY"
        ),
        (
            "As?$filter=P ge 1.25 and P lt 10",
            "SEARCH t0 USING INDEX $index:As:P (P>? AND P<?)|USE TEMP B-TREE FOR ORDER BY"
        ),
        (
            "As?$filter=At gt 2023-01-01T00:00:00Z and At lt 2024-01-01T00:00:00Z",
            "SEARCH t0 USING INDEX $index:As:At (At>? AND At<?)|USE TEMP B-TREE FOR ORDER BY"
        ),
        (
            "As?$filter=G eq 01234567-89ab-cdef-0123-456789abcdef",
            "SEARCH t0 USING INDEX $index:As:G (G=?)|USE TEMP B-TREE FOR ORDER BY"
        ),
        (
            "As?$orderby=P&$top=5",
            "SCAN t0 USING INDEX $index:As:P|USE TEMP B-TREE FOR RIGHT PART OF ORDER BY"
        ),
        ("As(1)/Up", "SEARCH t0 USING INDEX $key:As (ID=?)|SEARCH t1 USING INDEX $key:As (ID=?)"),
        (
            "As?$filter=Up/S eq 'a'",
            "SEARCH t1 USING INDEX $index:As:S,I (S=?)|SEARCH t0 USING INDEX $ref:As(UpID) (UpID=?)|USE TEMP B-TREE FOR ORDER BY"
        ),
        (
            "As?$filter=Down/any(d:d/I gt 3)",
            "SCAN t0 USING INDEX $key:As|CORRELATED SCALAR SUBQUERY 1|SEARCH t1 USING INDEX $ref:As(UpID) (UpID=?)"
        ),
        (
            "As?$filter=Down/$count gt 3",
            "SCAN t0 USING INDEX $key:As|CORRELATED SCALAR SUBQUERY 1|SEARCH t1 USING COVERING INDEX $ref:As(UpID) (UpID=?)"
        ),
    ])
    func usesIndexes(url: String, expected: String) throws {
        let tables = try Self.tables()
        let request = try BoundRequest(
            parsing: url.split(separator: " ").joined(separator: "%20"),
            in: tables.schema.model
        )
        guard case .entities(let path) = request.resource else { throw QueryError(.notFound, url) }
        let statement = try TableQuery(tables.connection, layout: tables.schema.layout).compiler()
            .select(path, options: request.options, limit: request.options.top, after: nil)
        let plan = try Self.plan(of: statement.sql, tables.connection)
        let later = try Self.isLater(tables.connection) ? Self.laterPlans[url] : nil
        #expect(plan == expected || plan == later, "\(statement.sql)")
    }

    private static func plan(of sql: String, _ connection: SQLiteConnection) throws -> String {
        var lines: [String] = []
        try connection.forEachRow("EXPLAIN QUERY PLAN " + sql) { lines.append($0.string(3)) }
        return lines.joined(separator: "|")
    }

    /// One statement for the root and one for each level, however many rows there are.
    @Test func readsEachLevelByOneStatement() throws {
        let tables = try Self.tables()
        let table = try tables.table("As")
        for id in 1...30 {
            try tables.insert("{\"ID\":\(id),\"UpID\":\(id / 3)}", into: table)
        }
        let url = "As?$expand=Up($expand=Up),Down($expand=Down($top=1);$orderby=S)"
        _ = try tables.entities(url)
        let before = tables.connection.startedStatementCount
        #expect(try tables.entities(url).count == 30)
        // The root, Up, Up/Up, Down, Down/Down, and the question whether the schema has changed.
        #expect(tables.connection.startedStatementCount - before == 6)
    }

    @Test func keepsStatementsByTheirShape() throws {
        let tables = try Self.tables()
        _ = try tables.entities("As?$filter=ID%20gt%201")
        let before = tables.connection.preparedStatementCount
        for value in 2..<40 { _ = try tables.entities("As?$filter=ID%20gt%20\(value)") }
        #expect(tables.connection.preparedStatementCount == before)
    }

    /// Two rows lead to the same one, whose own related ones are told once to each.
    @Test func expandsWhatSeveralRowsLeadTo() throws {
        let tables = try Self.tables()
        let table = try tables.table("As")
        try tables.insert("{\"ID\":1}", into: table)
        for id in 2...4 { try tables.insert("{\"ID\":\(id),\"UpID\":1}", into: table) }
        let url = "As?$filter=ID gt 1&$expand=Up($expand=Down($select=ID;$count=true))"
        for entity in try tables.entities(url) {
            #expect(entity["Up"]?["Down"]?.items.compactMap { $0["ID"]?.text } == ["2", "3", "4"])
            #expect(entity["Up"]?["Down@odata.count"]?.text == "3")
        }
    }

    @Test func keepsPlansButNotThoseOfAMoment() throws {
        let tables = try Self.tables()
        let plans = try PlanCache(tables.connection, schema: tables.schema, modelVersion: 1)
        let query = TableQuery(tables.connection, plans: plans)
        func plan(_ url: String) throws -> ObjectIdentifier {
            let known = try plans.request(url)
            guard case .entities(let path) = known.bound.resource else {
                throw QueryError(.notFound, url)
            }
            let (plan, _) = try #require(
                try query.valuePlan(path, options: known.bound.options, knowing: known)
            )
            return ObjectIdentifier(plan)
        }
        let kept = "As?$filter=ID gt 1"
        #expect(try plan(kept) == plan(kept))
        #expect(try plan("As(1)") == plan("As(2)"))
        let known = try plans.request("As?$filter=At lt now()")
        #expect(try plans.request("As?$filter=At lt now()") === known)
        guard case .entities(let path) = known.bound.resource else { return }
        let (first, _) = try #require(
            try query.valuePlan(path, options: known.bound.options, knowing: known)
        )
        let (second, _) = try #require(
            try query.valuePlan(path, options: known.bound.options, knowing: known)
        )
        #expect(first !== second)
    }

    /// Texts that Swift holds equal are two requests.
    @Test func tellsRequestsApartByTheirBytes() throws {
        let tables = try Self.tables()
        let plans = try PlanCache(tables.connection, schema: tables.schema, modelVersion: 1)
        let (composed, apart) = ("As?$filter=S eq '\u{E9}'", "As?$filter=S eq 'e\u{301}'")
        #expect(composed == apart)
        #expect(try plans.request(composed) !== plans.request(apart))
    }

    @Test func forgetsTheLeastRecentlyUsedRequest() throws {
        let tables = try Self.tables()
        let plans = try PlanCache(tables.connection, schema: tables.schema, modelVersion: 1)
        let (first, second) = (try plans.request("As?$top=1"), try plans.request("As?$top=2"))
        for top in 3...PlanCache.maximumRequests {
            _ = try plans.request("As?$top=\(top)")
            #expect(try plans.request("As?$top=1") === first)
        }
        _ = try plans.request("As?$top=1000")
        #expect(try plans.request("As?$top=1") === first)
        #expect(try plans.request("As?$top=2") !== second)
    }

    /// `$it` is the entity of the resource path (OData 4.01 Part 2 § 5.1.1.14.1).
    @Test func comparesRelatedEntitiesWithTheirOwner() throws {
        let tables = try Self.tables()
        let table = try tables.table("As")
        for (id, up, number) in [(1, 9, 5), (2, 1, 4), (3, 1, 6), (4, 2, 1), (5, 2, 9)] {
            try tables.insert("{\"ID\":\(id),\"UpID\":\(up),\"I\":\(number)}", into: table)
        }
        func down(_ url: String) throws -> [[String]] {
            try tables.entities(url).map { ($0["Down"]?.items ?? []).compactMap { $0["ID"]?.text } }
        }
        #expect(
            try down("As?$filter=ID lt 3&$expand=Down($filter=I gt $it/I;$orderby=ID)")
                == [["3"], ["5"]]
        )
        #expect(
            try down("As?$filter=ID eq 2&$expand=Down($filter=I gt $it/Up/I;$orderby=ID)")
                == [["5"]]
        )
        #expect(throws: ODataURLError.self) {
            try tables.entities("As?$expand=Down($expand=Down($filter=I gt $it/I))")
        }
        #expect(throws: QueryError.self) {
            try tables.entities("As?$expand=Down($filter=I gt $it/I or I lt 99;$levels=3)")
        }
    }
}
