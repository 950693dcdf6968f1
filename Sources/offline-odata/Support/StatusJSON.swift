import ODataProtocol
import OfflineOData

/// A store's status as JSON; its members are a promise to scripts.
enum StatusJSON {
    static func json(_ status: OfflineODataStatus) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.optional("serviceRoot", status.serviceRoot)
        writer.optional("odataVersion", status.odataVersion)
        writer.name("queries")
        write(status.queries, to: &writer)
        writer.objects("entitySets", status.entitySets) { writer, set in
            writer.member("name", set.name)
            writer.member("rows", set.entityCount)
            writer.member("pending", set.waitingCount)
            writer.member("inError", set.errorCount)
        }
        writer.member("queue", status.queueCount)
        writer.member("errors", status.errorCount)
        // What still runs was not cut.
        let isRunning = status.isBeingSynchronized
        writer.optional("interrupted", isRunning ? nil : status.interrupted)
        if let running = status.interrupted, isRunning { writer.member("running", running) }
        writer.endObject()
        return writer.bytes
    }

    static func write(_ queries: [OfflineODataStatus.Query], to writer: inout JSONWriter) {
        writer.beginArray()
        for query in queries {
            writer.beginObject()
            writer.member("name", query.name)
            writer.member("url", query.url)
            writer.optional("lastDownload", query.lastDownload)
            writer.name("hasDeltaLink")
            writer.boolean(query.hasDeltaLink)
            writer.endObject()
        }
        writer.endArray()
    }
}
