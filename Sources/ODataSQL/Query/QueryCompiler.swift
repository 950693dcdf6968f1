package import ODataValues
package import ODataBinding
import ODataSQLite
package import ODataModel

/// Translates bound requests to SQL.
///
/// Values go into numbered parameters only, so that the text is the query's shape.
package final class QueryCompiler {
    let layout: Layout
    var model: EdmModel { layout.model }
    /// Values of the numbered parameters, in order.
    package private(set) var bindings: [Scalar] = []
    /// What lambda variables stand for.
    package var variables: [LambdaVariable: Variable] = [:]
    /// Values known by a path: those of `$compute` by their names, those of grouped rows by the paths they were grouped by.
    var computed: [[String]: SQLExpression] = [:]
    /// Conditions under which what a `$compute` value reads is known, by its name.
    var computedGuards: [[String]: [String]] = [:]
    /// Whether rows were grouped: then `computed` holds all that there is.
    var isGrouped = false
    /// The rows that the transformation being translated works on.
    var currentRows: RowSet?
    /// Whether a value of the moment is among `bindings`.
    private(set) var isMomentary = false
    private var aliasCount = 0

    /// SQLite's own limit of parameters in a statement.
    static let maximumBindings = 32_000

    /// What a variable of an expression stands for.
    package enum Variable {
        case row(QueryScope)
        /// An item of a JSON array, by its alias.
        case item(alias: String)
    }

    /// Tables that exist; a set without a table is read as an empty one.
    ///
    /// Nil where all are known to exist.
    private let existing: Set<String>?

    package init(_ layout: Layout, existing: Set<String>? = nil) {
        self.layout = layout
        self.existing = existing
    }

    /// What to select a table's rows from.
    package func rows(of table: TableLayout) -> String {
        guard let existing, !existing.contains(table.name) else { return table.sql }
        let columns = table.allColumnNames.map { "NULL AS \($0)" }.joined(separator: ", ")
        return "(SELECT \(columns) WHERE 0)"
    }

    /// What to select the links of a link table from.
    func links(_ name: String) -> String {
        guard let existing, !existing.contains(name) else { return name.sqlQuoted }
        return "(SELECT NULL AS \"source\", NULL AS \"target\" WHERE 0)"
    }

    /// Returns whether a table has a search index.
    func hasSearchIndex(_ table: TableLayout) -> Bool {
        existing?.contains(SearchIndex.name(of: table.name)) ?? false
    }

    /// Returns the parameter for a value.
    package func parameter(_ value: Scalar) -> String {
        bindings.append(value)
        return "?\(bindings.count)"
    }

    package func newAlias(_ prefix: String = "t") -> String {
        defer { aliasCount += 1 }
        return "\(prefix)\(aliasCount)"
    }

    package func table(_ source: NavigationSource) throws -> TableLayout {
        guard let table = layout[source] else {
            throw QueryError(.notSupported, "the type of \(model.name(of: source)) is not known")
        }
        return table
    }

    package func checkSize() throws {
        guard bindings.count <= Self.maximumBindings else {
            throw QueryError(
                .limitExceeded,
                "the request has more than \(Self.maximumBindings) values"
            )
        }
    }
}

// MARK: - Paths

extension QueryCompiler {
    /// The tables on the way of a path and the scope at its end.
    package struct PathSource {
        package var from: [String]
        package var conditions: [String]
        package var scope: QueryScope
    }

    /// Translates a path: each navigation is an inner join, each key a condition.
    package func path(_ path: EntityPath) throws -> PathSource {
        let first = QueryScope(
            alias: newAlias(),
            table: try table(path.source),
            isOfWholeSet: path.steps.allSatisfy(\.isCast)
        )
        var result = PathSource(
            from: ["\(rows(of: first.table)) AS \(first.alias)"],
            conditions: [],
            scope: first
        )
        for step in path.steps {
            switch step {
            case .key(let values): result.conditions += try key(values, in: result.scope)
            case .localID(let text): result.conditions += try localID(text, in: result.scope)
            case .alternateKey(let parts):
                for part in parts {
                    result.conditions.append(try alternateKey(part, in: result.scope))
                }
            case .cast(let type):
                result.conditions.append(try typeCondition(type, in: result.scope))
                result.scope = result.scope.renamed(result.scope.alias, type: type)
            case .complex: break
            case .navigation(let id, let target):
                let next = try innerJoin(id, to: target, from: result.scope)
                result.from += next.clauses
                result.scope = next.scope
            }
        }
        return result
    }

