import ODataProtocol
import OfflineOData

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Why an entity is in the store, for people and for scripts.
struct ProvenanceReport {
    let found: OfflineODataProvenance

    // MARK: Text

    var lines: [String] {
        var lines = [found.url, ""]
        lines += Self.fact("set", "\(found.entitySet), \(found.type)")
        lines += Self.fact("ETag", found.etag ?? "none")
        lines += Self.fact(
            "state",
            states.isEmpty ? "as the service has it" : states.joined(separator: ", ")
        )
        lines += holders
        lines += versions
        for request in found.requests { lines += Self.fact("request", Self.line(request)) }
        if !found.referringRequestIDs.isEmpty {
            let ids = found.referringRequestIDs.map(String.init).joined(separator: ", ")
            lines += Self.fact("named by", "requests \(ids)")
        }
        for reference in found.references {
            let more = reference.count > reference.urls.count ? ", …" : ""
            let urls = reference.urls.joined(separator: ", ") + more
            lines += Self.fact(
                "referred by",
                "\(Words.number(reference.count)) in \(reference.entitySet)/\(reference.property): \(urls)"
            )
        }
        return lines
    }

    private static func fact(_ name: String, _ text: String) -> [String] {
        [
            name + String(repeating: " ", count: max(1, 13 - name.count))
                + DisplayText.printable(text)
        ]
    }

    private var states: [String] {
        [
            (found.isCreatedHere, "created here"), (found.isDeletedHere, "deleted here"),
            (found.isLocal && !found.isCreatedHere && !found.isDeletedHere, "changed here"),
            (found.hasPendingChanges, "changes wait"),
            (found.isInErrorState, "a change was refused"),
            (found.isInConflict, found.isGone ? "the service has deleted it" : "in conflict"),
        ].filter(\.0).map(\.1)
    }

    private var holders: [String] {
        var lines: [String] = []
        for query in found.queries {
            let time = query.lastDownload.map { "loaded \(EventText.time($0))" } ?? "never loaded"
            lines += Self.fact("query", "\(query.name)  \(query.url), \(time)")
        }
        for collection in found.collections {
            let time = collection.fetched.map { ", fetched \($0.formatted(.iso8601))" } ?? ""
            lines += Self.fact("stored read", collection.url + time)
        }
        if lines.isEmpty { lines += Self.fact("query", "none holds it") }
        if found.isFromLastDownload { lines += Self.fact("came", "with the last download") }
        return lines
    }

    /// The versions are shown where there is more than one.
    private var versions: [String] {
        let versions = found.versions
        guard versions.base != nil || versions.server != nil else { return [] }
        return Self.fact("base", versions.base?.json ?? "-")
            + Self.fact("here", versions.local?.json ?? "-")
            + Self.fact("server", versions.server?.json ?? "-")
            + Self.fact(
                "changed",
                versions.changedProperties.isEmpty
                    ? "-" : versions.changedProperties.joined(separator: ", ")
            )
    }

    private static func line(_ request: OfflineODataRequest) -> String {
        let answer = request.failure.map { ": \($0.httpStatus) \($0.message)" } ?? ""
        return
            "\(request.id)  \(request.method) \(request.url), \(request.status.rawValue)\(answer)"
    }

    // MARK: JSON

    /// The members are a promise to scripts.
    func json() -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("url", found.url)
        writer.member("entitySet", found.entitySet)
        writer.member("type", found.type)
        writer.optional("etag", found.etag)
        writeState(to: &writer)
        writer.member("fromLastDownload", found.isFromLastDownload)
        writeHolders(to: &writer)
        writer.raw("base", found.versions.base?.json)
        writer.raw("local", found.versions.local?.json)
        writer.raw("server", found.versions.server?.json)
        writer.member("changedProperties", found.versions.changedProperties)
        writer.member("conflict", found.isInConflict)
        writer.name("requests")
        writer.beginArray()
        for request in found.requests {
            QueueListing.Item(entry: request, link: found.url).write(to: &writer)
        }
        writer.endArray()
        writer.member("referringRequests", found.referringRequestIDs.map(Int.init))
        writeReferences(to: &writer)
        writer.endObject()
        return writer.bytes
    }

    private func writeState(to writer: inout JSONWriter) {
        writer.name("state")
        writer.beginObject()
        writer.member("createdHere", found.isCreatedHere)
        writer.member("deletedHere", found.isDeletedHere)
        writer.member("changedHere", found.isLocal)
        writer.member("pending", found.hasPendingChanges)
        writer.member("inError", found.isInErrorState)
        writer.member("gone", found.isGone)
        writer.endObject()
    }

    private func writeHolders(to writer: inout JSONWriter) {
        writer.objects("queries", found.queries) { writer, query in
            writer.member("name", query.name)
            writer.member("url", query.url)
            writer.optional("lastDownload", query.lastDownload)
        }
        writer.objects("collections", found.collections) { writer, collection in
            writer.member("name", collection.name)
            writer.member("url", collection.url)
            writer.optional("fetched", collection.fetched?.formatted(.iso8601))
            writer.optional("expires", collection.expires?.formatted(.iso8601))
        }
    }

    private func writeReferences(to writer: inout JSONWriter) {
        writer.objects("references", found.references) { writer, reference in
            writer.member("entitySet", reference.entitySet)
            writer.member("property", reference.property)
            writer.member("count", reference.count)
            writer.member("urls", reference.urls)
        }
    }
}

extension JSONWriter {
    /// Writes a member whose value is JSON already, or null.
    fileprivate mutating func raw(_ name: String, _ json: String?) {
        self.name(name)
        if let json { raw(Array(json.utf8).span) } else { null() }
    }
}
