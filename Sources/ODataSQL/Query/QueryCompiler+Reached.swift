import ODataBinding
import ODataSQLite
import ODataModel

/// Aggregates over entities that rows lead to (OData Data Aggregation 4.0 § 3.2.1.1): each entity counts once, however many rows lead
/// to it.
extension QueryCompiler {
    /// The value of an aggregate over the rows that are being read; nil where it needs no entities but those.
    ///
    /// Where a row does not know which entity it leads to, neither is the result known.
    func aggregateOfReached(_ item: BoundAggregate) throws -> SQLExpression? {
        guard let reached = ReachedAggregate(item), let rows = currentRows else { return nil }
        guard rows.scope != nil else {
            throw QueryError(
                .notSupported,
                "after grouping, values of related entities are not aggregated; aggregate them first"
            )
        }
        let guards = try guards(.path(reached.ways[0]))
        let saved = (variables, computed, computedGuards, isGrouped)
        defer {
            (variables, computed, computedGuards, isGrouped) = saved
            currentRows = rows
        }
        let entities = try self.entities(of: reached.ways, from: rows)
        enter(entities)
        let value = try aggregate(reached.rest)
        let tests = rows.partition.map(\.sqlQuoted)
            .map { "\(entities.alias).\($0) IS \(rows.alias).\($0)" }
        let test = tests.isEmpty ? "" : " WHERE " + tests.joined(separator: " AND ")
        let unknown = value.form?.affinity == "BLOB" ? "''" : "x''"
        // An aggregate even where all are known: without one, the value would come once for each row.
        let known = guards.isEmpty ? "1" : guards.joined(separator: " AND ")
        return SQLExpression(
            sql: "CASE WHEN min(\(known)) = 0 THEN \(unknown)"
                + " ELSE (SELECT \(value.sql) FROM \(entities.from)\(test)) END",
            form: value.form
        )
    }

    /// The entities at the end of the ways, in each partition once.
    private func entities(of ways: [BoundPath], from rows: RowSet) throws -> RowSet {
        var start = rows
        start.rename(newAlias("r"))
        enter(start)
        var conditions: [String] = []
        var collection = ""
        var end: QueryScope?
        for way in ways {
            (end, conditions) = try follow(way, collection: &collection, conditions: conditions)
        }
        guard let end else { throw QueryError(.notSupported, "the path leads to no entities") }
        // The joins of all ways are known only now.
        let joins = collection.isEmpty ? "" : collection + joinsOf(.lambda(1))
        let keys = start.partition.map(\.sqlQuoted)
        let list =
            ["\(end.reference(.id)) AS \(SystemColumn.id.sql)"]
            + keys.map { "\(start.alias).\($0) AS \($0)" }
        let pairs =
            "SELECT DISTINCT \(list.joined(separator: ", ")) FROM \(start.from)\(joins) WHERE "
            + conditions.joined(separator: " AND ")
        return whole(end, pairs: pairs, keys: keys, partition: rows.partition)
    }

    /// Goes one way further; answers its end, and the conditions that rows must meet to have one.
    private func follow(_ way: BoundPath, collection: inout String, conditions: [String]) throws
        -> (QueryScope, [String])
    {
        var conditions = conditions
        guard way.navigation != nil else {
            let end = try scope(of: way)
            conditions.append("\(end.reference(.id)) IS NOT NULL")
            for case .cast(let type) in way.steps.trailingCasts {
                conditions.append(try typeCondition(type, in: end))
            }
            return (end, conditions)
        }
        let (from, correlation) = try open(way, as: .lambda(1))
        guard case .row(let end)? = variables[.lambda(1)] else {
            throw QueryError(.notSupported, "the path leads to no entity set that is known")
        }
        collection = " JOIN \(from)"
        conditions.append(correlation ?? "1")
        return (end, conditions)
    }

    /// The rows of entities whose ids a statement gives.
    private func whole(_ end: QueryScope, pairs: String, keys: [String], partition: [String])
        -> RowSet
    {
        let target = end.renamed(newAlias())
        let found = newAlias("d")
        let list = ["\(target.alias).*"] + keys.map { "\(found).\($0) AS \($0)" }
        let select =
            "SELECT \(list.joined(separator: ", ")) FROM (\(pairs)) AS \(found)"
            + " JOIN \(self.rows(of: target.table)) AS \(target.alias)"
            + " ON \(target.reference(.id)) = \(found).\(SystemColumn.id.sql)"
        var result = RowSet(select: select, alias: newAlias("r"), type: target)
        result.partition = partition
        return result
    }
}

extension [EntityPath.Step] {
    /// The casts behind the last navigation.
    fileprivate var trailingCasts: ArraySlice<EntityPath.Step> {
        let end = lastIndex { if case .cast = $0 { false } else { true } }
        return self[(end.map { $0 + 1 } ?? 0)...]
    }
}
