/// The URL of an entity as a person writes it.
enum EntityAddress {
    /// The URL below the service's root, for which `~/` may stand.
    static func relative(_ url: String) -> String {
        url.hasPrefix("~/") ? String(url.dropFirst(2)) : url
    }
}
