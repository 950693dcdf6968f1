@testable import StoreRecords
@testable import StoreUpload
import ODataHTTP
import TestSupport
import Testing

@testable import OfflineStore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The run of one seam script.
struct SeamRun {
    let store: SeamStore
    private var staged: [SeamPage] = []
    /// `If-Match` of the next change.
    private var condition: String?
    /// Whether the next change may do nothing but create the entity.
    private var isInsertOnly = false
    /// Local ids in the order in which they were seen; printed as A, B, ….
    private var localIDs: [String] = []

    init(store: SeamStore) { self.store = store }

    /// Runs one event; returns what it prints.
    mutating func run(_ line: String) async throws -> [String] {
        var words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        var options = ChangeOptions()
        (condition, isInsertOnly) = (nil, false)
        while let first = words.first,
            set(first, &options)
        {
            words.removeFirst()
        }
        let verb = words.removeFirst()
        do {
            return named(try await perform(verb, words, options))
        } catch {
            return named(["error: \(error)"])
        }
    }

    /// Sets an option of a change; returns false where the word is none.
    private mutating func set(_ word: String, _ options: inout ChangeOptions) -> Bool {
        let sides = word.split(separator: "=", maxSplits: 1).map(String.init)
        let field = sides.last?.split(separator: ":", maxSplits: 1).map(String.init) ?? []
        switch (sides[0], sides.count) {
        case ("if-none", 1): isInsertOnly = true
        case ("remove", 1): options.flags.insert(.removeAfterUpload)
        case ("optimize", 1): options.optimizes = true
        case ("tx", 2): options.transaction = group(sides[1])
        case ("cat", 2): options.category = group(sides[1])
        case ("if", 2): condition = sides[1]
        case ("header", 2): options.headers.add(field[0], field[1])
        case ("template", 2): options.headerTemplates.add(field[0], unnamed(field[1]))
        default: return false
        }
        return true
    }

    private func group(_ name: String) -> ChangeOptions.Group {
        guard name.hasPrefix("@") else { return .named(name) }
        return name == "@" ? .affected : .entity(unnamed(String(name.dropFirst())))
    }

    private mutating func perform(
        _ verb: String,
        _ words: [String],
        _ options: ChangeOptions
    ) async throws -> [String] {
        let first = words.first.map(unnamed) ?? ""
        let rest = unnamed(words.dropFirst().joined(separator: " "))
        let id = Int64(first) ?? 0
        switch verb {
        case "query": try store.addQuery(first, url: rest)
        case "unquery": try store.removeQuery(first)
        case "full": staged.append(store.page(first, isDelta: false, rest))
        case "partial":
            staged.append(store.page(first, isDelta: false, rest))
            staged[staged.count - 1].isIncomplete = true
        case "one": staged.append(SeamPage(query: first, isDelta: false, text: rest))
        case "delta": staged.append(store.page(first, isDelta: true, rest))
        case "merge":
            let pages = staged
            staged = []
            return try await store.merge(pages)
        case "POST", "PATCH", "PUT", "DELETE":
            return try await change(verb, first, rest, options)
        case "send":
            let (units, refused) = try store.send(words.first.map { [$0] })
            return Self.lines(units)
                + refused.map { "\($0.members.map(\.id)) cannot go: \($0.obstacle)" }
        case "resume": return Self.lines(try store.sentUnits())
        case "ok": try answer(id, rest)
        case "fail":
            try store.record(id, status: Int(rest) ?? 400, etag: nil, entityID: nil, body: nil)
        case "gone": try store.markGone(id)
        case "their": try their(id, rest)
        case "their-stream": try theirStream(id, rest)
        case "hold": try store.hold(words.compactMap { Int64($0) })
        case "give-back": try store.giveBack()
        case "standing": return ["\(try store.standing(of: rest, for: id))"]
        case "absent": return try store.absent().map(\.url)
        case "absent-gone": try store.settleAbsent(first, nil, etag: nil)
        case "absent-found":
            let (etag, body) = Self.tagged(rest)
            try store.settleAbsent(first, body, etag: etag)
        case "done": return ["\(try store.markAsDone(first))"]
        case "conflict": return try conflict(first)
        case "conflicts":
            return try store.conflicts().map { "\($0.change) \($0.url)\($0.isGone ? " gone" : "")" }
        case "move": try move(id, words)
        case "stream": return try await stream(first)
        case "unknown": try store.set(.unknownOutcome, of: id)
        case "back": try store.set(.pending, of: id)
        case "split": try store.edit { try $0.split(id) }
        case "retry": try store.edit { try $0.retry(id) }
        case "drop": try store.edit { try $0.drop([id]) }
        case "discard": try store.edit { try $0.discardError(id) }
        case "edit": try store.edit { try $0.edit(id, body: Array(rest.utf8)) }
        case "identify": try store.edit { try $0.identify(first, as: rest) }
        case "undo": try store.edit { try $0.undo([first]) }
        case "local": try store.edit { try $0.resolve(first, with: .local) }
        case "server": try store.edit { try $0.resolve(first, with: .server) }
        case "merge-with": try store.edit { try $0.resolve(first, with: .merge(Array(rest.utf8))) }
        case "rows": return try await rows(first + (rest.isEmpty ? "" : " " + rest))
        case "tasks": return try await store.tasks()
        case "ids": return try await ids(first)
        case "queue": return try store.entries().map(Self.line)
        case "events": return try store.events()
        default: Issue.record("unknown event \(verb)")
        }
        return []
    }

