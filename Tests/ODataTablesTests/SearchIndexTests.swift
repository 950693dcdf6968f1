@testable import ODataSQL
@testable import ODataSQLite
import ODataBinding
import ODataURL
import ODataValues
import TestSupport
import Testing

@testable import ODataTables

/// `$search` by an index gives the answers of the scan, whatever was changed and in whichever way.
@Suite(.enabled(if: SearchSupport.isPresent, Comment(rawValue: SearchSupport.absence)))
struct SearchIndexTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <ComplexType Name="Place"><Property Name="City" Type="Edm.String"/></ComplexType>
        <EntityType Name="Note"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int64" Nullable="false"/><Property Name="Rank" Type="Edm.String"/>
        <Property Name="it's" Type="Edm.String"/><Property Name="Place" Type="S.Place"/>
        <Property Name="Tags" Type="Collection(Edm.String)"/><Property Name="Count" Type="Edm.Int32"/>
        <NavigationProperty Name="Others" Type="Collection(S.Note)"/></EntityType>
        <EntityType Name="Letter" BaseType="S.Note"><Property Name="Body" Type="Edm.String"/></EntityType>
        <EntityType Name="Number"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int64" Nullable="false"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Notes" EntityType="S.Note">
        <NavigationPropertyBinding Path="Others" Target="Notes"/></EntitySet>
        <EntitySet Name="Notes_data" EntityType="S.Note"/><EntitySet Name="Numbers" EntityType="S.Number"/>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private let tables: SmallTables
    private let table: TableLayout
    private let catalog: TableCatalog
    private var connection: SQLiteConnection { tables.connection }

    init() throws {
        tables = try SmallTables(Array(Self.metadata.utf8))
        table = try tables.table("Notes")
        catalog = TableCatalog(tables.connection, layout: tables.schema.layout)
        let upkeep = SearchIndexUpkeep()
        connection.beforeCommit = { try upkeep.run($0) }
    }

    private func createIndex() throws {
        try connection.write { try catalog.createSearchIndex(on: table.source) }
    }

    // MARK: Random texts, changes and searches

    private static let words = [
        "a", "A", "ab", "b", "über", "ÜBER", "U\u{308}ber", "straße", "STRASSE", "naïve", "漢字", "漢",
        "AND",
        "OR", "NOT", "NEAR", "a*", "^a", "Rank:a", "\"", "'", "\0", "…", "🙂", "a\0b", "١٢",
        "\u{301}",
        "İ", "ı", "ς", "Σ", "\u{212A}", "k", "x_y", "-", "{a}", "+", "", "Ⅻ", "ǆ",
        "\u{1F8}", "ﬁ", "fi", "𐐀", "𐐨", "\u{345}a", "ꙍ", "ᏸ", "½",
    ]
    private static let separators = [" ", ", ", "\0", "-", "\n", "'", "\"", "\u{A0}", "", " a "]

    private static func text(_ random: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0...5, using: &random)).reduce(into: "") { text, _ in
            text += words[Int.random(in: 0..<words.count, using: &random)]
            text += separators[Int.random(in: 0..<separators.count, using: &random)]
        }
    }

    /// FTS5 cuts such words off, and the scan must do the same.
    @Test func findsVeryLongWords() throws {
        try createIndex()
        let long = String(repeating: "w", count: 32_768)
        let words = [long, long + "x", long + "y z", String(long.dropLast())]
        try connection.write {
            for (id, word) in words.enumerated() {
                try connection.run(
                    "INSERT INTO \"Notes\" (\"$id\", \"ID\", \"Rank\") VALUES (?1, ?1, ?2)",
                    [.integer(Int64(id)), .text(word)]
                )
            }
        }
        for isCaughtUp in [false, true] {
            for word in words {
                let search = SearchExpression.term(word, isPhrase: true)
                let found = try answer("Notes", search, isIndexed: true)
                #expect(try found == answer("Notes", search, isIndexed: false), "\(isCaughtUp)")
                #expect(found.count > 1)
            }
            for sql in try #require(SearchIndex(table)).catchUpStatements {
                try connection.run(sql)
            }
        }
    }

    private static func search(_ depth: Int, _ random: inout SeededGenerator) -> SearchExpression {
        switch Int.random(in: 0..<(depth > 0 ? 6 : 2), using: &random) {
        case 0: .term(words[Int.random(in: 0..<words.count, using: &random)], isPhrase: false)
        case 1: .term(text(&random), isPhrase: true)
        case 2, 3: .and(search(depth - 1, &random), search(depth - 1, &random))
        case 4: .or(search(depth - 1, &random), search(depth - 1, &random))
        default: .not(search(depth - 1, &random))
        }
    }

    /// A text, null, or what stands for an unknown value.
    private static func value(_ random: inout SeededGenerator) -> Scalar {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: .null
        case 1: .blob([])
        case 2: .blob(Array("a b".utf8))
        default: .text(text(&random))
        }
    }

    private static let columns = ["Rank", "it's", "Place/City", "Body"].map(\.sqlQuoted)

    private func change(_ random: inout SeededGenerator) throws {
        let ids = (1...80).randomElement(using: &random) ?? 1
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
            try connection.run("DELETE FROM \"Notes\" WHERE \"$id\" = ?1", [.integer(Int64(ids))])
        case 1:
            try connection.run(
                "DELETE FROM \"Notes\" WHERE \"$id\" > ?1",
                [.integer(Int64(ids) + 40)]
            )
        case 2: try connection.run("UPDATE \"Notes\" SET \"Rank\" = \"it's\", \"$state\" = 1", [])
        case 3, 4:
            let column = Self.columns.randomElement(using: &random) ?? ""
            try connection.run(
                "UPDATE \"Notes\" SET \(column) = ?2 WHERE \"$id\" = ?1",
                [.integer(Int64(ids)), Self.value(&random)]
            )
        default:
            let type = Int64.random(in: 0...1, using: &random)
            try connection.run(
                """
                INSERT INTO "Notes" ("$id", "ID", "$type", \(Self.columns.joined(separator: ", "))) VALUES (?1, ?1, ?2, ?3, ?4, ?5, ?6)
                ON CONFLICT DO UPDATE SET "Rank" = excluded."Rank", "Body" = excluded."Body"
                """,
                [.integer(Int64(ids)), .integer(type)]
                    + Self.columns.map { _ in Self.value(&random) }
            )
        }
    }

    // MARK: Answers

    private func request(_ url: String) throws -> (EntityPath, BoundOptions) {
        let text = url.split(separator: " ").joined(separator: "%20")
        let request = try BoundRequest(parsing: text, in: tables.schema.model)
        guard case .entities(let path) = request.resource else { throw QueryError(.notFound, url) }
        return (path, request.options)
    }

    private func compiler(isIndexed: Bool) throws -> QueryCompiler {
        let names = try connection.tableNames()
        let plain = names.filter { !$0.hasPrefix("$search") }
        return QueryCompiler(tables.schema.layout, existing: isIndexed ? names : plain)
    }

    /// The rows that a request with a search finds, and how many there are; with `$apply`, the first value of each.
    private func answer(_ url: String, _ search: SearchExpression, isIndexed: Bool) throws
        -> [Int64]
    {
        var (path, options) = try request(url)
        if options.apply.isEmpty {
            options.search = search
        } else {
            options.apply[0] = .search(search)
        }
        let statement = try compiler(isIndexed: isIndexed)
            .select(path, options: options, limit: nil, after: nil)
        let column = options.apply.isEmpty ? 0 : statement.firstComputed
        var rows: [Int64] = []
        try connection.forEachRow(statement.sql, statement.bindings) {
            rows.append($0.integer(column))
        }
        let count = try compiler(isIndexed: isIndexed).count(path, options: options)
        return try rows + [connection.integer(count.sql, count.bindings) ?? -1]
    }

    private static let urls = [
        "Notes", "Notes/S.Letter", "Notes?$filter=Count eq null and ID gt 20",
        "Notes?$orderby=Rank desc",
        "Notes?$apply=search(x)/aggregate($count as N)",
    ]

    @Test(arguments: TestScale.seeds(6, soak: 2_000))
    func findsWhatTheScanFinds(_ seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        if seed.isMultiple(of: 2) { try createIndex() }
        for round in 0..<8 {
            try connection.write {
                for _ in 0..<Int.random(in: 1...60, using: &random) { try change(&random) }
            }
            if round == 3, !seed.isMultiple(of: 2) { try createIndex() }
            for _ in 0..<12 {
                let search = Self.search(3, &random)
                let url = Self.urls.randomElement(using: &random) ?? ""
                let (found, expected) = try (
                    answer(url, search, isIndexed: true), answer(url, search, isIndexed: false)
                )
                #expect(found == expected, "seed \(seed), round \(round): \(url) \(search)")
            }
            let index = try #require(SearchIndex(table))
            if try catalog.exists(index.name) {
                #expect(try connection.integer(index.differencesStatement) == 0)
                try connection.run(
                    "INSERT INTO \(index.name.sqlQuoted) (\(index.name.sqlQuoted)) VALUES ('integrity-check')"
                )
            }
        }
    }

    /// Searches that FTS5's parser has no room for are answered by the scan, with the index there.
    @Test(arguments: [29, 30, 31, 60])
    func answersDeepSearches(_ depth: Int) throws {
        try createIndex()
        try connection.write {
            try connection.execute(
                "INSERT INTO \"Notes\" (\"$id\", \"ID\", \"Rank\") VALUES (1, 1, 'a'), (2, 2, 'b'), (3, 3, 'a b')"
            )
        }
        let a = SearchExpression.term("a", isPhrase: false)
        let b = SearchExpression.term("b", isPhrase: false)
        let deep = (0..<depth).reduce(a) { $1.isMultiple(of: 2) ? .or($0, b) : .and($0, .not(b)) }
        let found = try answer("Notes", deep, isIndexed: true)
        #expect(try found == answer("Notes", deep, isIndexed: false))
        #expect(found == (depth.isMultiple(of: 2) ? [1, 1] : [1, 2, 3, 3]))
        #expect((IndexedSearch(deep) == nil) == (depth > 30))
    }

    @Test(arguments: [
        ("red", ["1"]), ("RED", ["1"]), ("\"red old\"", ["1"]), ("\"red lamp\"", []),
        ("\"lamp red\"", []), ("lamp NOT red", ["2"]),
        ("NOT lamp", ["3"]), ("NOT red lamp", ["2"]), ("NOT red OR lamp", ["1", "2", "3"]),
        ("red OR NOT lamp", ["1", "3"]), ("NOT lamp NOT red", ["3"]),
        ("NOT lamp OR NOT green", ["1", "3"]), ("NOT (red OR green)", ["3"]), ("\"a\"", []),
        ("\"…\"", []),
        ("NOT \"…\"", ["1", "2", "3"]),
        ("lamp", ["1", "2"]), ("grün", ["2"]), ("GRÜN", ["2"]), ("grun", []), ("town", ["3"]),
        ("tag", []),
    ])
    func findsWords(search: String, keys: [String]) throws {
        try createIndex()
        try connection.write {
            try tables.insert(#"{"ID":1,"Rank":"The red, old lamp","Tags":["tag"]}"#, into: table)
            try tables.insert(#"{"ID":2,"it's":"lamp (green) grün"}"#, into: table)
            try tables.insert(#"{"ID":3,"Place":{"City":"Old Town"}}"#, into: table)
        }
        let url = "Notes?$search=" + search.percentEncoded
        #expect(try tables.ids(url) == keys)
        for sql in try #require(SearchIndex(table)).catchUpStatements { try connection.run(sql) }
        #expect(try tables.ids(url) == keys)
        _ = try connection.write { try catalog.dropSearchIndex(on: table.source) }
        #expect(try tables.ids(url) == keys)
    }

    // MARK: Plans

    @Test(arguments: [
        "Notes?$search=a", "Notes?$search=a AND NOT (b OR \"c d\")", "Notes/S.Letter?$search=a",
        "Notes?$search=a&$filter=Count gt 3&$orderby=Rank&$top=5",
        "Notes?$search=a&$filter=Count eq 3", "Notes?$search=a&$orderby=ID&$top=5",
        "Notes?$apply=search(a)/aggregate($count as N)",
        "Notes?$apply=filter(Count gt 1)&$search=a",
    ])
    func asksTheIndex(url: String) throws {
        try createIndex()
        // It is not asked in the place of the other one.
        try connection.write { try catalog.createIndex(on: table.source, over: [["Count"]]) }
        let (path, options) = try request(url)
        let statement = try compiler(isIndexed: true).select(
            path,
            options: options,
            limit: options.top,
            after: nil
        )
        let count = try compiler(isIndexed: true).count(path, options: options)
        let countsAll = options.filter == nil && options.apply.isEmpty && path.steps.isEmpty
        for (sql, asksRows) in [(statement.sql, true), (count.sql, !countsAll)] {
            let plan = try plan(of: sql)
            let search = "SEARCH t0 USING INTEGER PRIMARY KEY (rowid=?)"
            #expect(plan.contains(search) == asksRows, "\(plan)")
            #expect(plan.contains("SCAN c"), "\(plan)")
            #expect(!plan.contains { $0.hasPrefix("SCAN s") || $0.hasPrefix("SCAN t") }, "\(plan)")
            #expect(
                plan.contains { $0.hasPrefix("SCAN $search(Notes) VIRTUAL TABLE INDEX") },
                "\(plan)"
            )
        }
    }

    /// Only few rows are asked about there: they are looked at themselves.
    @Test(arguments: [
        "Notes(1)/Others?$search=a", "Notes?$filter=Others/$count($search=a) gt 0",
        "Notes_data?$search=a",
    ])
    func asksNoIndexForTheRowsOfOne(url: String) throws {
        try createIndex()
        let (path, options) = try request(url)
        let statement = try compiler(isIndexed: true).select(
            path,
            options: options,
            limit: nil,
            after: nil
        )
        #expect(!statement.sql.contains("$search("))
    }

    private func plan(of sql: String) throws -> [String] {
        var lines: [String] = []
        try connection.forEachRow("EXPLAIN QUERY PLAN " + sql) { lines.append($0.string(3)) }
        return lines
    }

    // MARK: Upkeep

    private func insert(_ ids: ClosedRange<Int64>) throws {
        for id in ids {
            try connection.run(
                "INSERT INTO \"Notes\" (\"$id\", \"ID\", \"Rank\") VALUES (?1, ?1, 'word')",
                [.integer(id)]
            )
        }
    }

    private var changes: Int64? {
        get throws { try connection.integer("SELECT count(*) FROM \"$changed(Notes)\"") }
    }

    @Test func catchesUpOnceEnoughHasChanged() throws {
        try createIndex()
        let few = Int64(SearchIndexUpkeep.threshold - 1)
        try connection.write { try insert(1...few) }
        #expect(try changes == few)
        try connection.write { try insert(few + 1...few + 1) }
        #expect(try changes == 0)
        #expect(try tables.ids("Notes?$search=word").count == SearchIndexUpkeep.threshold)
    }

    @Test func notesNoChangeThatLeavesTheTexts() throws {
        try createIndex()
        try connection.write { try insert(1...64) }
        try connection.write {
            try connection.execute(
                "UPDATE \"Notes\" SET \"$stamp\" = 2, \"Rank\" = 'word', \"Count\" = 3"
            )
        }
        #expect(try changes == 0)
    }

    /// The statement's own way with conflicts is that of its triggers, too.
    @Test(arguments: ["ABORT", "FAIL", "IGNORE", "REPLACE", "ROLLBACK"])
    func notesChangesOfEachWayWithConflicts(_ way: String) throws {
        try createIndex()
        try connection.write { try insert(1...3) }
        try connection.write {
            try connection.execute("UPDATE OR \(way) \"Notes\" SET \"Rank\" = 'other'")
        }
        #expect(try tables.ids("Notes?$search=other") == ["1", "2", "3"])
        #expect(try tables.ids("Notes?$search=word") == [])
    }

    @Test func costsSetsWithoutIndexNoStatement() throws {
        func statements() throws -> Int {
            let before = connection.startedStatementCount
            try connection.write { try insert(1...1) }
            try connection.write { try connection.run("DELETE FROM \"Notes\"", []) }
            return connection.startedStatementCount - before
        }
        connection.beforeCommit = nil
        let without = try statements()
        let upkeep = SearchIndexUpkeep()
        connection.beforeCommit = { try upkeep.run($0) }
        _ = try statements()
        // Each transaction asks for the number of the schema.
        #expect(try statements() <= without + 2)
    }

    @Test func refusesSetsWithoutTexts() throws {
        let numbers = try tables.table("Numbers")
        #expect(throws: QueryError.self) { try catalog.createSearchIndex(on: numbers.source) }
    }

    /// The tables behind an index are named after it; a set may have a name like theirs.
    @Test func keepsApartSetsNamedLikeTablesBehindAnIndex() throws {
        let other = try tables.table("Notes_data")
        try createIndex()
        try connection.write { try catalog.createSearchIndex(on: other.source) }
        try connection.write {
            try tables.insert(#"{"ID":1,"Rank":"one"}"#, into: table)
            try tables.insert(#"{"ID":2,"Rank":"one"}"#, into: other)
        }
        #expect(try tables.ids("Notes?$search=one") == ["1"])
        #expect(try tables.ids("Notes_data?$search=one") == ["2"])
    }
}

/// Where SQLite was built without FTS5, searches say so, and what else is asked is answered.
@Suite(.disabled(if: SearchSupport.isPresent, "this SQLite has FTS5"))
struct SearchWithoutFTS5Tests {
    @Test func saysThatItCannotSearch() throws {
        let connection = try SQLiteConnection(path: ":memory:", mode: .create)
        let error = #expect(throws: SQLiteError.self) {
            try connection.execute("CREATE VIRTUAL TABLE \"x\" USING fts5(\"a\")")
        }
        #expect(error?.lacksFTS5 == true)
        let other = #expect(throws: SQLiteError.self) {
            try connection.execute("SELECT odata_search('a', 'b')")
        }
        #expect(other?.lacksFTS5 == true)
    }
}
