import ODataText
import ODataHTTP
import Testing

@testable import ODataAnswers

@Suite struct ComputeSearchTests {
    private func value(_ url: String) async throws -> String {
        let response = await (try SampleService.make()).get(
            url,
            ["Accept": "application/json;odata.metadata=none"]
        )
        guard let tree = JSONTree(response.body), let node = tree.member("value") else {
            return response.text
        }
        return String(decoding: tree.text(node), as: UTF8.self)
    }

    @Test(arguments: [
        (
            "Parts?$compute=UnitPrice mul InStock as Worth&$select=Worth",
            #"[{"Number":"P1","Worth":0.5},{"Number":"P2","Worth":0.35}]"#
        ),
        (
            "Parts?$compute=InStock add 1 as More,More mul 2 as Most&$filter=Most gt 12&$select=Most",
            #"[{"Number":"P2","Most":16}]"#
        ),
        (
            "Parts?$compute=toupper(Name) as Loud&$orderby=Loud desc&$select=Loud",
            #"[{"Number":"P2","Loud":"NUT"},{"Number":"P1","Loud":"BOLT"}]"#
        ),
        (
            "WorkOrders?$filter=ID eq 1&$select=ID&$expand=Tasks($compute=Position mul 10 as Tenfold;$select=Tenfold)",
            #"[{"ID":1,"Tasks":[{"ID":1,"Tenfold":10},{"ID":2,"Tenfold":20}]}]"#
        ),
    ])
    func answersComputedValues(url: String, expected: String) async throws {
        let text = try await value(url.replacingSpaces)
        #expect(text == expected)
    }

    @Test(arguments: [
        ("lamp", ["1"]), ("LAMP", ["1"]), ("lam", []), ("lamp OR fire", ["1", "2"]),
        ("NOT lamp", ["2", "3"]),
        ("smoke AND fire", ["2"]), ("\"fire\"", ["2"]),
    ])
    func searchesWords(search: String, keys: [String]) async throws {
        let text = try await value("WorkOrders?$select=ID&$search=\(search.percentEncoded)")
        #expect(text == "[" + keys.map { "{\"ID\":\($0)}" }.joined(separator: ",") + "]")
    }

    @Test func searchesPhrases() async throws {
        let service = try await SampleService.make()
        _ = await service.send("POST", "WorkOrders", [:], #"{"Title":"Mend the old, red lamp"}"#)
        func count(_ search: String) async -> String {
            await service.get("WorkOrders/$count?$search=\(search.percentEncoded)").text
        }
        #expect(await count("\"red lamp\"") == "1")
        #expect(await count("\"old red\"") == "1")
        #expect(await count("\"lamp red\"") == "0")
        #expect(await count("red lamp") == "1")
        #expect(await count("lamp") == "2")
    }
}

extension String {
    /// The text with spaces as a URL has them.
    fileprivate var replacingSpaces: String {
        split(separator: " ").joined(separator: "%20")
    }
}