    // MARK: Events

    private func change(
        _ method: String,
        _ url: String,
        _ body: String,
        _ options: ChangeOptions
    ) async throws -> [String] {
        let response = await store.respond(
            method,
            url,
            body: body.isEmpty ? nil : body,
            options,
            condition: condition,
            isInsertOnly: isInsertOnly
        )
        guard !response.isSuccess else {
            return response.headers["Location"].map {
                ["-> " + $0.replacing("http://service/", with: "")]
            } ?? []
        }
        let message = try JSONValue(response.body)["error"]?["message"]?.text ?? ""
        return ["\(response.status) \(message)"]
    }

    private func conflict(_ url: String) throws -> [String] {
        let conflict = try store.conflict(url)
        return [
            conflict.base.map { "base \($0)" }, conflict.local.map { "here \($0)" },
            conflict.server.map { "service \($0)" },
            "changed " + conflict.changedProperties.joined(separator: ", "),
        ].compactMap { $0 }
    }

    private static func lines(_ units: [OutgoingUnit]) -> [String] {
        units.enumerated().flatMap { number, unit in
            let obstacle = unit.obstacle.map { ["set \(number + 1) cannot go: \($0)"] } ?? []
            return obstacle
                + unit.requests.map { request in
                    let parts = [
                        unit.isChangeSet ? "set \(number + 1):" : nil, "\(request.entry.id)",
                        request.method, request.url,
                        request.headers["If-Match"].map { "If-Match: \($0)" },
                        request.hasStaleETag ? "stale" : nil, request.body,
                    ]
                    let own = request.headers.fields.filter { $0.name != "If-Match" }
                        .map { "\($0.name): \($0.value)" }
                    return (parts.compactMap { $0 } + own).joined(separator: " ")
                }
        }
    }

    private func move(_ id: Int64, _ words: [String]) throws {
        let other = words.last.flatMap { Int64($0) } ?? 0
        try store.edit {
            try $0.move(id, to: words[1] == "before" ? .before(other) : .after(other))
        }
    }

    private func their(_ id: Int64, _ text: String) throws {
        let (etag, body) = Self.tagged(text)
        try store.keepServerCopy(body, etag: etag, for: id)
    }

    private func theirStream(_ id: Int64, _ text: String) throws {
        let (etag, content) = Self.tagged(text)
        try store.keepServerStream(content, etag: etag, for: id)
    }

    /// An ETag before the rest of a line.
    private static func tagged(_ text: String) -> (etag: String?, rest: String) {
        guard text.hasPrefix("etag=") else { return (nil, text) }
        let sides = text.dropFirst(5).split(separator: " ", maxSplits: 1).map(String.init)
        return (sides.first, sides.count > 1 ? sides[1] : "")
    }

    private func stream(_ url: String) async throws -> [String] {
        let response = await store.respond("GET", url, body: nil, ChangeOptions())
        guard response.status == 200 else { return ["\(response.status)"] }
        return [String(decoding: response.body, as: UTF8.self)]
    }

