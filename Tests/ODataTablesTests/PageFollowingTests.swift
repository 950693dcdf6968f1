import ODataBinding
@testable import ODataSQLite
import ODataValues
import TestSupport
import Testing

@testable import ODataTables

/// Pages followed while rows come and go bring each row that stayed exactly once.
@Suite struct PageFollowingTests {
    private static let orders = [
        "", "S", "S desc", "I,S desc", "D", "D desc,At", "P desc", "G", "G desc,B", "M", "L,T",
        "Day desc,I",
        "length(S)",
    ]

    @Test(arguments: orders)
    func bringsEveryRowThatStayedOnce(order: String) throws {
        for seed in 0..<UInt64(TestScale.size(2, soak: 40)) {
            var values = PlainValueMaker(random: SeededGenerator(seed: seed))
            let tables = try SmallTables(Array(PlainRow.metadata.utf8))
            let table = try tables.table("As")
            for row in values.rows(30) { try tables.insert(row.json, into: table) }
            // A row whose values nobody knows.
            try tables.insert("{\"ID\":99}", into: table)
            var stayed = Set(1...30).union([99])
            let option = order.isEmpty ? "" : "&$orderby=" + order.percentEncoded
            let request = try BoundRequest(
                parsing: "As?$select=ID" + option,
                in: tables.schema.model
            )
            guard case .entities(let path) = request.resource else { return }
            var page = TableQuery.Page(size: values.integer(1...5))
            var seen: [Int] = []
            var nextID = 100
            while true {
                let answer = try TableQuery(tables.connection, layout: tables.schema.layout)
                    .entities(path, options: request.options, page: page, format: AnswerFormat())
                let items = try JSONValue(Array("[".utf8) + answer.entities + [0x5D]).items
                seen += items.compactMap { Int($0["ID"]?.text ?? "") }
                guard let next = answer.next else { break }
                page = next
                let gone = values.integer(1...30)
                try tables.connection.run(
                    "DELETE FROM \"As\" WHERE \"ID\" = ?1",
                    [.integer(Int64(gone))]
                )
                stayed.remove(gone)
                var come = values.rows(1)[0]
                (come.id, come.up) = (nextID, nil)
                nextID += 1
                if nextID < 120 { try tables.insert(come.json, into: table) }
            }
            #expect(Set(seen).count == seen.count, "seed \(seed): a row came twice: \(seen)")
            #expect(stayed.subtracting(seen).isEmpty, "seed \(seed): a row never came")
        }
    }
}
