import ODataBinding
import ODataValues
import ODataModel
import ODataURL

/// Writes bound trees in a short form, so that tests can say what they expect in one line.
struct BoundDescription {
    let model: EdmModel

    func text(_ request: BoundRequest) -> String {
        var text =
            switch request.resource {
            case .serviceDocument: "service"
            case .metadata: "metadata"
            case .batch: "batch"
            case .entities(let path): self.text(path)
            case .all(let type): "all" + (type.map { "/as " + model[$0].name } ?? "")
            case .crossjoin(let sources):
                "join(" + sources.map { model.name(of: $0) }.joined(separator: ",") + ")"
            case .operation(let call):
                (call.binding.map { self.text($0) + "." } ?? "") + call.name
                    + "(" + call.arguments.map { $0.name + "=" + $0.text }.joined(separator: ",")
                    + ")"
            }
        let options = self.text(request.options)
        if !options.isEmpty { text += " | " + options }
        return text
    }

    func text(_ path: EntityPath) -> String {
        var text = model.name(of: path.source)
        for step in path.steps { text += self.text(step) }
        switch path.target {
        case .entities: break
        case .references: text += "/$ref"
        case .count: text += "/$count"
        case .property(let names, let isRaw):
            text += "/." + names.joined(separator: ".") + (isRaw ? "/$value" : "")
        case .propertyCount(let names): text += "/." + names.joined(separator: ".") + "/$count"
        case .mediaStream: text += "/$value"
        }
        return text
    }

    func text(_ step: EntityPath.Step) -> String {
        switch step {
        case .key(let values): "(" + values.map { "\(value($0))" }.joined(separator: ",") + ")"
        case .alternateKey(let parts):
            "("
                + parts.map { $0.path.joined(separator: ".") + "=" + value($0.value) }
                .joined(separator: ",") + ")"
        case .localID(let id): "(local \(id))"
        case .navigation(let id, let target):
            "/" + model[id].name + "→" + (target.map { model.name(of: $0) } ?? "nowhere")
        case .cast(let id): "/as " + model[id].name
        case .complex(let name): "/." + name
        }
    }

    func text(_ options: BoundOptions) -> String {
        var parts: [String] = []
        if !options.apply.isEmpty { parts.append("apply " + text(options.apply)) }
        for item in options.compute { parts.append("compute " + text(item)) }
        if let filter = options.filter { parts.append("filter " + text(filter)) }
        if let search = options.search { parts.append("search " + text(search)) }
        if !options.orderBy.isEmpty {
            let items = options.orderBy.map {
                text($0.expression) + ($0.isDescending ? " desc" : "")
            }
            parts.append("order " + items.joined(separator: ", "))
        }
        if let top = options.top { parts.append("top \(top)") }
        if let skip = options.skip { parts.append("skip \(skip)") }
        if let token = options.skipToken { parts.append("skiptoken " + token) }
        if let token = options.deltaToken { parts.append("deltatoken " + token) }
        if options.count { parts.append("count") }
        if case .paths(let paths) = options.select {
            parts.append("select " + paths.map { $0.joined(separator: ".") }.joined(separator: ","))
        }
        if let levels = options.levels {
            parts.append("levels \(levels == .max ? "max" : "\(levels)")")
        }
        for expand in options.expand { parts.append("expand " + text(expand)) }
        return parts.joined(separator: " | ")
    }

    func text(_ item: BoundCompute) -> String { item.name + "=" + text(item.expression) }

    func text(_ sequence: [BoundTransformation]) -> String {
        sequence.map { text($0) }.joined(separator: " / ")
    }

    func text(_ transformation: BoundTransformation) -> String {
        switch transformation {
        case .filter(let condition): "filter " + text(condition)
        case .search(let search): "search " + text(search)
        case .compute(let items): "compute " + items.map { text($0) }.joined(separator: ",")
        case .aggregate(let items): "aggregate " + items.map { text($0) }.joined(separator: ",")
        case .groupBy(let groupings, let sequence):
            "groupby {" + groupings.map { text($0) }.joined(separator: ",") + "}"
                + (sequence.isEmpty ? "" : "{" + text(sequence) + "}")
        case .concat(let sequences):
            "concat " + sequences.map { "{" + text($0) + "}" }.joined(separator: ",")
        case .orderBy(let items):
            "order "
                + items.map { text($0.expression) + ($0.isDescending ? " desc" : "") }
                .joined(separator: ",")
        case .top(let count): "top \(count)"
        case .skip(let count): "skip \(count)"
        case .ranked(let ranking, let amount, let value):
            ranking.rawValue + " " + text(amount) + " of " + text(value)
        case .identity: "identity"
        }
    }

    func text(_ aggregate: BoundAggregate) -> String {
        var text = aggregate.name + "=" + aggregate.method.rawValue
        if let collection = aggregate.collection { text += " over " + self.text(collection) }
        if let value = aggregate.expression { text += " " + self.text(value) }
        return text + (aggregate.form.map { ":" + name($0) } ?? "")
    }

    func text(_ grouping: BoundGrouping) -> String {
        switch grouping {
        case .path(let path): text(path)
        case .rollup(let levels): "rollup(" + levels.map { text($0) }.joined(separator: ",") + ")"
        }
    }

