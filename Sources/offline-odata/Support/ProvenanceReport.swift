import CommandSupport
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
    /// Whether the store is one of a service; others are filled by imports.
    let hasService: Bool

    // MARK: Text

    var lines: [String] {
        var lines = [found.url, ""]
        lines += Self.fact("set", text: "\(found.entitySet), \(found.type)")
        lines += Self.fact("ETag", text: found.etag ?? "none")
        lines += Self.fact(
            "state",
            text: states.isEmpty ? unchanged : states.joined(separator: ", ")
        )
        lines += holders
        lines += versions
        for request in found.requests { lines += Self.fact("request", text: Self.line(request)) }
        if !found.referringRequestIDs.isEmpty {
            let ids = found.referringRequestIDs.map(String.init).joined(separator: ", ")
            lines += Self.fact("named by", text: "requests \(ids)")
        }
        for reference in found.references {
            let more = reference.count > reference.urls.count ? ", …" : ""
            let urls = reference.urls.joined(separator: ", ") + more
            lines += Self.fact(
                "referred by",
                text:
                    "\(Words.number(reference.count)) in \(reference.entitySet)/\(reference.property): \(urls)"
            )
        }
        return lines
    }

    private static func fact(_ name: String, text: String) -> [String] {
        [
            name + String(repeating: " ", count: max(1, 13 - name.count))
                + DisplayText.printable(text)
        ]
    }

    private var unchanged: String { hasService ? "as the service has it" : "as it was imported" }

    private var states: [String] {
        [
            (found.isCreatedHere, "created here"), (found.isDeletedHere, "deleted here"),
            (found.isLocal && !found.isCreatedHere && !found.isDeletedHere, "changed here"),
            (found.hasPendingChanges && !areAllRefused, "changes wait"),
            (found.isInErrorState, "a change was refused"),
            (found.isInConflict, found.isGone ? "the service has deleted it" : "in conflict"),
        ].filter(\.0).map(\.1)
    }

    private var areAllRefused: Bool {
        !found.requests.isEmpty && found.requests.allSatisfy { $0.failure != nil }
    }

    private var holders: [String] {
        var lines: [String] = []
        for query in found.queries {
            let time =
                query.lastDownload.map { "loaded \(EventListing.time($0))" } ?? "never loaded"
            lines += Self.fact("query", text: "\(query.name)  \(query.url), \(time)")
        }
        for collection in found.collections {
            let time = collection.fetched.map { ", fetched \($0.formatted(.iso8601))" } ?? ""
            lines += Self.fact("stored read", text: collection.url + time)
        }
        if lines.isEmpty { lines += Self.fact("query", text: "none holds it") }
        if found.isFromLastDownload {
            let way = hasService ? "download" : "import"
            lines += Self.fact("came", text: "with the last \(way)")
        }
        return lines
    }

    /// The versions are shown where there is more than one.
    private var versions: [String] {
        let versions = found.versions
        guard versions.base != nil || versions.server != nil else { return [] }
        return Self.fact("base", text: versions.base?.json ?? "-")
            + Self.fact("here", text: versions.local?.json ?? "-")
            + Self.fact("server", text: versions.server?.json ?? "-")
            + Self.fact(
                "changed",
                text: versions.changedProperties.isEmpty
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
        writer.member("url", value: found.url)
        writer.member("entitySet", value: found.entitySet)
        writer.member("type", value: found.type)
        writer.optional("etag", value: found.etag)
        writeState(to: &writer)
        writer.member("fromLastDownload", value: found.isFromLastDownload)
        writeHolders(to: &writer)
        writer.raw("base", json: found.versions.base?.json)
        writer.raw("local", json: found.versions.local?.json)
        writer.raw("server", json: found.versions.server?.json)
        writer.member("changedProperties", values: found.versions.changedProperties)
        writer.member("conflict", value: found.isInConflict)
        writer.name("requests")
        writer.beginArray()
        for request in found.requests {
            QueueListing.Item(entry: request, link: found.url).write(to: &writer)
        }
        writer.endArray()
        writer.member("referringRequests", values: found.referringRequestIDs.map(Int.init))
        writeReferences(to: &writer)
        writer.endObject()
        return writer.bytes
    }

    private func writeState(to writer: inout JSONWriter) {
        writer.name("state")
        writer.beginObject()
        writer.member("createdHere", value: found.isCreatedHere)
        writer.member("deletedHere", value: found.isDeletedHere)
        writer.member("changedHere", value: found.isLocal)
        writer.member("pending", value: found.hasPendingChanges)
        writer.member("inError", value: found.isInErrorState)
        writer.member("gone", value: found.isGone)
        writer.endObject()
    }

    private func writeHolders(to writer: inout JSONWriter) {
        writer.objects("queries", items: found.queries) { writer, query in
            writer.member("name", value: query.name)
            writer.member("url", value: query.url)
            writer.optional("lastDownload", value: query.lastDownload)
        }
        writer.objects("collections", items: found.collections) { writer, collection in
            writer.member("name", value: collection.name)
            writer.member("url", value: collection.url)
            writer.optional("fetched", value: collection.fetched?.formatted(.iso8601))
            writer.optional("expires", value: collection.expires?.formatted(.iso8601))
        }
    }

    private func writeReferences(to writer: inout JSONWriter) {
        writer.objects("references", items: found.references) { writer, reference in
            writer.member("entitySet", value: reference.entitySet)
            writer.member("property", value: reference.property)
            writer.member("count", value: reference.count)
            writer.member("urls", values: reference.urls)
        }
    }
}

extension JSONWriter {
    /// Writes a member whose value is JSON already, or null.
    fileprivate mutating func raw(_ name: String, json: String?) {
        self.name(name)
        if let json { raw(Array(json.utf8).span) } else { null() }
    }
}
