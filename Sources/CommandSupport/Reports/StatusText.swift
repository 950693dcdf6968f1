public import OfflineOData

/// A store's status for people.
public struct StatusText {
    let status: OfflineODataStatus
    /// The newest events.
    let events: [OfflineODataEvent]
    let store: String

    /// Creates the text of a store's status.
    ///
    /// - Parameter store: How the store is named, for what can be called next.
    public init(status: OfflineODataStatus, events: [OfflineODataEvent], store: String) {
        self.status = status
        self.events = events
        self.store = store
    }

    /// The lines, without an end.
    public var lines: [String] {
        var lines = ["service      \(status.serviceRoot ?? "none")"]
        lines.append(
            "model        " + (status.odataVersion.map { "OData \($0)" } ?? "not loaded yet")
        )
        lines.append("waiting      " + Words.amount(status.queueCount, of: "change"))
        lines.append("refused      " + Words.amount(status.errorCount, of: "request"))
        if let running = status.interrupted, status.isBeingSynchronized {
            lines.append("running      another process carries out `\(running)`")
        } else if let interrupted = status.interrupted {
            lines.append("interrupted  " + wayOn(after: interrupted))
        }
        if !status.queries.isEmpty { lines += [""] + Self.table(status.queries).lines() }
        if !status.entitySets.isEmpty { lines += [""] + setTable.lines() }
        if !events.isEmpty { lines += [""] + EventListing.table(events).lines() }
        return lines
    }

    /// How far an import has come that was broken off, and what to do.
    public static let brokenImport = "before its last step; call it again with all of its files"

    private func wayOn(after operation: String) -> String {
        operation == "import"
            ? "import, " + Self.brokenImport
            : "\(operation); calling `\(operation) \(ShellText.quoted(store))` again goes on"
    }

    private var setTable: TextTable {
        var table = TextTable([
            ("entity set", .left), ("entities", .right), ("waiting", .right), ("refused", .right),
        ])
        for set in status.entitySets {
            table.add([
                set.name, Words.number(set.entityCount), Self.countOrDash(set.waitingCount),
                Self.countOrDash(set.errorCount),
            ])
        }
        return table
    }

    private static func countOrDash(_ count: Int) -> String {
        count == 0 ? "-" : Words.number(count)
    }

    /// The defining queries, a row each.
    public static func table(_ queries: [OfflineODataStatus.Query]) -> TextTable {
        var table = TextTable([
            ("query", .left), ("last download", .left), ("next", .left), ("URL", .left),
        ])
        for query in queries {
            table.add([
                query.name, query.lastDownload.map(EventListing.time) ?? "never",
                !query.hasDeltaLink || query.needsFullRead ? "full" : "delta",
                query.url,
            ])
        }
        return table
    }
}
