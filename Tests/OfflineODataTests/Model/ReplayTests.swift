import ODataSQLite
import ODataHTTP
import ODataAnswers
import OfflineOData
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Random sequences of every kind of local change, some requests taken out again: what is left is what a second store shows in
/// which only the remaining requests were ever made.
@Suite struct ReplayTests {
    static let sequences = SeededLives(6, soak: 3_000)
    static let stepCount = TestScale.size(30, soak: 200)

    @Test(arguments: 0..<SeededLives.laneCount)
    func leavesWhatTheRemainingRequestsMake(_ lane: Int) async {
        await Self.sequences.live(lane) { seed in
            var run = try await ReplayRun(seed: seed)
            try await run.run(steps: Self.stepCount)
        }
    }
}

/// One random sequence.
private struct ReplayRun {
    private let seed: UInt64
    private let shop: Workshop
    private var generator: SeededGenerator
    private var lastKey = 100
    private var log: [String] = []

    init(seed: UInt64) async throws {
        self.seed = seed
        generator = SeededGenerator(seed: seed)
        shop = try await Workshop()
    }

    /// Runs so many changes and compares.
    mutating func run(steps: Int) async throws {
        let downloaded = try await entities(shop)
        for _ in 0..<steps { try await change() }
        for _ in 0..<4 {
            guard
                let entry = try await shop.provider.requestQueue().randomElement(using: &generator)
            else { break }
            log.append("drop \(entry.method) \(entry.url)")
            try await shop.provider.dropRequest(entry.id)
            guard try await agreesWithAReplay() else { return }
            try await change()
        }
        guard try await agreesWithAReplay() else { return }
        try await shop.provider.undoAllPendingChanges()
        log.append("undo everything")
        guard try await isEqual(entities(shop), downloaded) else { return }
        let left =
            try shop.count(of: "$stream") + shop.count(of: "$effect") + shop.count(of: "$refers")
        #expect(left == 0, "seed \(seed): something of requests that are gone is left")
    }

    /// Everything that the application sees of entities, their links, states and streams.
    private func entities(_ shop: Workshop) async throws -> [String] {
        var lines = try await shop.dump().filter { !$0.hasPrefix("RequestQueue") }
        for key in 1...3 {
            let picture = await shop.send("GET", "People(\(key))/Picture")
            lines.append("Picture \(key) \(picture.status) \(picture.text)")
        }
        for photo in try await shop.provider.executeQuery("Photos") {
            let content = await shop.send("GET", (photo.readLink ?? "") + "/$value")
            lines.append(
                "Photo \(photo["ID"]?.integerValue ?? 0) \(content.status) \(content.text)"
            )
        }
        return lines
    }

    private func agreesWithAReplay() async throws -> Bool {
        let other = try await Workshop()
        for entry in try await shop.provider.requestQueue() {
            var headers = HTTPHeaders()
            if entry.headers != nil { headers["If-None-Match"] = "*" }
            var body = entry.body
            if let id = entry.stream {
                let stored = try content(id)
                headers["Content-Type"] = stored.type
                body = stored.text
            }
            let answer = await other.send(entry.method, entry.url, body, headers)
            guard answer.isSuccess else {
                Issue.record("\(place)\nreplaying \(entry.method) \(entry.url): \(answer.text)")
                return false
            }
        }
        return try await isEqual(entities(shop), entities(other))
    }

    private func content(_ id: Int64) throws -> (type: String, text: String) {
        let connection = try SQLiteConnection(
            path: shop.directory.path + "/localstore.sqlite",
            mode: .readOnly,
            key: TestKey.connection
        )
        let streams = StreamTable(connection)
        let head = try #require(try streams.head(content: id))
        let bytes = try streams.bytes(0..<head.byteCount, of: id)
        return (head.contentType, String(decoding: bytes, as: UTF8.self))
    }

    private var place: String { "seed \(seed)\n\(log.joined(separator: "\n"))" }

    private func isEqual(_ found: [String], _ expected: [String]) -> Bool {
        guard let index = zip(found, expected).enumerated().first(where: { $1.0 != $1.1 })?.offset
        else { return true }
        Issue.record("\(place)\nfound:    \(found[index])\nexpected: \(expected[index])")
        return false
    }

