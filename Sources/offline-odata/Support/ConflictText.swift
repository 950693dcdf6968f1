import CommandSupport
import OfflineOData

/// The versions of an entity in words.
enum ConflictText {
    /// What has become of the entity as a whole.
    static func headline(_ conflict: OfflineODataConflict, of url: String) -> String {
        let here =
            conflict.local == nil ? "deleted here" : conflict.base == nil ? "created here" : nil
        let there =
            conflict.isDeletedAtService
            ? "deleted at the service"
            : conflict.server == nil && conflict.streams.isEmpty
                ? "nothing newer known of the service" : nil
        let parts = [here, there].compactMap { $0 }
        return url + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
    }

    /// What is said of an entity that has one version only.
    static func unchanged(_ url: String) -> String {
        "\(url): no local changes, nothing newer known of the service"
    }

    /// What stands against the change of a stream, and what can be done.
    static func line(ofStream name: String, of url: String, in store: String) -> String {
        let resolve = "resolve \(ShellText.quoted(store)) '\(url)'"
        return
            "the stream \(url)/\(name) has other content at the service: `\(resolve) local` sends mine over it,"
            + " `\(resolve) server` takes it back"
    }

    /// Which side has changed a property.
    static func remark(_ property: OfflineODataConflict.Property) -> String {
        if property.isContested { return "both" }
        return property.isChangedHere ? "mine" : "service's"
    }

    /// A value as people read it; `-` where a version has none.
    static func text(_ value: ODataValue?) -> String {
        guard let value else { return "-" }
        return value.stringValue ?? value.json
    }
}

extension StoreSession {
    /// Whether an entity has one version only: that of the service.
    func hasOneVersion(_ conflict: OfflineODataConflict, of url: String) async throws -> Bool {
        guard conflict.base == nil, conflict.server == nil, !conflict.isDeletedAtService,
            conflict.streams.isEmpty
        else { return false }
        return try await !provider.provenance(of: local(url)).isCreatedHere
    }
}
