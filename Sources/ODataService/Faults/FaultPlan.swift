package import ODataProtocol
import Synchronization

/// The faults of a service: each acts once, on the request that it waits for.
package final class FaultPlan: Sendable {
    private let faults: [Fault]
    private let counts: Mutex<[Int]>

    package init(_ faults: [Fault]) {
        self.faults = faults
        counts = Mutex(Array(repeating: 0, count: faults.count))
    }

    /// Counts a request and returns what happens to it; nil where it is served as ever.
    ///
    /// Of several faults that wait for the same request the first acts; the others have met it all the same.
    package func action(for request: HTTPRequest) -> Fault.Action? {
        let path = Self.path(of: request.url)
        return counts.guarded { counts in
            var action: Fault.Action?
            for (index, fault) in faults.enumerated()
            where (fault.method == "*" || fault.method == request.method)
                && path.utf8.starts(with: fault.pathPrefix.utf8)
            {
                counts[index] += 1
                if counts[index] == fault.occurrence, action == nil { action = fault.action }
            }
            return action
        }
    }

    private static func path(of url: String) -> String {
        guard url.hasPrefix("http://") || url.hasPrefix("https://") else { return url }
        let bytes = Array(url.utf8)
        let slashes = bytes.indices.filter { bytes[$0] == UInt8(ascii: "/") }
        guard slashes.count > 2 else { return "/" }
        return String(decoding: bytes[slashes[2]...], as: UTF8.self)
    }
}

/// Why a file of faults cannot be read.
package struct FaultPlanError: Error, Equatable, CustomStringConvertible {
    package var message: String

    package var description: String { message }
}

// MARK: - Reading

extension FaultPlan {
    /// Reads a JSON array of faults.
    ///
    /// - Throws: `FaultPlanError` that names the entry.
    package convenience init(json: [UInt8]) throws {
        guard let tree = JSONTree(json), case .array(let entries) = tree.root.kind else {
            throw FaultPlanError(message: "the faults are no JSON array")
        }
        self.init(
            try entries.enumerated().map {
                try FaultEntry(tree: tree, node: $1, number: $0 + 1).fault()
            }
        )
    }
}

/// One object of the array.
private struct FaultEntry {
    let tree: JSONTree
    let node: JSONTree.Node
    let number: Int

    func fault() throws -> Fault {
        let match = (tree.string("match", of: node) ?? "").split(separator: " ", maxSplits: 1)
        guard match.count == 2, match[1].hasPrefix("/") else {
            throw problem("match is METHOD and a path that begins with a slash")
        }
        let occurrence = try integer("nth") ?? 1
        guard occurrence > 0 else { throw problem("nth is counted from 1") }
        return Fault(
            method: match[0].uppercased(),
            pathPrefix: String(match[1]),
            occurrence: occurrence,
            action: try action()
        )
    }

    private func action() throws -> Fault.Action {
        switch tree.string("action", of: node) {
        case "drop-before": return .dropBefore
        case "drop-after-commit": return .dropAfterCommit
        case "truncate-body": return .truncateBody(bytes: try integer("bytes") ?? 0)
        case "garbage": return .garbage(bytes: try integer("bytes") ?? 64)
        case "delay": return .delay(milliseconds: try integer("milliseconds") ?? 1_000)
        case "status":
            guard let status = try integer("status"), (100...599).contains(status) else {
                throw problem("status is missing or no HTTP status")
            }
            return .status(status, retryAfter: try integer("retryAfter"))
        default:
            throw problem(
                "action is one of drop-before, drop-after-commit, truncate-body, status, delay, garbage"
            )
        }
    }

    private func integer(_ name: String) throws -> Int? {
        guard let member = tree.member(name, of: node) else { return nil }
        guard case .word = member.kind,
            let number = Int(String(decoding: tree.text(member), as: UTF8.self)), number >= 0
        else { throw problem("\(name) is no whole number") }
        return number
    }

    private func problem(_ message: String) -> FaultPlanError {
        FaultPlanError(message: "fault \(number): \(message)")
    }
}
