import ODataGrammar
import ODataModel
import ODataProtocol

/// What is known of a valid URL, and the error of one that is not.
struct URLReport {
    var rule: String
    var version: ODataVersion
    /// The tree; nil for parts of URLs.
    var written: WrittenRequest?
    /// What the names stand for.
    var bound: BoundSketch?

    /// For people.
    var sentence: String {
        if let bound { return bound.sentence }
        return rule == URLSyntax.defaultRule
            ? "a URL of OData \(version.rawValue) by its grammar" : "a text of the rule \(rule)"
    }

    /// The tree as JSON.
    func json() -> String {
        var tree = WrittenTree()
        tree.writer.beginObject()
        tree.writer.name("valid")
        tree.writer.boolean(true)
        tree.string("rule", value: rule)
        tree.string("version", value: version.rawValue)
        if let bound { bound.write(to: &tree) }
        if let written { tree.request(written) }
        tree.writer.endObject()
        return String(decoding: tree.writer.bytes, as: UTF8.self)
    }

    /// An error as JSON.
    static func json(_ error: ODataURLError) -> String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("valid")
        writer.boolean(false)
        writer.name("offset")
        writer.integer(Int64(error.offset))
        writer.name("code")
        writer.string("\(error.code)")
        writer.name("message")
        writer.string(error.message)
        writer.name("found")
        writer.string(error.found)
        writer.name("expected")
        writer.beginArray()
        for text in error.expected { writer.string(text) }
        writer.endArray()
        writer.name("suggestion")
        if let suggestion = error.suggestion { writer.string(suggestion) } else { writer.null() }
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
