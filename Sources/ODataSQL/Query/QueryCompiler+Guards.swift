import ODataBinding

/// Conditions that stored values are known.
extension QueryCompiler {
    /// Returns the conditions under which every stored value that expressions read is known.
    func guards(_ expressions: BoundExpression...) throws -> [String] {
        var collector = GuardCollector()
        for expression in expressions { try collect(expression, collector: &collector) }
        return collector.guards
    }

    /// A condition together with the guards of what it reads.
    func guarded(_ sql: String, guards: [String]) -> String {
        guards.isEmpty ? sql : ([sql] + guards).joined(separator: " AND ")
    }

    /// The value of an expression where what it reads is known, else the sign of an unknown value.
    func knownValue(_ expression: BoundExpression) throws -> SQLExpression {
        var value = try self.value(expression)
        if case .path(let path) = expression, !path.isComputed { return value }
        let guards = try guards(expression)
        guard !guards.isEmpty else { return value }
        let unknown = value.form?.affinity == "BLOB" ? "''" : "x''"
        value.sql =
            "CASE WHEN \(guards.joined(separator: " AND ")) THEN \(value.sql) ELSE \(unknown) END"
        value.literal = nil
        return value
    }

    private func collect(_ expression: BoundExpression, collector: inout GuardCollector) throws {
        switch expression {
        case .path(let path), .count(let path, _), .isOf(let path, _), .isOfDynamic(let path, _):
            try collect(path, collector: &collector)
        case .state(_, let path): try navigate(path, collector: &collector)
        case .lambda(let lambda): try collect(lambda.collection, collector: &collector)
        default: for operand in expression.operands { try collect(operand, collector: &collector) }
        }
    }

    private func collect(_ path: BoundPath, collector: inout GuardCollector) throws {
        if path.isComputed {
            for sql in computedGuards[path.property] ?? [] { collector.add(sql) }
            return
        }
        try navigate(path, collector: &collector)
        guard case .row? = variables[path.variable], !path.property.isEmpty else { return }
        let row = try scope(of: path)
        for length in stride(from: path.property.count, to: 0, by: -1) {
            let name = Array(path.property.prefix(length))
            guard let place = row.table.column(at: name, of: row.type, in: model) else { continue }
            return collector.add(guardOf(place, in: row))
        }
    }

    /// Guards the foreign keys by which a path is followed.
    private func navigate(_ path: BoundPath, collector: inout GuardCollector) throws {
        guard case .row(var scope)? = variables[path.variable] else { return }
        for step in path.steps {
            switch step {
            case .navigation(let id, let target):
                let relationship = layout.relationship(id, from: scope.table.source, to: target)
                if case .dependent(let pairs) = relationship {
                    for pair in pairs { collector.add(guardOf(pair.here, in: scope)) }
                }
                scope = try leftJoin(id, to: target, from: scope)
            case .cast(let type): scope = scope.cast(to: type)
            case .complex, .key, .localID, .alternateKey: break
            }
        }
    }

    private func guardOf(_ place: Int, in scope: QueryScope) -> String {
        let unknown = scope.table.columns[place].affinity == "BLOB" ? "text" : "blob"
        return "typeof(\(scope.reference(place))) <> '\(unknown)'"
    }

    /// The guard of the one column that a path reads, where its value is the column itself.
    func ownGuard(_ expression: BoundExpression, value: SQLExpression) throws -> OwnGuard? {
        guard case .path(let path) = expression, !path.isComputed,
            case .row? = variables[path.variable]
        else { return nil }
        let row = try scope(of: path)
        guard let place = row.table.column(at: path.property, of: row.type, in: model),
            row.reference(place) == value.sql
        else { return nil }
        return OwnGuard(
            sql: guardOf(place, in: row),
            reference: value.sql,
            affinity: row.table.columns[place].affinity
        )
    }
}

/// The guard of a column, in the forms that it may take.
struct OwnGuard {
    /// The plain form.
    let sql: String
    /// The column.
    let reference: String
    let affinity: String

    /// The guard as a bound of the values, which an index serves: unknown values lie beyond all others.
    var bound: String {
        switch affinity {
        case "BLOB": "\(reference) >= x''"
        case "TEXT": "\(reference) < x''"
        // NaN is text, and comparable with nothing.
        default: "\(reference) < ''"
        }
    }

    /// Whether a column that is smaller than some value is known by that.
    var isKnownBelow: Bool { affinity != "BLOB" }
}

/// Guards in the order in which they are found, each once.
private struct GuardCollector {
    private(set) var guards: [String] = []

    mutating func add(_ sql: String) {
        if !guards.contains(sql) { guards.append(sql) }
    }
}
