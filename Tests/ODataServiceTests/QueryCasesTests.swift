import ODataText
import ODataValues
import ODataHTTP
import Testing

@testable import ODataAnswers

/// Filters and orders with the keys that an evaluator written to the standard gives.
@Suite(.enabled(if: SharedData.isThere, "the folder ../shared with the query cases is absent"))
struct QueryCasesTests {
    /// What the standard leaves open is read as the evaluator does: letters are folded as Unicode says, not ASCII alone; null
    /// compared by `ge` and `le` with null is false (OData 4.01 Part 2 §§ 5.1.1.1.3 to 5.1.1.1.6); halves are rounded away
    /// from zero (§ 5.1.1.9.1); lengths count code points (§ 5.1.1.5.2).
    @Test(arguments: [("v4", "metadata.xml"), ("v2", "metadata-v2.xml")])
    func answersEveryFilter(form: String, metadata: String) async throws {
        let service = try await Self.service(metadata)
        var wrong: [String] = []
        let lines = SharedData.lines("query-cases/filter-cases.jsonl")
        for line in lines {
            let item = try #require(QueryCase(line))
            guard let filter = item.tree.string(form) else { continue }
            let answer = await service.get("\(item.set)?$filter=\(filter.percentEncoded)")
            guard let keys = QueryCase.keys(answer.body, of: item.set) else {
                wrong.append("\(item.id) \(filter): \(answer.status) \(answer.text.prefix(300))")
                continue
            }
            guard keys.sorted(by: precedes) != item.expected.sorted(by: precedes) else { continue }
            wrong.append(
                "\(item.id) \(filter): \(keys.prefix(20)), not \(item.expected.prefix(20))"
            )
        }
        #expect(lines.count >= 1_000)
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.joined(separator: "\n"))")
    }

    @Test func ordersAsExpected() async throws {
        let service = try await Self.service("metadata.xml")
        var wrong: [String] = []
        for line in SharedData.lines("query-cases/orderby-cases.jsonl") {
            let item = try #require(QueryCase(line))
            let query = try #require(item.tree.string("query"))
            let options = query.split(separator: "&").map { option in
                let parts = option.split(separator: "=", maxSplits: 1)
                return parts[0] + "=" + String(parts[1]).percentEncoded
            }
            let answer = await service.get("\(item.set)?\(options.joined(separator: "&"))")
            let keys = QueryCase.keys(answer.body, of: item.set)
            let count = JSONTree(answer.body)?.member("@odata.count").map { node in
                JSONTree(answer.body)?.text(node) ?? []
            }
            let expectedCount = item.tree.member("count").map(item.tree.text)
            if keys != item.expected || count != expectedCount {
                wrong.append(
                    "\(item.id) \(query): \(keys ?? []) \(answer.status), not \(item.expected)"
                )
            }
        }
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.joined(separator: "\n"))")
    }

    private static func service(_ metadata: String) async throws -> TestService {
        let document = try #require(SharedData.bytes("query-cases/" + metadata))
        let data = try #require(SharedData.bytes("query-cases/dataset.json").flatMap(JSONTree.init))
        guard case .object(let sets) = data.root.value else { throw ServiceError(500, "no data") }
        let isOld = metadata.hasSuffix("v2.xml")
        return try await TestService(
            metadata: document,
            data: sets.map {
                ($0.name, isOld ? OldForm(tree: data).json($0.value) : data.text($0.value))
            }
        )
    }
}

/// The data set as version 2 says it: dates are instants, and relations are references, since that model has no foreign keys.
private struct OldForm {
    let tree: JSONTree

    func json(_ set: JSONNode) -> [UInt8] {
        guard case .array(let items) = set.value else { return [] }
        return Array("[".utf8) + items.map(entity).joined(separator: ",".utf8) + Array("]".utf8)
    }

    private func entity(_ item: JSONNode) -> [UInt8] {
        guard case .object(let members) = item.value else { return [] }
        var writer = JSONWriter()
        writer.beginObject()
        for member in members {
            let (name, value) = (member.name, member.value)
            if let (property, set) = Self.references[name] {
                reference(property, set, value, &writer)
            }
            if ["CategoryID", "ProductID"].contains(name) { continue }
            writer.name(name)
            if name == "ReleaseDate", case .string(let date) = value.value {
                writer.string(date + "T00:00:00")
            } else {
                writer.raw(tree.text(value).span)
            }
        }
        writer.endObject()
        return writer.bytes
    }

    private static let references: [String: (property: String, set: String)] = [
        "CategoryID": ("Category", "Categories"), "ProductID": ("Product", "Products"),
        "OrderID": ("Order", "Orders"),
    ]

    private func reference(
        _ property: String,
        _ set: String,
        _ value: JSONNode,
        _ writer: inout JSONWriter
    ) {
        let key = String(decoding: tree.text(value), as: UTF8.self)
        guard key != "null" else { return }
        writer.name(property)
        writer.raw(Array("{\"__metadata\":{\"uri\":\"\(set)(\(key))\"}}".utf8).span)
    }
}

/// A line of a file with cases.
struct QueryCase {
    var id: String
    var set: String
    var expected: [[Int]]
    var tree: JSONTree

    init?(_ line: [UInt8]) {
        guard let tree = JSONTree(line), let id = tree.string("id"), let set = tree.string("set"),
            let expected = tree.member("expect")?.items
        else { return nil }
        self.tree = tree
        self.id = id
        self.set = set
        self.expected = expected.map { node in
            if case .array(let parts) = node.value {
                parts.map { Self.number(tree, $0) }
            } else {
                [Self.number(tree, node)]
            }
        }
    }

    private static func number(_ tree: JSONTree, _ node: JSONNode) -> Int {
        Int(String(decoding: tree.text(node), as: UTF8.self)) ?? .min
    }

    /// The keys of the entities in an answer; nil where it is no collection.
    static func keys(_ body: [UInt8], of set: String) -> [[Int]]? {
        guard let tree = JSONTree(body),
            let list = tree.member("value")
                ?? tree.member("d").flatMap({ tree.member("results", of: $0) }),
            case .array(let items) = list.value
        else { return nil }
        let names = set == "OrderItems" ? ["OrderID", "ItemNo"] : ["ID"]
        return items.map { item in
            names.map { name in tree.member(name, of: item).map { number(tree, $0) } ?? .min }
        }
    }
}

private func precedes(_ left: [Int], _ right: [Int]) -> Bool {
    left.lexicographicallyPrecedes(right)
}
