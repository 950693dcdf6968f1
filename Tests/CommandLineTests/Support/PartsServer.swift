import ODataValues
import Foundation
import Synchronization
import TestSupport

/// A service of parts with ETags, said in literal HTTP: other users change them beside the store under test.
final class PartsServer: Sendable {
    struct Part: Sendable, Equatable {
        var name: String
        var version = 1
    }

    private struct State {
        var parts: [Int: Part] = [:]
        var asked: [String] = []
        /// Status and header fields said to everything but the metadata.
        var failure: Int?
        var headers = ""
    }

    private let listening: TCPSocket
    private let state = Mutex(State())

    init(_ names: [Int: String] = [1: "one", 2: "two", 3: "three"]) throws {
        listening = try TCPSocket(listening: ())
        state.guarded { $0.parts = names.mapValues { Part(name: $0) } }
        Thread.detachNewThread { [self] in
            while let connection = listening.acceptConnection() {
                Thread.detachNewThread { self.serve(connection) }
            }
        }
    }

    deinit { listening.shutDown() }

    var root: String { "http://127.0.0.1:\(listening.port)/" }
    var port: UInt16 { listening.port }
    var parts: [Int: Part] { state.guarded { $0.parts } }

    /// What was asked since the last call, without the metadata and batches: `PATCH /Parts(1) "1"`, with the precondition behind it.
    func takeAsked() -> [String] {
        state.guarded { state in
            defer { state.asked = [] }
            return state.asked
        }
    }

    /// Changes a part as another user would; nil deletes it.
    func change(_ id: Int, _ name: String?) {
        state.guarded { state in
            let version = (state.parts[id]?.version ?? 0) + 1
            state.parts[id] = name.map { Part(name: $0, version: version) }
        }
    }

    /// Answers everything with a status; nil answers as before.
    func fail(_ status: Int?) { state.guarded { $0.failure = status } }

    /// Adds header fields to the answers, each with its line end.
    func setHeaders(_ headers: String) { state.guarded { $0.headers = headers } }

    /// Listens no more: the service cannot be reached.
    func stop() { listening.shutDown() }

    // MARK: Connections

    private func serve(_ connection: TCPSocket) {
        while true {
            let message = connection.receiveMessage()
            guard let start = HTTPText.bodyStart(message) else { return }
            let head = HTTPText.text(Array(message[..<start]))
            let body = HTTPText.text(Array(message[start...]))
            guard connection.send(answer(head, body)) else { return }
        }
    }

    private func answer(_ head: String, _ body: String) -> String {
        let lines = head.components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ").map(String.init)
        let (method, target) = (words[0], words[1].removingPercentEncoding ?? words[1])
        if target.prefix(while: { $0 != "?" }) == "/$metadata" {
            return said(200, Self.metadata, "application/xml")
        }
        if target == "/$batch" { return said(501, "{}") }
        let match = lines.first { $0.lowercased().hasPrefix("if-match:") }?
            .dropFirst("if-match: ".count)
        return state.guarded { state in
            state.asked.append(
                ([method, target] + [match.map(String.init)].compactMap(\.self))
                    .joined(separator: " ")
            )
            if let failure = state.failure {
                return said(failure, "{\"error\":{\"code\":\"x\",\"message\":\"not today\"}}")
            }
            return answer(method, target, match.map(String.init), body, &state)
        }
    }

    private func answer(
        _ method: String,
        _ target: String,
        _ match: String?,
        _ body: String,
        _ state: inout State
    ) -> String {
        let path = target.prefix { $0 != "?" }
        guard path.hasPrefix("/Parts") else { return said(404, "{}") }
        let name = body.firstMatch(of: /"Name":"([^"]*)"/).map { String($0.1) }
        guard let open = path.firstIndex(of: "(") else {
            guard method == "POST" else { return list(state) }
            let id = body.firstMatch(of: /"ID":(\d+)/).flatMap { Int($0.1) } ?? 100
            guard state.parts[id] == nil else { return said(409, "{}") }
            state.parts[id] = Part(name: name ?? "")
            return one(id, state, 201)
        }
        let id = Int(path[path.index(after: open)...].prefix { $0 != ")" }) ?? 0
        guard let part = state.parts[id] else { return said(404, "{}") }
        if method == "GET" { return one(id, state, 200) }
        guard match == "*" || match == "\"\(part.version)\"" else { return said(412, "{}") }
        guard method != "DELETE" else {
            state.parts[id] = nil
            return said(204, nil)
        }
        state.parts[id] = Part(name: name ?? part.name, version: part.version + 1)
        return one(id, state, 200)
    }

    // MARK: Answers

    private func text(_ id: Int, _ part: Part) -> String {
        "\"@odata.etag\":\"\\\"\(part.version)\\\"\",\"ID\":\(id),\"Name\":\"\(part.name)\""
    }

    private func one(_ id: Int, _ state: State, _ status: Int) -> String {
        guard let part = state.parts[id] else { return said(404, "{}") }
        let context = "\(root)$metadata#Parts/$entity"
        let body = "{\"@odata.context\":\"\(context)\",\(text(id, part))}"
        let fields = "ETag: \"\(part.version)\"\r\nLocation: \(root)Parts(\(id))\r\n"
        return said(status, body, fields: fields + state.headers)
    }

    private func list(_ state: State) -> String {
        let parts = state.parts.sorted { $0.key < $1.key }.map { "{\(text($0.key, $0.value))}" }
        let body =
            "{\"@odata.context\":\"\(root)$metadata#Parts\",\"value\":[\(parts.joined(separator: ","))]}"
        return said(200, body, fields: state.headers)
    }

    private func said(
        _ status: Int,
        _ body: String?,
        _ type: String = "application/json",
        fields: String = ""
    ) -> String {
        let head = "HTTP/1.1 \(status) x\r\nOData-Version: 4.0\r\n\(fields)"
        guard let body else { return head + "\r\n" }
        return head
            + "Content-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="M" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Part"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Parts" EntityType="M.Part"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """
}
