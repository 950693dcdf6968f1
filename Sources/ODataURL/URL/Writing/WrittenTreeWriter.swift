import ODataValues
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
        members: (inout WrittenTreeWriter) -> Void = { _ in }
    ) {
        begin(kind, at: offset)
        members(&self)
        json.endObject()
    }

    /// Begins an object with a kind and an offset; the caller ends it.
    mutating func begin(_ kind: String, at offset: Int) {
        json.beginObject()
        member("kind", value: kind)
        member("offset", value: offset)
    }

    /// Writes an array.
    mutating func array<Item>(
        _ name: String,
        items: [Item],
        write: (inout WrittenTreeWriter, Item) -> Void
    ) {
        json.name(name)
        json.beginArray()
        for item in items { write(&self, item) }
        json.endArray()
    }

    mutating func member(_ name: String, value: String?) {
        guard let value else { return }
        json.name(name)
        json.string(value)
    }

    mutating func member(_ name: String, value: Int?) {
        guard let value else { return }
        json.name(name)
        json.integer(Int64(value))
    }

    mutating func member(_ name: String, value: Bool?) {
        guard let value else { return }
        json.name(name)
        json.boolean(value)
    }

    mutating func member(_ name: String, value: WrittenExpression?) {
        guard let value else { return }
        json.name(name)
        expression(value)
    }

    // MARK: The request

    /// Writes a whole request.
    mutating func request(_ request: WrittenRequest) {
        json.beginObject()
        member("version", value: request.version.rawValue)
        array("path", items: request.path) { $0.segment($1) }
        json.name("options")
        options(request.options)
        member("fragment", value: request.fragment)
        json.endObject()
    }

    private mutating func segment(_ segment: WrittenSegment) {
        json.beginObject()
        member("name", value: segment.name)
        if segment.name == nil { member("text", value: segment.text) }
        member("offset", value: segment.offset)
        if !segment.groups.isEmpty {
            array("parentheses", items: segment.groups) { writer, group in
                writer.json.beginArray()
                for argument in group { writer.argument(argument) }
                writer.json.endArray()
            }
        }
        if !segment.crossjoin.isEmpty {
            array("sets", items: segment.crossjoin) { $0.json.string($1.name) }
        }
        json.endObject()
    }

    /// Writes an argument of a call or key.
    mutating func argument(_ argument: WrittenArgument) {
        json.beginObject()
        member("name", value: argument.name)
        member("value", value: argument.value)
        json.endObject()
    }

    // MARK: Options

    /// Writes the options that are there.
    mutating func options(_ options: WrittenOptions) {
        json.beginObject()
        if !options.apply.isEmpty {
            array("$apply", items: options.apply) { $0.transformation($1) }
        }
        if !options.compute.isEmpty { array("$compute", items: options.compute) { $0.compute($1) } }
        member("$filter", value: options.filter)
        if let search = options.search {
            json.name("$search")
            self.search(search)
        }
        if !options.orderBy.isEmpty { array("$orderby", items: options.orderBy) { $0.order($1) } }
        member("$top", value: options.top)
        member("$skip", value: options.skip)
        member("$index", value: options.index)
        member("$count", value: options.count)
        if let select = options.select { array("$select", items: select) { $0.select($1) } }
        if !options.expand.isEmpty { array("$expand", items: options.expand) { $0.expand($1) } }
        if let levels = options.levels {
            member("$levels", value: levels == .max ? "max" : "\(levels)")
        }
        member("$skiptoken", value: options.skipToken)
        member("$deltatoken", value: options.deltaToken)
        member("$format", value: options.format)
        member("$schemaversion", value: options.schemaVersion)
        member("$id", value: options.id)
        for option in options.temporal { temporal(option) }
        if !options.aliases.isEmpty { array("aliases", items: options.aliases) { $0.alias($1) } }
        if !options.custom.isEmpty { array("custom", items: options.custom) { $0.custom($1) } }
        json.endObject()
    }

    private mutating func temporal(_ option: WrittenTemporalOption) {
        let name = "$" + option.option.rawValue
        if let value = option.value {
            member(name, value: value)
        } else {
            member(name, value: option.isMaximum ? "max" : "min")
        }
    }

    private mutating func alias(_ alias: WrittenAlias) {
        json.beginObject()
        member("name", value: alias.name)
        member("value", value: alias.value)
        json.endObject()
    }

    private mutating func custom(_ option: WrittenCustomOption) {
        json.beginObject()
        member("name", value: option.name)
        member("value", value: option.value)
        json.endObject()
    }

    /// Writes an item of `$orderby`.
    mutating func order(_ item: WrittenOrderItem) {
        json.beginObject()
        member("expression", value: item.expression)
        member("descending", value: item.isDescending)
        json.endObject()
    }

    /// Writes an item of `$compute`.
    mutating func compute(_ item: WrittenComputeItem) {
        json.beginObject()
        member("as", value: item.name)
        member("expression", value: item.expression)
        json.endObject()
    }

    private mutating func select(_ item: WrittenSelectItem) {
        json.beginObject()
        path(item.path)
        if let parameters = item.parameters {
            array("parameters", items: parameters) { $0.json.string($1) }
        }
        nested(item.options)
        json.endObject()
    }

    private mutating func expand(_ item: WrittenExpandItem) {
        json.beginObject()
        path(item.path)
        switch item.suffix {
        case .none: break
        case .reference: member("suffix", value: "$ref")
        case .count: member("suffix", value: "$count")
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
        member("path", value: path.map(\.name).joined(separator: "/"))
        member("offset", value: path.first?.offset)
    }

    // MARK: $search

    /// Writes a search expression.
    mutating func search(_ search: SearchExpression) {
        json.beginObject()
        switch search {
        case .term(let text, let isPhrase): member(isPhrase ? "phrase" : "word", value: text)
        case .not(let inner): searches("not", operands: [inner])
        case .and(let left, let right): searches("and", operands: [left, right])
        case .or(let left, let right): searches("or", operands: [left, right])
        }
        json.endObject()
    }

    private mutating func searches(_ name: String, operands: [SearchExpression]) {
        array(name, items: operands) { $0.search($1) }
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
        writer.member("offset", value: offset)
        writer.member("code", value: "\(code)")
        writer.member("message", value: message)
        writer.member("found", value: found)
        writer.array("expected", items: expected) { $0.json.string($1) }
        writer.member("suggestion", value: suggestion)
        writer.json.endObject()
        return String(decoding: writer.json.bytes, as: UTF8.self)
    }
}
