import ODataText
import ODataValues

extension URLParser {
    /// Reads transformations separated by slashes (OData Extension for Data Aggregation 4.0 § 3).
    mutating func transformations() throws(ODataURLError) -> [WrittenTransformation] {
        try enter()
        defer { leave() }
        var sequence: [WrittenTransformation] = []
        repeat {
            guard sequence.count < limits.maximumItems else {
                throw limitFault("$apply has more than \(limits.maximumItems) transformations")
            }
            sequence.append(try transformation())
        } while scanner.take(Byte.slash)
        return sequence
    }

    private mutating func transformation() throws(ODataURLError) -> WrittenTransformation {
        let offset = scanner.offset
        let start = scanner.position
        let name = try scanner.qualifiedName()
        var transformation = WrittenTransformation(offset: offset, name: name, arguments: [])
        if name == "identity" { return transformation }
        if name.utf8.contains(Byte.dot) {
            transformation.arguments = try arguments().map { .parameter($0) }
            return transformation
        }
        guard Self.transformationNames.contains(name) else {
            var fault = scanner.fault(.syntax, "no transformation", at: start)
            fault.suggestion = NearestName.of(name, among: Self.transformationNames)
            throw fault
        }
        try scanner.expect(Byte.open)
        scanner.skipSpace()
        transformation.arguments = try arguments(of: name)
        scanner.skipSpace()
        guard scanner.take(Byte.close) else { throw scanner.fault(expected: ["','", "')'"]) }
        return transformation
    }

    private static let transformationNames = [
        "aggregate", "compute", "concat", "groupby", "join", "outerjoin", "nest", "addnested",
        "bottomcount", "bottompercent", "bottomsum", "topcount", "toppercent", "topsum", "filter",
        "identity", "orderby", "search", "skip", "top", "ancestors", "descendants", "traverse",
    ]

    private mutating func arguments(of name: String) throws(ODataURLError)
        -> [WrittenTransformation.Argument]
    {
        switch name {
        case "aggregate":
            try list { (p) throws(ODataURLError) in .aggregate(try p.aggregate(isMember: false)) }
        case "compute": try list { (p) throws(ODataURLError) in .compute(try p.computeItem()) }
        case "concat": try list { (p) throws(ODataURLError) in .sequence(try p.transformations()) }
        case "orderby": try list { (p) throws(ODataURLError) in .order(try p.orderItem()) }
        case "nest": try list { (p) throws(ODataURLError) in try p.namedSequence() }
        case "filter": [.expression(try expression())]
        case "search": [.search(try search())]
        case "skip", "top": [.number(try number())]
        case "groupby": try groupBy()
        case "join", "outerjoin": try joined()
        case "addnested": try addNested()
        case "ancestors", "descendants": try hierarchySet()
        case "traverse": try traversal()
        default: try ranked()
        }
    }

    // MARK: Arguments

    private mutating func expectComma() throws(ODataURLError) {
        guard scanner.takeSpaced(Byte.comma) else { throw scanner.fault(expected: ["','"]) }
    }

    private mutating func ranked() throws(ODataURLError) -> [WrittenTransformation.Argument] {
        let first = try expression()
        try expectComma()
        return [.expression(first), .expression(try expression())]
    }

    /// Reads names between slashes.
    mutating func propertyPath() throws(ODataURLError) -> [WrittenPathName] {
        var path: [WrittenPathName] = []
        repeat {
            guard path.count < limits.maximumSegments else {
                throw limitFault("a path has more than \(limits.maximumSegments) segments")
            }
            path.append(try pathName())
        } while scanner.take(Byte.slash)
        return path
    }

    /// Reads `as name`.
    private mutating func alias() throws(ODataURLError) -> String? {
        let start = scanner.position
        guard scanner.skipSpace(), scanner.takeWord("as"), scanner.skipSpace() else {
            scanner.position = start
            return nil
        }
        return try scanner.identifier()
    }

    private mutating func requiredAlias() throws(ODataURLError) -> String {
        guard let alias = try alias() else { throw scanner.fault(expected: ["'as' and a name"]) }
        return alias
    }

    private mutating func namedSequence() throws(ODataURLError) -> WrittenTransformation.Argument {
        let sequence = try transformations()
        return .named(.sequence(sequence), as: try requiredAlias())
    }

