@testable import ODataSQLite
@testable import ODataSQL
import ODataValues
import ODataBinding
import TestSupport
import Testing

@testable import ODataTables

/// Answers that consist of listed rows, in the order of the list.
@Suite struct RowListTests {
    private let tables: SmallTables
    private let plans: PlanCache

    /// Rows 1 to 5 with keys 10 to 50; list 7 has rows 4, 2, 5, and row 1 without a place; list 8 has row 3.
    init() throws {
        tables = try SmallTables(Array(PlainRow.metadata.utf8))
        let table = try tables.table("As")
        for id in 1...5 { try tables.insert("{\"ID\":\(id * 10),\"S\":\"s\(id)\"}", into: table) }
        let connection = tables.connection
        try connection.execute(
            """
            CREATE TABLE "$list" ("query" INTEGER, "row" INTEGER, "position" INTEGER,
                PRIMARY KEY ("query", "row")) WITHOUT ROWID;
            CREATE INDEX "$list:order" ON "$list" ("query", "position") WHERE "position" IS NOT NULL
            """
        )
        let places: [(list: Int64, key: Int64, position: Int64?)] = [
            (7, 40, 1), (7, 20, 2), (7, 50, 3), (7, 10, nil), (8, 30, 1),
        ]
        for (list, key, position) in places {
            try connection.run(
                "INSERT INTO \"$list\" SELECT ?1, \"$id\", ?2 FROM \(table.sql) WHERE \"ID\" = ?3",
                [.integer(list), position.map { .integer($0) } ?? .null, .integer(key)]
            )
        }
        plans = try PlanCache(connection, schema: tables.schema, modelVersion: 1)
    }

    private func query(_ list: Int64) -> TableQuery {
        var query = TableQuery(tables.connection, plans: plans)
        query.members = RowList(list, in: "$list")
        return query
    }

    private func keys(_ url: String, _ list: Int64, _ page: TableQuery.Page = .init()) throws
        -> (keys: [String], answer: TableQuery.Answer)
    {
        let known = try plans.request(url)
        guard case .entities(let path) = known.bound.resource else {
            throw QueryError(.notFound, url)
        }
        let answer = try query(list).entities(
            path,
            options: known.bound.options,
            page: page,
            format: AnswerFormat(),
            known: known
        )
        let items = try JSONValue(Array("[".utf8) + answer.entities + [0x5D]).items
        return (items.compactMap { $0["ID"]?.text }, answer)
    }

    private func plan(_ url: String, _ list: Int64?) throws -> (plan: LevelPlan, batch: RowBatch) {
        let known = try plans.request(url)
        guard case .entities(let path) = known.bound.resource else {
            throw QueryError(.notFound, url)
        }
        let query = list.map(query) ?? TableQuery(tables.connection, plans: plans)
        let options = known.bound.options
        let (plan, _) = try #require(try query.valuePlan(path, options: options, knowing: known))
        return (plan, try #require(try query.batch(path, options: options, known: known)))
    }

    @Test(arguments: ["As", "As?$filter=ID gt 40&$orderby=ID&$top=1", "As(30)", "As?$select=ID"])
    func listsTheRowsWhateverTheRequestWouldChoose(_ url: String) throws {
        #expect(try keys(url, 7).keys == ["40", "20", "50"])
        #expect(try keys(url, 8).keys == ["30"])
        #expect(try keys(url, 9).keys.isEmpty)
        let batch = try plan(url, 7).batch
        #expect((0..<batch.count).map { batch.id(of: $0) } == [4, 2, 5])
    }

    @Test func leavesOutRowsThatAreGone() throws {
        #expect(try keys("As?$count=true", 7).answer.totalCount == 3)
        try tables.connection.execute("DELETE FROM \"As\" WHERE \"ID\" = 20")
        let (found, answer) = try keys("As?$count=true", 7)
        #expect(found == ["40", "50"])
        #expect(answer.totalCount == 2)
    }

    @Test func pagesInTheOrderOfTheList() throws {
        let (first, answer) = try keys("As", 7, .init(size: 2))
        #expect(first == ["40", "20"])
        let next = try #require(answer.next)
        let (second, last) = try keys("As", 7, next)
        #expect(second == ["50"])
        #expect(last.next == nil)
        #expect(try keys("As", 7, .init(size: 3)).answer.next == nil)
        #expect(try keys("As", 7, .init(size: 0)).answer.next != nil)
    }

    @Test func keepsOnePlanForAllListsAndAnotherForNone() throws {
        for url in ["As?$filter=ID gt 10", "As(30)", "As"] {
            let (first, _) = try plan(url, 7)
            let (second, batch) = try plan(url, 8)
            #expect(first === second)
            #expect(batch.count == 1)
            #expect(try plan(url, nil).plan !== first)
            #expect(try plan(url, 7).plan === first)
        }
        let (own, all) = try plan("As?$filter=ID gt 10", nil)
        #expect(own.statement.listIndex == nil)
        #expect(all.count == 4)
    }

    @Test func sortsNothing() throws {
        var steps: [String] = []
        let sql = try plan("As?$orderby=S", 7).plan.statement.sql
        try tables.connection.forEachRow("EXPLAIN QUERY PLAN " + sql) { steps.append($0.string(3)) }
        #expect(
            steps == [
                "SEARCH m1 USING COVERING INDEX $list:order (query=? AND position>?)",
                "SEARCH t0 USING INTEGER PRIMARY KEY (rowid=?)",
            ]
        )
    }

    @Test func readsByKeyWhateverTheList() throws {
        let read = try #require(try query(7).keyedRead("As"))
        let batch = try read.read(query(7), key: .integer(30))
        #expect((0..<batch.count).map { batch.id(of: $0) } == [3])
    }
}
