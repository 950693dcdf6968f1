import ODataValues

extension WrittenTreeWriter {
    /// Writes a transformation.
    mutating func transformation(_ transformation: WrittenTransformation) {
        node(transformation.name, at: transformation.offset) {
            guard !transformation.arguments.isEmpty else { return }
            $0.array("arguments", items: transformation.arguments) { $0.argument($1) }
        }
    }

    private mutating func argument(_ argument: WrittenTransformation.Argument) {
        switch argument {
        case .expression(let expression): self.expression(expression)
        case .search(let search): self.search(search)
        case .aggregate(let item): aggregate(item)
        case .compute(let item): compute(item)
        case .order(let item): order(item)
        case .grouping(let groupings):
            object { $0.array("groupings", items: groupings) { $0.grouping($1) } }
        case .sequence(let sequence):
            object { $0.array("sequence", items: sequence) { $0.transformation($1) } }
        case .path(let path): object { $0.path(path) }
        case .number(let number): json.integer(Int64(number))
        case .word(let word): json.string(word)
        case .named(let inner, let name):
            object {
                $0.member("as", value: name)
                $0.json.name("value")
                $0.argument(inner)
            }
        case .parameter(let parameter): self.argument(parameter)
        }
    }

    private mutating func object(_ members: (inout WrittenTreeWriter) -> Void) {
        json.beginObject()
        members(&self)
        json.endObject()
    }

    private mutating func grouping(_ grouping: WrittenGrouping) {
        switch grouping {
        case .path(let path): object { $0.path(path) }
        case .rollup(let levels, let offset):
            node("rollup", at: offset) {
                $0.array("levels", items: levels) { writer, level in
                    writer.object { $0.path(level) }
                }
            }
        case .rollupRecursive(let transformation): self.transformation(transformation)
        }
    }

    /// Writes an item of `aggregate`.
    mutating func aggregate(_ item: WrittenAggregate) {
        object {
            $0.member("expression", value: item.expression)
            $0.member("with", value: item.method)
            if !item.from.isEmpty { $0.array("from", items: item.from) { $0.from($1) } }
            $0.member("as", value: item.alias)
        }
    }

    private mutating func from(_ step: WrittenAggregate.From) {
        object {
            $0.array("paths", items: step.paths) { writer, path in writer.object { $0.path(path) } }
            $0.member("with", value: step.method)
        }
    }
}