    private func key(_ values: [Scalar], in scope: QueryScope) throws -> [String] {
        guard values.count == scope.table.keyColumns.count else {
            throw QueryError(.notSupported, "\(scope.table.name) has no key that can be addressed")
        }
        return zip(scope.table.keyColumns, values).map { place, value in
            "\(scope.reference(place)) = \(parameter(value))"
        }
    }

    private func alternateKey(_ part: AlternateKeyPart, in scope: QueryScope) throws -> String {
        guard let place = scope.table.column(at: part.path, of: scope.type, in: model) else {
            throw QueryError(.notSupported, "the alternate key has no column of its own")
        }
        return "\(scope.reference(place)) = \(parameter(part.value))"
    }

    private func localID(_ text: String, in scope: QueryScope) throws -> [String] {
        guard let id = LocalID(text: text) else {
            throw QueryError(.notFound, "'\(text)' is no local id")
        }
        let known = "SELECT \"row\" FROM \"$local\" WHERE \"id\" = \(parameter(.blob(id.bytes)))"
        return ["\(scope.reference(.id)) = (\(known))"]
    }

    func typeCondition(_ type: StructuredTypeID, in scope: QueryScope) throws -> String {
        let codes = scope.table.types.indices.filter {
            model.type(scope.table.types[$0], isOrExtends: type)
        }
        return "\(scope.reference(.type)) IN (\(codes.map(String.init).joined(separator: ", ")))"
    }

    /// Joins the targets of a navigation property so that rows without a target vanish.
    package func innerJoin(
        _ id: NavigationPropertyID,
        to target: NavigationSource?,
        from scope: QueryScope
    ) throws -> (clauses: [String], scope: QueryScope) {
        try join("JOIN", id: id, to: target, from: scope)
    }

    /// The join clauses from a row to the targets of a navigation property.
    func join(
        _ kind: String,
        id: NavigationPropertyID,
        to target: NavigationSource?,
        from scope: QueryScope
    ) throws -> (clauses: [String], scope: QueryScope) {
        guard let target else {
            throw QueryError(
                .notSupported,
                "\(model[id.type].name)/\(model[id].name) leads to no entity set that the metadata names"
            )
        }
        let there = QueryScope(alias: newAlias(), table: try table(target), type: model[id].target)
        let relationship = layout.relationship(id, from: scope.table.source, to: target)
        var clauses: [String] = []
        var condition = condition(of: relationship, here: scope, there: there)
        if case .links(let name, let isReversed) = relationship {
            let link = newAlias("l")
            let (near, far) = isReversed ? ("target", "source") : ("source", "target")
            clauses.append(
                "\(kind) \(links(name)) AS \(link) ON \(link).\"\(near)\" = \(scope.reference(.id))"
            )
            condition = "\(there.reference(.id)) = \(link).\"\(far)\""
        }
        clauses.append("\(kind) \(rows(of: there.table)) AS \(there.alias) ON \(condition)")
        return (clauses, there)
    }

    /// The condition that two rows are related; for link tables, of the row and a link's other end.
    func condition(of relationship: Relationship, here: QueryScope, there: QueryScope) -> String {
        switch relationship {
        case .contained: "\(there.reference(.parent)) = \(here.reference(.id))"
        case .dependent(let pairs), .principal(let pairs):
            pairs.map { "\(there.reference($0.there)) = \(here.reference($0.here))" }
                .joined(separator: " AND ")
        case .links(let name, let isReversed):
            linkExists(name, isReversed: isReversed, here: here, there: there)
        case .unbound: "0"
        }
    }

    private func linkExists(
        _ name: String,
        isReversed: Bool,
        here: QueryScope,
        there: QueryScope
    ) -> String {
        let (near, far) = isReversed ? ("target", "source") : ("source", "target")
        return "\(there.reference(.id)) IN (SELECT \"\(far)\" FROM \(links(name))"
            + " WHERE \"\(near)\" = \(here.reference(.id)))"
    }
}

extension EntityPath.Step {
    /// Whether it narrows the type only.
    fileprivate var isCast: Bool {
        if case .cast = self { true } else { false }
    }
}

// MARK: - Time

extension QueryCompiler {
    /// The instant at which the request is answered, the same wherever `now()` stands in it.
    var now: Scalar {
        isMomentary = true
        return .integer(Instant.now)
    }
}