    // MARK: Changes

    private mutating func entity(_ set: String) async throws -> String? {
        let all = try await shop.provider.executeQuery(set)
        guard let one = all.randomElement(using: &generator) else { return nil }
        if let serial = one["Serial"]?.stringValue { return "\(set)('\(serial)')" }
        return one["ID"]?.integerValue.map { "\(set)(\($0))" }
    }

    private mutating func fresh() -> Int {
        lastKey += 1
        return lastKey
    }

    private mutating func change() async throws {
        guard let (method, url, body, headers) = try await request() else { return }
        let before = try await entities(shop)
        let answer = await shop.send(method, url, body, headers)
        log.append("\(method) \(url) \(body ?? "") -> \(answer.status)")
        if !answer.isSuccess {
            let isUntouched = try await entities(shop) == before
            #expect(isUntouched, "\(place): a refused request has left something")
        }
    }

    private typealias Request = (String, String, String?, HTTPHeaders)

    private mutating func request() async throws -> Request? {
        let people = try await entity("People")
        let other = try await entity("People")
        let number = fresh()
        let text: HTTPHeaders = ["Content-Type": "text/plain"]
        let isOld = Bool.random(using: &generator)
        switch Int.random(in: 0..<22, using: &generator) {
        case 0: return ("POST", "People", "{\"ID\":\(number),\"Name\":\"n\(number)\"}", [:])
        case 1:
            let boss = people.map { ",\"Boss@odata.bind\":\"\($0)\"" } ?? ""
            return (
                "POST", "People",
                "{\"ID\":\(number),\"Name\":\"d\",\"Jobs\":[{\"ID\":\(number)}],\"Notes\":[{\"Number\":1}]\(boss)}",
                [:]
            )
        case 2:
            return people.map { ("PATCH", $0, "{\"Status\":\"s\(number)\",\"Level\":1.5}", [:]) }
        case 3: return people.map { ("PUT", $0, "{\"Name\":\"r\(number)\"}", [:]) }
        case 4: return people.map { ("PUT", $0 + "/Home", "{\"City\":\"c\(number)\"}", [:]) }
        case 5: return people.map { ("DELETE", $0 + "/Level", nil, [:]) }
        case 6: return people.map { ("DELETE", $0, nil, [:]) }
        case 7, 8:
            guard let people, let other else { return nil }
            return ("POST", people + "/Friends/$ref", "{\"@odata.id\":\"\(other)\"}", [:])
        case 9:
            guard let people, let other else { return nil }
            return ("DELETE", people + "/Friends/$ref?$id=" + other, nil, [:])
        case 10:
            guard let people, let other else { return nil }
            let property = isOld ? "Rival" : "Boss"
            return ("PUT", people + "/\(property)/$ref", "{\"@odata.id\":\"\(other)\"}", [:])
        case 11:
            return people.map { ("DELETE", $0 + (isOld ? "/Rival/$ref" : "/Boss/$ref"), nil, [:]) }
        case 12: return people.map { ("POST", $0 + "/Jobs", "{\"ID\":\(number)}", [:]) }
        case 13: return people.map { ("POST", $0 + "/Notes", "{\"Number\":\(number)}", [:]) }
        case 14:
            return try await entity("Jobs").map { ("PATCH", $0, "{\"Title\":\"t\(number)\"}", [:]) }
        case 15: return try await entity("Jobs").map { ("DELETE", $0, nil, [:]) }
        case 16:
            let none: HTTPHeaders = ["If-None-Match": "*"]
            return ("PATCH", "Tools('t\(number)')", "{\"Colour\":\"x\"}", none)
        case 17:
            return try await entity("Tools").map { ("PATCH", $0, "{\"Colour\":\(number)}", [:]) }
        case 18: return people.map { ("PUT", $0 + "/Picture", "p\(number)", text) }
        case 19: return people.map { ("DELETE", $0 + "/Picture", nil, [:]) }
        case 20: return ("PATCH", "Me", "{\"Status\":\"m\(number)\"}", [:])
        default: return people.map { ("POST", $0, "{}", [:]) }
        }
    }
}
