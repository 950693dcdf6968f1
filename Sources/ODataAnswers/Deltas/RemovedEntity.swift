import ODataValues
package import ODataModel

/// An entity that is no longer in a result, as delta answers say it (OData JSON 4.01 § 15.3, OData JSON 4.0 § 14.2).
package struct RemovedEntity {
    /// Why it is not there any more.
    package enum Reason: String {
        case deleted
        /// It is there, but not in the result.
        case changed
    }

    /// Absolute entity-id.
    let id: String
    let reason: Reason
    /// Context of the entry; nil where that of the whole answer says it.
    let context: String?

    package init(id: String, reason: Reason, context: String?) {
        (self.id, self.reason, self.context) = (id, reason, context)
    }

    /// Returns the JSON in the form of a version; 4.0 has the context always.
    package func json(_ version: ODataVersion) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        if version == .v4 {
            write("@odata.context", context, to: &writer)
            write("id", id, to: &writer)
            write("reason", reason.rawValue, to: &writer)
        } else {
            write("@context", context, to: &writer)
            writer.name("@removed")
            writer.beginObject()
            write("reason", reason.rawValue, to: &writer)
            writer.endObject()
            write("@id", id, to: &writer)
        }
        writer.endObject()
        return writer.takeBytes()
    }

    private func write(_ name: String, _ text: String?, to writer: inout JSONWriter) {
        guard let text else { return }
        writer.name(name)
        writer.string(text)
    }
}
