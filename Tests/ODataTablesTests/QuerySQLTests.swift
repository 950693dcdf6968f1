import Testing

@testable import ODataTables

/// A URL as SQL, and what the SQL answers.
@Suite struct QuerySQLTests {
    /// A URL with its statements and its answer.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let url: String
        let sql: [String]
        let rows: String

        init(_ name: String, _ url: String, sql: [String], rows: String) {
            (self.name, self.url, self.sql, self.rows) = (name, url, sql, rows)
        }

        var testDescription: String { name }
    }

    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Title" Type="Edm.String"/>
        <Property Name="Price" Type="Edm.Int32"/>
        <NavigationProperty Name="Items" Type="Collection(S.Item)" Partner="Order"/></EntityType>
        <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Size" Type="Edm.Int32"/>
        <Property Name="OrderID" Type="Edm.Int32"/>
        <NavigationProperty Name="Order" Type="S.Order" Partner="Items">
        <ReferentialConstraint Property="OrderID" ReferencedProperty="ID"/></NavigationProperty></EntityType>
        <EntityContainer Name="C">
        <EntitySet Name="Orders" EntityType="S.Order"><NavigationPropertyBinding Path="Items" Target="Items"/></EntitySet>
        <EntitySet Name="Items" EntityType="S.Item"><NavigationPropertyBinding Path="Order" Target="Orders"/></EntitySet>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private static func tables() throws -> SmallTables {
        let tables = try SmallTables(Array(metadata.utf8))
        let (orders, items) = (try tables.table("Orders"), try tables.table("Items"))
        for order in [
            #"{"ID":1,"Title":"Pump","Price":10}"#, #"{"ID":2,"Title":"Valve","Price":5}"#,
            #"{"ID":3,"Title":null,"Price":null}"#,
        ] { try tables.insert(order, into: orders) }
        for item in [
            #"{"ID":1,"Size":4,"OrderID":1}"#, #"{"ID":2,"Size":1,"OrderID":1}"#,
            #"{"ID":3,"Size":5,"OrderID":2}"#,
        ] { try tables.insert(item, into: items) }
        return tables
    }

    private static let cases = [
        Case(
            "key",
            "Orders(2)",
            sql: [
                #"""
                SELECT t0.…, NULL, NULL, t0."ID", t0."Title", t0."Price" FROM "Orders" AS t0
                WHERE t0."ID" = ?1
                ORDER BY t0."ID" [2]
                """#
            ],
            rows: #"{"ID":2,"Title":"Valve","Price":5}"#
        ),
        Case(
            "equal",
            "Orders?$select=ID&$filter=Title eq 'Pump'",
            sql: [
                #"""
                SELECT t0.…, NULL, NULL, t0."ID" FROM "Orders" AS t0
                WHERE t0."Title" = ?1
                ORDER BY t0."ID" ['Pump']
                """#
            ],
            rows: #"{"ID":1}"#
        ),
        Case(
            "equal to null",
            "Orders?$select=ID&$filter=Title eq null",
            sql: [
                #"SELECT t0.…, NULL, NULL, t0."ID" FROM "Orders" AS t0 WHERE t0."Title" IS NULL ORDER BY t0."ID""#
            ],
            rows: #"{"ID":3}"#
        ),
        Case(
            "unequal",
            "Orders?$select=ID&$filter=Title ne 'Pump'",
            sql: [
                #"""
                SELECT t0.…, NULL, NULL, t0."ID" FROM "Orders" AS t0
                WHERE t0."Title" IS NOT ?1 AND typeof(t0."Title") <> 'blob'
                ORDER BY t0."ID" ['Pump']
                """#
            ],
            rows: #"{"ID":2},{"ID":3}"#
        ),
        Case(
            "order and conjunction",
            "Orders?$select=ID&$filter=Price gt 3 and Price le 5",
            sql: [
                #"""
                SELECT t0.…, NULL, NULL, t0."ID" FROM "Orders" AS t0
                WHERE t0."Price" > ?1 AND t0."Price" < '' AND t0."Price" <= ?2
                ORDER BY t0."ID" [3, 5]
                """#
            ],
            rows: #"{"ID":2}"#
        ),
        Case(
            "disjunction",
            "Orders?$select=ID&$filter=Price lt 6 or Title eq 'Pump'",
            sql: [
                #"""
                SELECT t0.…, NULL, NULL, t0."ID" FROM "Orders" AS t0
                WHERE (t0."Price" < ?1 OR t0."Title" = ?2)
                ORDER BY t0."ID" [6, 'Pump']
                """#
            ],
            rows: #"{"ID":1},{"ID":2}"#
        ),
        Case(
            "negation",
            "Orders?$select=ID&$filter=not (Price ge 6)",
            sql: [
                #"""
                SELECT t0.…, NULL, NULL, t0."ID" FROM "Orders" AS t0
                WHERE ((t0."Price" >= ?1) IS NOT TRUE AND typeof(t0."Price") <> 'blob')
                ORDER BY t0."ID" [6]
                """#
            ],
            rows: #"{"ID":2},{"ID":3}"#
        ),
        Case(
            "arithmetic",
            "Orders?$select=ID&$filter=Price add 1 eq 6",
            sql: [
                #"""
                SELECT t0.…, NULL, NULL, t0."ID" FROM "Orders" AS t0
                WHERE (t0."Price" + ?1) = ?2 AND typeof(t0."Price") <> 'blob'
                ORDER BY t0."ID" [1, 6]
                """#
            ],
            rows: #"{"ID":2}"#
        ),
        Case(
            "list",
            "Orders?$select=ID&$filter=ID in (1,3)",
            sql: [
                #"""
                SELECT t0.…, NULL, NULL, t0."ID" FROM "Orders" AS t0
                WHERE t0."ID" IN (?1, ?2)
                ORDER BY t0."ID" [1, 3]
                """#
            ],
            rows: #"{"ID":1},{"ID":3}"#
        ),
        Case(
            "function",
            "Orders?$select=ID&$filter=contains(Title,'al')",
            sql: [
                #"""
                SELECT t0.…, NULL, NULL, t0."ID" FROM "Orders" AS t0
                WHERE instr(t0."Title", ?1) > 0
                ORDER BY t0."ID" ['al']
                """#
            ],
            rows: #"{"ID":2}"#
        ),
        Case(
            "property of a related entity",
            "Items?$select=ID&$filter=Order/Title eq 'Pump'",
            sql: [
                #"""
                SELECT t0.…, NULL, NULL, t0."ID" FROM "Items" AS t0
                LEFT
                JOIN "Orders" AS t1 ON t1."ID" = t0."OrderID"
                WHERE t1."Title" = ?1 AND typeof(t0."OrderID") <> 'blob'
                ORDER BY t0."ID" ['Pump']
                """#
            ],
            rows: #"{"ID":1},{"ID":2}"#
        ),
        Case(
            "any",
            "Orders?$select=ID&$filter=Items/any(i:i/Size gt 4)",
            sql: [
                #"""
                SELECT t0.…, NULL, NULL, t0."ID" FROM "Orders" AS t0
                WHERE EXISTS (SELECT 1 FROM "Items" AS t1
                WHERE t1."OrderID" = t0."ID" AND (t1."Size" > ?1 AND t1."Size" < ''))
                ORDER BY t0."ID" [4]
                """#
            ],
            rows: #"{"ID":2}"#
        ),
        Case(
            "all",
            "Orders?$select=ID&$filter=Items/all(i:i/Size gt 4)",
            sql: [
                #"""
                SELECT t0.…, NULL, NULL, t0."ID" FROM "Orders" AS t0
                WHERE NOT EXISTS (SELECT 1 FROM "Items" AS t1
                WHERE t1."OrderID" = t0."ID" AND (t1."Size" > ?1 AND t1."Size" < '') IS NOT TRUE)
                ORDER BY t0."ID" [4]
                """#
            ],
            rows: #"{"ID":2},{"ID":3}"#
        ),
        Case(
            "ascending order begins with null",
            "Orders?$select=ID&$orderby=Price",
            sql: [
                #"SELECT t0.…, NULL, NULL, t0."ID" FROM "Orders" AS t0 ORDER BY t0."Price", t0."ID""#
            ],
            rows: #"{"ID":3},{"ID":2},{"ID":1}"#
        ),
        Case(
            "descending order ends with null",
            "Orders?$select=ID&$orderby=Price desc",
            sql: [
                #"SELECT t0.…, NULL, NULL, t0."ID" FROM "Orders" AS t0 ORDER BY t0."Price" DESC, t0."ID""#
            ],
            rows: #"{"ID":1},{"ID":2},{"ID":3}"#
        ),
        Case(
            "expanded collection",
            "Orders?$select=ID&$expand=Items($select=ID)",
            sql: [
                #"SELECT t0.…, NULL, NULL, t0."ID" FROM "Orders" AS t0 ORDER BY t0."ID""#,
                #"""
                SELECT t1.…, ids.key, NULL, t1."ID"
                FROM json_each(?1) AS ids
                JOIN "Orders" AS p0 ON p0."$id" = ids.value
                JOIN "Items" AS t1 ON t1."OrderID" = p0."ID"
                ORDER BY ids.key, t1."ID" ['[]']
                """#,
            ],
            rows:
                #"{"ID":1,"Items":[{"ID":1},{"ID":2}]},{"ID":2,"Items":[{"ID":3}]},{"ID":3,"Items":[]}"#
        ),
        Case(
            "groups",
            "Items?$apply=groupby((OrderID),aggregate(Size with sum as Sum))",
            sql: [
                #"""
                SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, r5."$k2", r5."$a4" FROM (SELECT r3."$k2" AS "$k2", CASE WHEN max(typeof(r3."Size") = 'blob') THEN x'' ELSE sum(r3."Size") END AS "$a4" FROM (SELECT r1.*, r1."OrderID" AS "$k2" FROM (SELECT t0.* FROM "Items" AS t0) AS r1) AS r3
                GROUP BY r3."$k2") AS r5
                ORDER BY r5."$k2", r5."$a4" LIMIT -1 OFFSET 0
                """#
            ],
            rows: #"{"OrderID":1,"Sum":5},{"OrderID":2,"Sum":5}"#
        ),
        Case(
            "count beside a page",
            "Orders?$select=ID&$filter=Price gt 1&$count=true&$top=1",
            sql: [
                #"""
                SELECT t0.…, NULL, NULL, t0."ID" FROM "Orders" AS t0
                WHERE t0."Price" > ?1 AND t0."Price" < ''
                ORDER BY t0."ID" LIMIT 1 [1]
                """#
            ],
            rows: #"2: {"ID":1}"#
        ),
        Case(
            "count alone",
            "Orders/$count?$filter=Price gt 1",
            sql: [
                #"SELECT count(*) FROM "Orders" AS t0 WHERE t0."Price" > ?1 AND t0."Price" < '' [1]"#
            ],
            rows: #"2"#
        ),
        Case(
            "computed value",
            "Orders?$select=ID,Double&$compute=Price mul 2 as Double",
            sql: [
                #"""
                SELECT t0.…, NULL, NULL, t0."ID", CASE WHEN typeof(t0."Price") <> 'blob' THEN (t0."Price" * ?1) ELSE x'' END FROM "Orders" AS t0
                ORDER BY t0."ID" [2]
                """#
            ],
            rows: #"{"ID":1,"Double":20},{"ID":2,"Double":10},{"ID":3,"Double":null}"#
        ),
    ]

    @Test(arguments: cases) func translatesAURL(_ example: Case) throws {
        try Self.tables().expectQuery(example.url, sql: example.sql, rows: example.rows)
    }
}
