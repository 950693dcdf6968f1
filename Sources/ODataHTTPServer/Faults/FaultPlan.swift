import ODataText
import ODataModel

/// One failure: on which request, and what happens to it.
struct Fault: Sendable {
    /// What happens to the request.
    enum Action: Sendable {
        /// The connection ends before the request is looked at.
        case dropBefore
        /// The request is carried out, and the connection ends without an answer.
        case dropAfterCommit
        /// The request is carried out, and the connection ends in the middle of the body.
        case truncateBody(bytes: Int)
        /// The request is not carried out, the answer has this status.
        case status(Int, retryAfter: Int?)
        /// The request is carried out, later.
        case delay(Duration)
        /// The request is carried out, the answer is no HTTP.
        case garbage
    }

    /// Method, `*` for any.
    var method: String
    /// Beginning of the path.
    var pathPrefix: String
    /// Which of the matching requests, 1-based.
    var nth: Int
    var action: Action
}

/// What is wrong with a list of faults.
public struct FaultPlanError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Line of the text, 1-based.
    public let line: Int
    /// The line and what was expected there.
    public let description: String

    init(line: Int, description: String) {
        self.line = line
        self.description = description
    }

    init(line: Int, message: String) {
        self.init(line: line, description: "line \(line): \(message)")
    }
}

extension Fault {
    /// Reads a JSON array of faults.
    ///
    /// - Throws: ``FaultPlanError`` with the line of what is wrong.
    static func list(_ json: [UInt8]) throws(FaultPlanError) -> [Fault] {
        let root: JSONNode
        do {
            root = try JSONTreeReader.read(json, from: 0, line: 1, maximumDepth: 8)
        } catch {
            throw FaultPlanError(line: error.line, description: error.description)
        }
        guard let items = root.items else {
            throw FaultPlanError(line: root.line, message: "an array of faults is expected")
        }
        var faults: [Fault] = []
        for item in items { faults.append(try Fault(item)) }
        return faults
    }
}

extension Fault {
    private static let members = [
        "match", "nth", "action", "status", "retryAfter", "bytes", "milliseconds",
    ]

    fileprivate init(_ node: JSONNode) throws(FaultPlanError) {
        guard let members = node.members else {
            throw .init(line: node.line, message: "\(node.kind) is no fault")
        }
        if let unknown = members.first(where: { !Self.members.contains($0.name) }) {
            throw .init(line: node.line, message: "a fault has no '\(unknown.name)'")
        }
        let match = (node["match"]?.text ?? "* /").split(separator: " ", maxSplits: 1)
        guard match.count == 2, match[1].hasPrefix("/") else {
            throw .init(
                line: node.line,
                message: "'match' is a method and the beginning of a path: \"GET /Orders\""
            )
        }
        method = String(match[0])
        pathPrefix = String(match[1])
        nth = try Self.number("nth", of: node, in: 1...Int.max) ?? 1
        action = try Self.action(node)
    }

    private static func action(_ node: JSONNode) throws(FaultPlanError) -> Action {
        switch node["action"]?.text {
        case "drop-before": return .dropBefore
        case "drop-after-commit": return .dropAfterCommit
        case "truncate-body": return .truncateBody(bytes: try number("bytes", of: node) ?? 0)
        case "status":
            return .status(
                try number("status", of: node, in: 200...599) ?? 503,
                retryAfter: try number("retryAfter", of: node)
            )
        case "delay": return .delay(.milliseconds(try number("milliseconds", of: node) ?? 1_000))
        case "garbage": return .garbage
        default:
            throw .init(
                line: node.line,
                message:
                    "'action' is one of drop-before, drop-after-commit, truncate-body, status, delay, garbage"
            )
        }
    }

    private static func number(
        _ name: String,
        of node: JSONNode,
        in range: ClosedRange<Int> = 0...Int.max
    ) throws(FaultPlanError) -> Int? {
        guard let value = node[name] else { return nil }
        guard case .number(let text) = value.value, let number = Int(text), range.contains(number)
        else {
            let bound =
                range.upperBound == Int.max
                ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
            throw .init(line: node.line, message: "'\(name)' is a whole number, \(bound)")
        }
        return number
    }
}
