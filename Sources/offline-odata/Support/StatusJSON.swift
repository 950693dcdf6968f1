import CommandSupport
import ODataProtocol
import OfflineOData

/// A store's status as JSON; its members are a promise to scripts.
enum StatusJSON {
    static func json(_ status: OfflineODataStatus, _ events: [OfflineODataEvent]? = nil) -> [UInt8]
    {
        var writer = JSONWriter()
        writer.beginObject()
        writer.optional("serviceRoot", value: status.serviceRoot)
        writer.optional("odataVersion", value: status.odataVersion)
        writer.name("queries")
        write(status.queries, to: &writer)
        writer.objects("entitySets", items: status.entitySets) { writer, set in
            writer.member("name", value: set.name)
            writer.member("rows", value: set.entityCount)
            writer.member("pending", value: set.waitingCount)
            writer.member("inError", value: set.errorCount)
        }
        writer.member("queue", value: status.queueCount)
        writer.member("errors", value: status.errorCount)
        // What still runs was not cut.
        let isRunning = status.isBeingSynchronized
        writer.optional("interrupted", value: isRunning ? nil : status.interrupted)
        if let running = status.interrupted, isRunning { writer.member("running", value: running) }
        if let events {
            writer.name("events")
            writer.raw(EventListing.json(events).span)
        }
        writer.endObject()
        return writer.bytes
    }

    static func write(_ queries: [OfflineODataStatus.Query], to writer: inout JSONWriter) {
        writer.beginArray()
        for query in queries {
            writer.beginObject()
            writer.member("name", value: query.name)
            writer.member("url", value: query.url)
            writer.optional("lastDownload", value: query.lastDownload)
            writer.member("hasDeltaLink", value: query.hasDeltaLink)
            writer.endObject()
        }
        writer.endArray()
    }
}