    private mutating func joined() throws(ODataURLError) -> [WrittenTransformation.Argument] {
        let path = try propertyPath()
        let named = WrittenTransformation.Argument.named(.path(path), as: try requiredAlias())
        guard scanner.takeSpaced(Byte.comma) else { return [named] }
        return [named, .sequence(try transformations())]
    }

    private mutating func addNested() throws(ODataURLError) -> [WrittenTransformation.Argument] {
        let path = try propertyPath()
        try expectComma()
        return [.path(path)] + (try list { (p) throws(ODataURLError) in try p.namedSequence() })
    }

    // MARK: groupby

    private mutating func groupBy() throws(ODataURLError) -> [WrittenTransformation.Argument] {
        try scanner.expect(Byte.open)
        scanner.skipSpace()
        let groupings = try list { (p) throws(ODataURLError) in try p.grouping() }
        scanner.skipSpace()
        try scanner.expect(Byte.close)
        guard scanner.takeSpaced(Byte.comma) else { return [.grouping(groupings)] }
        return [.grouping(groupings), .sequence(try transformations())]
    }

    private mutating func grouping() throws(ODataURLError) -> WrittenGrouping {
        let offset = scanner.offset
        for name in ["rollup", "rolluprecursive"] where scanner.sees(name + "(") {
            scanner.position += name.utf8.count + 1
            scanner.skipSpace()
            let grouping =
                name == "rollup" ? try rollup(offset) : try rollupRecursive(offset)
            scanner.skipSpace()
            try scanner.expect(Byte.close)
            return grouping
        }
        return .path(try groupingPath())
    }

    /// Reads a path that ends with a property: grouping by a type has no meaning.
    private mutating func groupingPath() throws(ODataURLError) -> [WrittenPathName] {
        let start = scanner.position
        let path = try propertyPath()
        guard let last = path.last, !last.name.utf8.contains(Byte.dot),
            last.name.utf8.first != Byte.at
        else {
            throw scanner.fault(.syntax, "the path ends with no property", at: start)
        }
        return path
    }

    private mutating func rollup(_ offset: Int) throws(ODataURLError) -> WrittenGrouping {
        .rollup(
            try list { (p) throws(ODataURLError) in try p.groupingPath() },
            offset: offset
        )
    }

    private mutating func rollupRecursive(_ offset: Int) throws(ODataURLError) -> WrittenGrouping {
        var arguments = try hierarchy()
        if scanner.takeSpaced(Byte.comma) { arguments.append(.sequence(try transformations())) }
        return .rollupRecursive(
            WrittenTransformation(offset: offset, name: "rolluprecursive", arguments: arguments)
        )
    }

    // MARK: Hierarchies

    /// Reads the nodes, the qualifier and the path of a recursive hierarchy.
    private mutating func hierarchy() throws(ODataURLError) -> [WrittenTransformation.Argument] {
        let nodes = try expression()
        try expectComma()
        let qualifier = try scanner.identifier()
        try expectComma()
        return [.expression(nodes), .word(qualifier), .path(try propertyPath())]
    }

    private mutating func hierarchySet() throws(ODataURLError) -> [WrittenTransformation.Argument] {
        var arguments = try hierarchy()
        try expectComma()
        arguments.append(.sequence(try transformations()))
        while scanner.takeSpaced(Byte.comma) {
            if scanner.sees("keep start") {
                scanner.position += "keep start".utf8.count
                arguments.append(.word("keep start"))
                break
            }
            arguments.append(.number(try number()))
        }
        return arguments
    }

    private mutating func traversal() throws(ODataURLError) -> [WrittenTransformation.Argument] {
        var arguments = try hierarchy()
        try expectComma()
        guard let order = ["preorder", "postorder"].first(where: { scanner.takeWord($0) }) else {
            throw scanner.fault(expected: ["preorder", "postorder"])
        }
        arguments.append(.word(order))
        guard scanner.takeSpaced(Byte.comma) else { return arguments }
        if isTransformationAhead {
            arguments.append(.sequence(try transformations()))
            guard scanner.takeSpaced(Byte.comma) else { return arguments }
        }
        return arguments + (try list { (p) throws(ODataURLError) in .order(try p.orderItem()) })
    }

    private var isTransformationAhead: Bool {
        guard let end = scanner.endOfQualifiedName(from: scanner.position) else { return false }
        let name = scanner.string(scanner.position..<end)
        if name == "identity" { return true }
        guard scanner.byte(end - scanner.position) == Byte.open else { return false }
        return name.utf8.contains(Byte.dot) || Self.transformationNames.contains(name)
    }
}
