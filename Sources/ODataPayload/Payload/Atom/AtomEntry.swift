import ODataText
import ODataValues

/// An entry that is being read: its members as JSON, and what describes it.
///
/// The description stands at the end of an entry as often as at its beginning, while a reader of JSON wants it first.
struct AtomEntry {
    /// The members behind `__metadata`, a comma before each.
    var members: [UInt8] = []
    var id: String?
    var etag: String?
    var type: String?
    var editLink: String?
    var selfLink: String?
    var mediaSource: String?
    var mediaEditLink: String?
    var mediaType: String?
    var mediaETag: String?

    /// Appends the entity as verbose JSON (JSON Verbose § 6.2).
    func append(to output: inout [UInt8]) {
        output.append(literal: "{\"__metadata\":{")
        // Readers take the address for the id where no other id is stated.
        let address = editLink ?? selfLink ?? id
        let described: [(StaticString, String?)] = [
            ("id", id == address ? nil : id), ("uri", address), ("etag", etag), ("type", type),
            ("media_src", mediaSource), ("edit_media", mediaEditLink),
            ("content_type", mediaType), ("media_etag", mediaETag),
        ]
        var isFirst = true
        for case (let name, let value?) in described {
            if !isFirst { output.append(UInt8(ascii: ",")) }
            isFirst = false
            output.append(UInt8(ascii: "\""))
            output.append(literal: name)
            output.append(literal: "\":")
            JSONString.append(Array(value.utf8).span, to: &output)
        }
        output.append(UInt8(ascii: "}"))
        output.append(contentsOf: members)
        output.append(UInt8(ascii: "}"))
    }
}
