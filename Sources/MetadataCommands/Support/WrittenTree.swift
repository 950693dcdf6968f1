import ODataProtocol

/// Writes the tree of a URL as JSON: what stands where, nothing looked up.
struct WrittenTree {
    var writer = JSONWriter()

    mutating func string(_ name: String, value: String) {
        writer.name(name)
        writer.string(value)
    }

    private mutating func number(_ name: String, value: Int?) {
        guard let value else { return }
        writer.name(name)
        if value == Int.max { writer.string("max") } else { writer.integer(Int64(value)) }
    }

    private mutating func optional(_ name: String, value: String?) {
        if let value { string(name, value: value) }
    }

    /// Writes items as an array of objects.
    mutating func array<Item>(
        _ name: String,
        items: [Item],
        write: (inout WrittenTree, Item) -> Void
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
    mutating func member(_ name: String, expression: WrittenExpression) {
        writer.name(name)
        self.expression(expression)
    }

    // MARK: Requests

    /// Writes the members of a request into the object that is open.
    mutating func request(_ request: WrittenRequest) {
        array("path", items: request.path) { tree, segment in
            tree.number("offset", value: segment.offset)
            tree.string("text", value: segment.text)
            tree.optional("name", value: segment.name)
            if let group = segment.groups.first {
                tree.array("arguments", items: group) { $0.argument($1) }
            }
            if !segment.crossjoin.isEmpty { tree.names("sets", path: segment.crossjoin) }
        }
        writer.name("options")
        object { $0.options(request.options) }
        optional("fragment", value: request.fragment)
    }

    mutating func argument(_ argument: WrittenArgument) {
        number("offset", value: argument.offset)
        optional("name", value: argument.name)
        string("text", value: argument.text)
        member("value", expression: argument.value)
    }

    private mutating func names(_ name: String, path: [WrittenPathName]) {
        writer.name(name)
        writer.beginArray()
        for part in path { writer.string(part.name) }
        writer.endArray()
    }

    // MARK: Options

    /// Writes the options that are there, under their names with dollar sign.
    mutating func options(_ options: WrittenOptions) {
        if let filter = options.filter { member("$filter", expression: filter) }
        if let search = options.search {
            writer.name("$search")
            self.search(search)
        }
        if !options.orderBy.isEmpty {
            array("$orderby", items: options.orderBy) { tree, item in
                tree.member("expression", expression: item.expression)
                tree.writer.name("descending")
                tree.writer.boolean(item.isDescending)
            }
        }
        number("$top", value: options.top)
        number("$skip", value: options.skip)
        number("$index", value: options.index)
        number("$levels", value: options.levels)
        if let count = options.count {
            writer.name("$count")
            writer.boolean(count)
        }
        selection(options)
        otherOptions(options)
    }

    private mutating func selection(_ options: WrittenOptions) {
        if let select = options.select {
            array("$select", items: select) { tree, item in
                tree.names("path", path: item.path)
                tree.nested(item.options)
            }
        }
        guard !options.expand.isEmpty else { return }
        array("$expand", items: options.expand) { tree, item in
            tree.names("path", path: item.path)
            switch item.suffix {
            case .none: break
            case .reference: tree.string("suffix", value: "$ref")
            case .count: tree.string("suffix", value: "$count")
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
            array("$compute", items: options.compute) { tree, item in
                tree.member("expression", expression: item.expression)
                tree.string("as", value: item.name)
            }
        }
        if !options.apply.isEmpty {
            array("$apply", items: options.apply) { tree, item in
                tree.number("offset", value: item.offset)
                tree.string("transformation", value: item.name)
            }
        }
        optional("$skiptoken", value: options.skipToken)
        optional("$deltatoken", value: options.deltaToken)
        optional("$format", value: options.format)
        optional("$schemaversion", value: options.schemaVersion)
        optional("$id", value: options.id)
        if !options.aliases.isEmpty {
            array("aliases", items: options.aliases) { tree, alias in
                tree.string("name", value: alias.name)
                tree.member("value", expression: alias.value)
            }
        }
        guard !options.custom.isEmpty else { return }
        array("custom", items: options.custom) { tree, option in
            tree.string("name", value: option.name)
            tree.optional("value", value: option.value)
        }
    }

    private mutating func search(_ search: SearchExpression) {
        object { tree in
            switch search {
            case .term(let text, let isPhrase):
                tree.string(isPhrase ? "phrase" : "word", value: text)
            case .and(let left, let right): tree.search("and", operands: [left, right])
            case .or(let left, let right): tree.search("or", operands: [left, right])
            case .not(let operand): tree.search("not", operands: [operand])
            }
        }
    }

    private mutating func search(_ name: String, operands: [SearchExpression]) {
        string("operator", value: name)
        writer.name("operands")
        writer.beginArray()
        for operand in operands { search(operand) }
        writer.endArray()
    }
}
