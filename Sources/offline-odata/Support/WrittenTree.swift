import ODataProtocol

/// Writes the tree of a URL as JSON: what stands where, nothing looked up.
struct WrittenTree {
    var writer = JSONWriter()

    mutating func string(_ name: String, _ value: String) {
        writer.name(name)
        writer.string(value)
    }

    private mutating func number(_ name: String, _ value: Int?) {
        guard let value else { return }
        writer.name(name)
        if value == Int.max { writer.string("max") } else { writer.integer(Int64(value)) }
    }

    private mutating func optional(_ name: String, _ value: String?) {
        if let value { string(name, value) }
    }

    /// Writes items as an array of objects.
    mutating func array<Item>(
        _ name: String,
        _ items: [Item],
        _ write: (inout WrittenTree, Item) -> Void
    ) {
        writer.name(name)
        writer.beginArray()
        for item in items { object { write(&$0, item) } }
        writer.endArray()
    }

    mutating func object(_ write: (inout WrittenTree) -> Void) {
        writer.beginObject()
        write(&self)
        writer.endObject()
    }

    /// Writes an expression as a member.
    mutating func member(_ name: String, _ expression: WrittenExpression) {
        writer.name(name)
        self.expression(expression)
    }

    // MARK: Requests

    /// Writes the members of a request into the object that is open.
    mutating func request(_ request: WrittenRequest) {
        array("path", request.path) { tree, segment in
            tree.number("offset", segment.offset)
            tree.string("text", segment.text)
            tree.optional("name", segment.name)
            if let group = segment.groups.first {
                tree.array("arguments", group) { $0.argument($1) }
            }
            if !segment.crossjoin.isEmpty { tree.names("sets", segment.crossjoin) }
        }
        writer.name("options")
        object { $0.options(request.options) }
        optional("fragment", request.fragment)
    }

    mutating func argument(_ argument: WrittenArgument) {
        number("offset", argument.offset)
        optional("name", argument.name)
        string("text", argument.text)
        member("value", argument.value)
    }

    private mutating func names(_ name: String, _ path: [WrittenPathName]) {
        writer.name(name)
        writer.beginArray()
        for part in path { writer.string(part.name) }
        writer.endArray()
    }

    // MARK: Options

    /// Writes the options that are there, under their names with dollar sign.
    mutating func options(_ options: WrittenOptions) {
        if let filter = options.filter { member("$filter", filter) }
        if let search = options.search {
            writer.name("$search")
            self.search(search)
        }
        if !options.orderBy.isEmpty {
            array("$orderby", options.orderBy) { tree, item in
                tree.member("expression", item.expression)
                tree.writer.name("descending")
                tree.writer.boolean(item.isDescending)
            }
        }
        number("$top", options.top)
        number("$skip", options.skip)
        number("$index", options.index)
        number("$levels", options.levels)
        if let count = options.count {
            writer.name("$count")
            writer.boolean(count)
        }
        selection(options)
        otherOptions(options)
    }

    private mutating func selection(_ options: WrittenOptions) {
        if let select = options.select {
            array("$select", select) { tree, item in
                tree.names("path", item.path)
                tree.nested(item.options)
            }
        }
        guard !options.expand.isEmpty else { return }
        array("$expand", options.expand) { tree, item in
            tree.names("path", item.path)
            switch item.suffix {
            case .none: break
            case .reference: tree.string("suffix", "$ref")
            case .count: tree.string("suffix", "$count")
            }
            tree.nested(item.options)
        }
    }

    private mutating func nested(_ options: WrittenOptions?) {
        guard let options else { return }
        writer.name("options")
        object { $0.options(options) }
    }

    private mutating func otherOptions(_ options: WrittenOptions) {
        if !options.compute.isEmpty {
            array("$compute", options.compute) { tree, item in
                tree.member("expression", item.expression)
                tree.string("as", item.name)
            }
        }
        if !options.apply.isEmpty {
            array("$apply", options.apply) { tree, item in
                tree.number("offset", item.offset)
                tree.string("transformation", item.name)
            }
        }
        optional("$skiptoken", options.skipToken)
        optional("$deltatoken", options.deltaToken)
        optional("$format", options.format)
        optional("$schemaversion", options.schemaVersion)
        optional("$id", options.id)
        if !options.aliases.isEmpty {
            array("aliases", options.aliases) { tree, alias in
                tree.string("name", alias.name)
                tree.member("value", alias.value)
            }
        }
        guard !options.custom.isEmpty else { return }
        array("custom", options.custom) { tree, option in
            tree.string("name", option.name)
            tree.optional("value", option.value)
        }
    }

    private mutating func search(_ search: SearchExpression) {
        object { tree in
            switch search {
            case .term(let text, let isPhrase): tree.string(isPhrase ? "phrase" : "word", text)
            case .and(let left, let right): tree.search("and", [left, right])
            case .or(let left, let right): tree.search("or", [left, right])
            case .not(let operand): tree.search("not", [operand])
            }
        }
    }

    private mutating func search(_ name: String, _ operands: [SearchExpression]) {
        string("operator", name)
        writer.name("operands")
        writer.beginArray()
        for operand in operands { search(operand) }
        writer.endArray()
    }
}
