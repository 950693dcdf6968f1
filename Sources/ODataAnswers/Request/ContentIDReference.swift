/// A reference to another request of the same batch, `$id`, at the start of a URL (OData 4.01 Part 1 § 11.7.7.4).
///
/// Some clients write each URL with a slash before it; `/$id` means the same.
struct ContentIDReference {
    /// The Content-ID of the other request.
    let id: String
    /// What follows it in the URL.
    let rest: String

    /// Finds the reference; nil where a URL begins with none.
    init?(_ url: String) {
        let bytes = url.utf8.first == UInt8(ascii: "/") ? url.utf8.dropFirst() : url.utf8[...]
        guard bytes.first == UInt8(ascii: "$") else { return nil }
        let name = bytes.dropFirst().prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        id = String(decoding: name, as: UTF8.self)
        rest = String(decoding: bytes[name.endIndex...], as: UTF8.self)
    }
}
