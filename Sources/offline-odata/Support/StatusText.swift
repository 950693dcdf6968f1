import CommandSupport
import OfflineOData

/// A store's status for people.
struct StatusText {
    let status: OfflineODataStatus
    /// The newest events.
    let events: [OfflineODataEvent]
    let store: String

    var lines: [String] {
        var lines = ["service      \(status.serviceRoot ?? "none")"]
        lines.append(
            "model        " + (status.odataVersion.map { "OData \($0)" } ?? "not loaded yet")
        )
        lines.append("waiting      " + Words.amount(status.queueCount, of: "change"))
        lines.append("refused      " + Words.amount(status.errorCount, of: "request"))
        if let running = status.interrupted, status.isBeingSynchronized {
            lines.append("running      another process carries out `\(running)`")
        } else if let interrupted = status.interrupted {
            lines.append(
                "interrupted  \(interrupted); calling `\(interrupted) \(ShellText.quoted(store))` again goes on"
            )
        }
        if !status.queries.isEmpty { lines += [""] + Self.table(status.queries).lines() }
        if !status.entitySets.isEmpty { lines += [""] + setTable.lines() }
        if !events.isEmpty { lines += [""] + EventListing.table(events).lines() }
        return lines
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

    static func table(_ queries: [OfflineODataStatus.Query]) -> TextTable {
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