    private func answer(_ id: Int64, _ text: String) throws {
        var etag: String?
        var entityID: String?
        var rest = text[...]
        while let word = rest.split(separator: " ", maxSplits: 1).first, !word.hasPrefix("{") {
            if word.hasPrefix("etag=") { etag = String(word.dropFirst(5)) }
            if word.hasPrefix("id=") { entityID = String(word.dropFirst(3)) }
            rest = rest.dropFirst(word.count).drop { $0 == " " }
        }
        let body = rest.isEmpty ? nil : String(rest)
        try store.record(
            id,
            status: body == nil ? 204 : 200,
            etag: etag,
            entityID: entityID,
            body: body
        )
    }

    private func rows(_ url: String) async throws -> [String] {
        let response = await store.respond("GET", url, body: nil, ChangeOptions())
        guard response.status == 200 else { return ["\(response.status)"] }
        let value = try JSONValue(response.body)
        if let old = value["d"] { return (old["results"]?.items ?? [old]).map(Self.text) }
        return (value["value"]?.items ?? [value]).map(Self.text)
    }

    private func ids(_ url: String) async throws -> [String] {
        let response = await store.respond("GET", url, body: nil, ChangeOptions())
        let value = try JSONValue(response.body)
        return (value["value"]?.items ?? [value]).map {
            $0["@odata.id"].map(Self.text) ?? "none"
        }
    }

    // MARK: Texts

    private static func line(_ entry: QueueEntry) -> String {
        let parts = [
            "\(entry.id) \(entry.status) \(entry.method) \(entry.url)", entry.body,
            entry.dependsOn.isEmpty ? nil : "after \(entry.dependsOn)",
            entry.failure.map { "answered \($0.httpStatus)" },
            entry.headers.map { "[" + $0.replacing("\n", with: "; ") + "]" },
        ]
        return parts.compactMap { $0 }.joined(separator: " ")
    }

    /// An entity without what a client has not asked about.
    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .object(let members):
            return "{" + members.compactMap(Self.member).joined(separator: " ") + "}"
        case .array(let items): return "[" + items.map(text).joined(separator: ",") + "]"
        case .string(let bytes): return String(decoding: bytes, as: UTF8.self)
        case .number(let digits): return digits
        case .word(let word): return word
        }
    }

    /// ETag and states without their prefixes; nulls are left out.
    private static func member(_ name: String, _ value: JSONValue) -> String? {
        if name.hasPrefix("@sap.") { return String(name.dropFirst(5)) }
        if name == "@odata.etag" { return "etag:" + text(value) }
        if name == "@odata.mediaEtag" { return "media:" + text(value) }
        if name == "__metadata" { return metadata(value) }
        if value["__deferred"] != nil { return nil }
        guard !name.contains("@") else { return nil }
        if case .word("null") = value { return nil }
        return "\(name):\(text(value))"
    }

    /// What version 2 says beside an entity: its ETag and states.
    private static func metadata(_ value: JSONValue) -> String? {
        var words: [String] = []
        if let etag = value["etag"] { words.append("etag:" + text(etag)) }
        if case .object(let members)? = value["properties"] {
            words += members.compactMap { $0.0.hasPrefix("sap.") ? String($0.0.dropFirst(4)) : nil }
        }
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// Replaces local ids by letters.
    private mutating func named(_ lines: [String]) -> [String] {
        lines.map { line in
            var line = line
            while let start = line.firstRange(of: "$local='"),
                let end = line[start.upperBound...].firstIndex(of: "'")
            {
                let id = String(line[start.upperBound..<end])
                if !localIDs.contains(id) { localIDs.append(id) }
                let letter = Self.letter(localIDs.firstIndex(of: id) ?? 0)
                line.replaceSubrange(start.lowerBound...end, with: letter)
            }
            return line
        }
    }

    private static func letter(_ index: Int) -> String {
        String(UnicodeScalar(UInt8(65 + index % 26)))
    }

    /// Puts local ids for letters: `Orders(A)`.
    private func unnamed(_ text: String) -> String {
        var text = text
        for (index, id) in localIDs.enumerated() {
            text = text.replacing("(\(Self.letter(index)))", with: "($local='\(id)')")
        }
        return text
    }
}
