import ODataProtocol
import OfflineStore

/// A store's status as JSON; its members are a promise to scripts.
enum StatusJSON {
    static func json(_ status: StoreStatus) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.optional("serviceRoot", status.serviceRoot)
        writer.optional("odataVersion", status.odataVersion)
        writer.name("queries")
        write(status.queries, to: &writer)
        writer.name("entitySets")
        writer.beginArray()
        for set in status.sets {
            writer.beginObject()
            writer.member("name", set.name)
            writer.member("rows", set.rowCount)
            writer.member("pending", set.pendingCount)
            writer.member("inError", set.errorCount)
            writer.endObject()
        }
        writer.endArray()
        writer.member("queue", status.queueCount)
        writer.member("errors", status.errorCount)
        writer.optional("interrupted", status.interrupted)
        writer.endObject()
        return writer.bytes
    }

    static func write(_ queries: [DefiningQuery], to writer: inout JSONWriter) {
        writer.beginArray()
        for query in queries {
            writer.beginObject()
            writer.member("name", query.name)
            writer.member("url", query.url)
            writer.optional("lastDownload", query.lastDownload)
            writer.name("hasDeltaLink")
            writer.boolean(query.deltaLink != nil)
            writer.endObject()
        }
        writer.endArray()
    }
}
