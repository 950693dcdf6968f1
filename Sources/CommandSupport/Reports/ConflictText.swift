public import OfflineOData

/// The versions of an entity in words.
public enum ConflictText {
    /// What has become of the entity as a whole.
    ///
    /// - Parameters:
    ///   - conflict: The versions.
    ///   - url: The entity.
    public static func headline(_ conflict: OfflineODataConflict, of url: String) -> String {
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
    public static func unchanged(_ url: String) -> String {
        "\(url): no local changes, nothing newer known of the service"
    }

    /// What stands against the change of a stream, and what can be done.
    ///
    /// - Parameters:
    ///   - name: The stream property.
    ///   - url: The entity.
    ///   - store: The store's file.
    public static func line(ofStream name: String, of url: String, in store: String) -> String {
        let resolve = "resolve \(ShellText.quoted(store)) '\(url)'"
        return
            "the stream \(url)/\(name) has other content at the service: `\(resolve) local` sends mine over it,"
            + " `\(resolve) server` takes it back"
    }

    /// Which side has changed a property.
    public static func remark(_ property: OfflineODataConflict.Property) -> String {
        if property.isContested { return "both" }
        return property.isChangedHere ? "mine" : "service's"
    }

    /// A value as people read it; `-` where a version has none.
    public static func text(_ value: ODataValue?) -> String {
        guard let value else { return "-" }
        return value.stringValue ?? value.json
    }

    /// What a change from here makes of a link, which no version of the entity shows.
    public static func line(ofLink link: ChangedLink) -> String {
        "the link \(link.property) is changed here: \(link.mine); the versions do not show which one the service has"
    }
}