    func text(_ expand: BoundExpand) -> String {
        var text = (expand.prefix + [model[expand.navigation].name]).joined(separator: ".")
        text += "→" + (expand.target.map { model.name(of: $0) } ?? "nowhere")
        if let cast = expand.cast { text += " as " + model[cast].name }
        switch expand.shape {
        case .entities: break
        case .references: text += "/$ref"
        case .count: text += "/$count"
        }
        let options = self.text(expand.options)
        return options.isEmpty ? text : text + "[" + options + "]"
    }

    func text(_ search: SearchExpression) -> String {
        switch search {
        case .term(let text, let isPhrase): isPhrase ? "\"\(text)\"" : text
        case .and(let left, let right): "(" + text(left) + " & " + text(right) + ")"
        case .or(let left, let right): "(" + text(left) + " | " + text(right) + ")"
        case .not(let inner): "!" + text(inner)
        }
    }

    func text(_ expression: BoundExpression) -> String {
        switch expression {
        case .literal(let scalar, let form): value(scalar) + ":" + name(form)
        case .null: "null"
        case .list(let items): "[" + items.map(text).joined(separator: ",") + "]"
        case .path(let path): text(path)
        case .variable(let variable, let form): name(variable) + ":" + (form.map(name) ?? "?")
        case .comparison(let operation, let left, let right):
            "(" + text(left) + " " + operation.rawValue + " " + text(right) + ")"
        case .and(let terms): "and(" + terms.map(text).joined(separator: ",") + ")"
        case .or(let terms): "or(" + terms.map(text).joined(separator: ",") + ")"
        case .not(let inner): "not " + text(inner)
        case .arithmetic(let operation, let left, let right):
            "(" + text(left) + " " + operation.rawValue + " " + text(right) + ")"
        case .negate(let inner): "-" + text(inner)
        case .isIn(let item, let list):
            text(item) + " in [" + list.map(text).joined(separator: ",") + "]"
        case .has(let left, let right): text(left) + " has " + text(right)
        case .call(let function, let arguments):
            function.rawValue + "(" + arguments.map(text).joined(separator: ",") + ")"
        case .cast(let inner, let form): "cast(" + text(inner) + "," + name(form) + ")"
        case .isOfDynamic(let path, let types):
            "isof(" + text(path) + "," + types.joined(separator: "|") + ")"
        case .isOf(let path, let type): "isof(" + text(path) + "," + model[type].name + ")"
        case .lambda(let lambda): text(lambda)
        case .count(let path, let filter):
            "count(" + text(path) + (filter.map { "; " + text($0) } ?? "") + ")"
        case .conditional(let branches):
            "case("
                + branches.map { text($0.condition) + ":" + text($0.value) }.joined(separator: ",")
                + ")"
        case .root(let root):
            "root " + text(root.path) + "." + root.property.joined(separator: ".")
        case .these(let aggregate):
            aggregate.method.rawValue + "(these"
                + (aggregate.expression.map { " " + text($0) } ?? "") + ")"
        case .state(let state, let path): state.rawValue + "(" + text(path) + ")"
        }
    }

    func text(_ lambda: BoundLambda) -> String {
        (lambda.quantifier == .any ? "any(" : "all(") + text(lambda.collection) + " "
            + name(lambda.variable) + (lambda.condition.map { ": " + text($0) } ?? "") + ")"
    }

    func text(_ path: BoundPath) -> String {
        var text = path.variable == .it ? "" : name(path.variable)
        for step in path.steps { text += self.text(step) }
        if !path.property.isEmpty {
            text += (path.isComputed ? "=" : ".") + path.property.joined(separator: ".")
        }
        if let id = path.navigation {
            text +=
                "/" + model[id].name + "→"
                + (path.navigationTarget.map { model.name(of: $0) } ?? "nowhere")
        }
        if let cast = path.navigationCast { text += "/as " + model[cast].name }
        return text.isEmpty ? "it" : text
    }

    func name(_ variable: LambdaVariable) -> String {
        switch variable {
        case .it: "it"
        case .outer: "outer"
        case .lambda(let number): "x\(number)"
        }
    }

    func value(_ scalar: Scalar) -> String {
        switch scalar {
        case .null: "null"
        case .integer(let value): "\(value)"
        case .real(let value): "\(value)"
        case .text(let value): "'\(value)'"
        case .blob(let bytes):
            "x" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
    }

    func name(_ form: ScalarForm) -> String {
        switch form {
        case .boolean: "bool"
        case .integer(let type): type.rawValue.dropFirst(4).lowercased()
        case .single: "single"
        case .double: "double"
        case .scaledDecimal(let scale): "dec\(scale)"
        case .decimalText: "decimal"
        case .string: "string"
        case .guid: "guid"
        case .binary: "binary"
        case .date: "date"
        case .timeOfDay: "time"
        case .duration: "duration"
        case .dateTimeOffset: "instant"
        case .enumeration(let id): model[id].name
        case .json: "json"
        }
    }
}

/// Parses, binds and describes; errors become `code@offset message`.
func bound(
    _ url: String,
    in model: EdmModel = ModelSketch.shop,
    version: ODataVersion = .v401
) -> String {
    do throws(ODataURLError) {
        let request = try BoundRequest(parsing: url, in: model, version: version)
        return BoundDescription(model: model).text(request)
    } catch {
        return "\(error.code)@\(error.offset) \(error.message)"
            + (error.suggestion.map { " → " + $0 } ?? "")
    }
}
