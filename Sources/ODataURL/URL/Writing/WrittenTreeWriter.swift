import ODataPayload
import ODataModel

/// Writes the written tree of a URL as JSON, so that people and scripts can see how it was read.
///
/// Each node is an object with its kind as the first member and its byte offset as the second.
struct WrittenTreeWriter {
    var json = JSONWriter(capacity: 1_024)

    // MARK: Helpers

    /// Writes an object that begins with a kind and an offset.
    mutating func node(
        _ kind: String,
        at offset: Int,
        _ members: (inout WrittenTreeWriter) -> Void = { _ in }
    ) {
        begin(kind, at: offset)
        members(&self)
        json.endObject()
    }

    /// Begins an object with a kind and an offset; the caller ends it.
    mutating func begin(_ kind: String, at offset: Int) {
        json.beginObject()
        member("kind", kind)
        member("offset", offset)
    }

    /// Writes an array.
    mutating func array<Item>(
        _ name: String,
        _ items: [Item],
        _ write: (inout WrittenTreeWriter, Item) -> Void
    ) {
        json.name(name)
        json.beginArray()
        for item in items { write(&self, item) }
        json.endArray()
    }

    mutating func member(_ name: String, _ value: String?) {
        guard let value else { return }
        json.name(name)
        json.string(value)
    }

    mutating func member(_ name: String, _ value: Int?) {
        guard let value else { return }
        json.name(name)
        json.integer(Int64(value))
    }

    mutating func member(_ name: String, _ value: Bool?) {
        guard let value else { return }
        json.name(name)
        json.boolean(value)
    }

    mutating func member(_ name: String, _ value: WrittenExpression?) {
        guard let value else { return }
        json.name(name)
        expression(value)
    }

    // MARK: The request

    /// Writes a whole request.
    mutating func request(_ request: WrittenRequest) {
        json.beginObject()
        member("version", request.version.rawValue)
        array("path", request.path) { $0.segment($1) }
        json.name("options")
        options(request.options)
        member("fragment", request.fragment)
        json.endObject()
    }

    private mutating func segment(_ segment: WrittenSegment) {
        json.beginObject()
        member("name", segment.name)
        if segment.name == nil { member("text", segment.text) }
        member("offset", segment.offset)
        if !segment.groups.isEmpty {
            array("parentheses", segment.groups) { writer, group in
                writer.json.beginArray()
                for argument in group { writer.argument(argument) }
                writer.json.endArray()
            }
        }
        if !segment.crossjoin.isEmpty {
            array("sets", segment.crossjoin) { $0.json.string($1.name) }
        }
        json.endObject()
    }

    /// Writes an argument of a call or key.
    mutating func argument(_ argument: WrittenArgument) {
        json.beginObject()
        member("name", argument.name)
        member("value", argument.value)
        json.endObject()
    }

    // MARK: Options

    /// Writes the options that are there.
    mutating func options(_ options: WrittenOptions) {
        json.beginObject()
        if !options.apply.isEmpty { array("$apply", options.apply) { $0.transformation($1) } }
        if !options.compute.isEmpty { array("$compute", options.compute) { $0.compute($1) } }
        member("$filter", options.filter)
        if let search = options.search {
            json.name("$search")
            self.search(search)
        }
        if !options.orderBy.isEmpty { array("$orderby", options.orderBy) { $0.order($1) } }
        member("$top", options.top)
        member("$skip", options.skip)
        member("$index", options.index)
        member("$count", options.count)
        if let select = options.select { array("$select", select) { $0.select($1) } }
        if !options.expand.isEmpty { array("$expand", options.expand) { $0.expand($1) } }
        if let levels = options.levels { member("$levels", levels == .max ? "max" : "\(levels)") }
        member("$skiptoken", options.skipToken)
        member("$deltatoken", options.deltaToken)
        member("$format", options.format)
        member("$schemaversion", options.schemaVersion)
        member("$id", options.id)
        for option in options.temporal { temporal(option) }
        if !options.aliases.isEmpty { array("aliases", options.aliases) { $0.alias($1) } }
        if !options.custom.isEmpty { array("custom", options.custom) { $0.custom($1) } }
        json.endObject()
    }

    private mutating func temporal(_ option: WrittenTemporalOption) {
        let name = "$" + option.option.rawValue
        if let value = option.value {
            member(name, value)
        } else {
            member(name, option.isMaximum ? "max" : "min")
        }
    }

    private mutating func alias(_ alias: WrittenAlias) {
        json.beginObject()
        member("name", alias.name)
        member("value", alias.value)
        json.endObject()
    }

    private mutating func custom(_ option: WrittenCustomOption) {
        json.beginObject()
        member("name", option.name)
        member("value", option.value)
        json.endObject()
    }

    /// Writes an item of `$orderby`.
    mutating func order(_ item: WrittenOrderItem) {
        json.beginObject()
        member("expression", item.expression)
        member("descending", item.isDescending)
        json.endObject()
    }

    /// Writes an item of `$compute`.
    mutating func compute(_ item: WrittenComputeItem) {
        json.beginObject()
        member("as", item.name)
        member("expression", item.expression)
        json.endObject()
    }

    private mutating func select(_ item: WrittenSelectItem) {
        json.beginObject()
        path(item.path)
        if let parameters = item.parameters {
            array("parameters", parameters) { $0.json.string($1) }
        }
        nested(item.options)
        json.endObject()
    }

    private mutating func expand(_ item: WrittenExpandItem) {
        json.beginObject()
        path(item.path)
        switch item.suffix {
        case .none: break
        case .reference: member("suffix", "$ref")
        case .count: member("suffix", "$count")
        }
        nested(item.options)
        json.endObject()
    }

    /// Writes options in parentheses.
    mutating func nested(_ options: WrittenOptions?) {
        guard let options else { return }
        json.name("options")
        self.options(options)
    }

    /// Writes names between slashes.
    mutating func path(_ path: [WrittenPathName]) {
        member("path", path.map(\.name).joined(separator: "/"))
        member("offset", path.first?.offset)
    }

    // MARK: $search

    /// Writes a search expression.
    mutating func search(_ search: SearchExpression) {
        json.beginObject()
        switch search {
        case .term(let text, let isPhrase): member(isPhrase ? "phrase" : "word", text)
        case .not(let inner): searches("not", [inner])
        case .and(let left, let right): searches("and", [left, right])
        case .or(let left, let right): searches("or", [left, right])
        }
        json.endObject()
    }

    private mutating func searches(_ name: String, _ operands: [SearchExpression]) {
        array(name, operands) { $0.search($1) }
    }
}

extension WrittenRequest {
    /// Returns the written tree as a JSON document.
    public func json() -> String {
        var writer = WrittenTreeWriter()
        writer.request(self)
        return String(decoding: writer.json.bytes, as: UTF8.self)
    }
}

extension ODataURLError {
    /// Returns the error as a JSON object with `offset`, `code`, `message`, `found`, `expected` and `suggestion`.
    public func json() -> String {
        var writer = WrittenTreeWriter()
        writer.json.beginObject()
        writer.member("offset", offset)
        writer.member("code", "\(code)")
        writer.member("message", message)
        writer.member("found", found)
        writer.array("expected", expected) { $0.json.string($1) }
        writer.member("suggestion", suggestion)
        writer.json.endObject()
        return String(decoding: writer.json.bytes, as: UTF8.self)
    }
}
