import ODataText
import ODataValues

extension URLParser {
    /// Reads an item of `aggregate(…)`; as a member of a path it has no alias.
    mutating func aggregate(isMember: Bool) throws(ODataURLError) -> WrittenAggregate {
        let expression = try expression()
        var item = WrittenAggregate(offset: expression.offset, expression: expression)
        item.method = try method()
        while takeKeyword("from") { item.from.append(try from()) }
        guard !isMember else { return item }
        if takeKeyword("as") { item.alias = try scanner.identifier() }
        // Custom aggregates are known by name alone; all else needs a name for its result (§ 3.2.1.1).
        if item.alias == nil, item.method != nil || !isPlainPath(expression) {
            throw scanner.fault(expected: ["'as' and a name"])
        }
        if item.method == nil, !isPath(expression) {
            throw scanner.fault(expected: ["'with' and a method"])
        }
        return item
    }

    private mutating func takeKeyword(_ word: String) -> Bool {
        let start = scanner.position
        guard scanner.skipSpace(), scanner.takeWord(word), scanner.skipSpace() else {
            scanner.position = start
            return false
        }
        return true
    }

    private mutating func method() throws(ODataURLError) -> String? {
        guard takeKeyword("with") else { return nil }
        let start = scanner.position
        let name = try scanner.qualifiedName()
        let known = ["sum", "min", "max", "average", "countdistinct"]
        guard known.contains(name) || name.utf8.contains(Byte.dot) else {
            var fault = scanner.fault(.syntax, "no method of aggregation", at: start)
            fault.suggestion = NearestName.of(name, among: known)
            throw fault
        }
        return name
    }

    /// Reads paths and the method after `from`; a comma goes on with paths only where a method follows them.
    private mutating func from() throws(ODataURLError) -> WrittenAggregate.From {
        var paths = [try propertyPath()]
        var ahead = self
        var further: [[WrittenPathName]] = []
        while ahead.scanner.takeSpaced(Byte.comma),
            ahead.scanner.endOfIdentifier(from: ahead.scanner.position) != nil
        {
            further.append(try ahead.propertyPath())
            guard further.count < limits.maximumItems else { break }
        }
        let end = ahead.scanner.position
        if !further.isEmpty, ahead.takeKeyword("with") {
            paths += further
            scanner.position = end
        }
        return WrittenAggregate.From(paths: paths, method: try method())
    }

    private func isPath(_ expression: WrittenExpression) -> Bool {
        if case .path = expression.node { true } else { false }
    }

    /// Whether an expression is names between slashes, without `$count`.
    private func isPlainPath(_ expression: WrittenExpression) -> Bool {
        guard case .path(let members) = expression.node else { return false }
        return members.allSatisfy { member in
            switch member.kind {
            case .name, .call, .annotation: true
            default: false
            }
        }
    }
}
