import ODataText
import OfflineValues
import ODataModel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension OfflineODataJobReport {
    /// Reads the report in a file.
    ///
    /// - Throws: ``OfflineODataError`` (invalid input) where the file is none.
    public init(contentsOf path: String) throws(OfflineODataError) {
        guard let report = Self(json: try OfflineODataJob.contents(of: path)) else {
            throw OfflineODataError(.invalidInput, "\(path) is no report of a job")
        }
        self = report
    }

    /// Reads a report; nil where the text is none.
    ///
    /// Of one whose writing was cut the whole lines are read.
    public init?(json: [UInt8]) {
        if let node = Self.node(json) {
            self.init(node)
        } else {
            self.init(cut: json)
        }
    }

    private static func node(_ json: some Collection<UInt8>) -> JSONNode? {
        try? JSONTreeReader.read(Array(json), from: 0, line: 1, maximumDepth: 8)
    }

    private init?(cut json: [UInt8]) {
        let lines = json.split(separator: 0x0A)
        guard let first = lines.first, let head = Self.node(Array(first) + Array("]}".utf8))
        else { return nil }
        self.init(head)
        for line in lines.dropFirst() {
            let object = line.last == UInt8(ascii: ",") ? line.dropLast() : line
            guard let node = Self.node(object), let outcome = OfflineODataJobOutcome(node) else {
                continue
            }
            add(outcome)
        }
    }

    private init?(_ node: JSONNode) {
        guard let job = node["job"]?.text, let stores = node["stores"]?.integer,
            let items = node["outcomes"]?.items, let shards = node["shards"]?.items
        else { return nil }
        self.init(job: job, shards: shards.compactMap(\.text), storeCount: stores)
        for item in items {
            guard let outcome = OfflineODataJobOutcome(item) else { return nil }
            add(outcome)
        }
    }
}

extension OfflineODataJobOutcome {
    fileprivate init?(_ node: JSONNode) {
        guard let store = node["store"]?.text,
            let status = node["status"]?.text.flatMap(Status.init(rawValue:)),
            let started = node["started"]?.date
        else { return nil }
        self.init(
            store: store,
            status: status,
            attempts: node["attempts"]?.integer ?? 1,
            started: started,
            duration: node["seconds"]?.seconds ?? .zero,
            steps: (node["steps"]?.items ?? []).compactMap(Step.init)
        )
        refusedRequestIDs = (node["refusedIDs"]?.items ?? []).compactMap(\.integer).map(Int64.init)
        if case .bool(true)? = node["cleared"]?.value { isCleared = true }
        failure = node["error"].map(Failure.init)
    }
}

extension OfflineODataJobOutcome.Step {
    fileprivate init?(_ node: JSONNode) {
        guard let name = node["do"]?.text, let finished = node["finished"]?.date else { return nil }
        self.init(
            name: name,
            finished: finished,
            duration: node["seconds"]?.seconds ?? .zero,
            counts: [:]
        )
        for member in node.members ?? [] where member.name != "seconds" {
            if let count = member.value.integer { counts[member.name] = count }
        }
        if case .bool(true)? = node["skipped"]?.value { isSkipped = true }
    }
}

extension OfflineODataJobOutcome.Failure {
    fileprivate init(_ node: JSONNode) {
        self.init(
            step: node["step"]?.text ?? "",
            category: node["category"]?.text ?? "",
            message: node["message"]?.text ?? ""
        )
    }
}

extension JSONNode {
    fileprivate var integer: Int? {
        if case .number(let digits) = value { Int(digits) } else { nil }
    }

    fileprivate var seconds: Duration? {
        guard case .number(let digits) = value, let seconds = Double(digits), seconds >= 0,
            seconds < 1e9
        else { return nil }
        return .milliseconds(Int64((seconds * 1_000).rounded()))
    }

    fileprivate var date: Date? {
        text.flatMap { try? OfflineODataJobReport.timeStyle.parse($0) }
    }
}
