package import ODataBinding
package import ODataSQL
package import ODataModel
package import ODataTables

/// The sources of which a query brings only some properties, at top level or by an expand.
package enum QuerySelection {
    package static func partialSources(of query: DefiningQuery, in schema: TableSchema) -> Set<
        NavigationSource
    > {
        guard let asked = AddressedEntities(query.url, in: schema.model)
        else { return [] }
        return sources(asked.path.finalSource, options: asked.options)
    }

    private static func sources(_ source: NavigationSource?, options: BoundOptions) -> Set<
        NavigationSource
    > {
        var found: Set<NavigationSource> = []
        if let source, case .paths = options.select { found.insert(source) }
        for expand in options.expand {
            found.formUnion(sources(expand.target, options: expand.options))
        }
        return found
    }

    /// The columns of a table that a query brings, at top level or by an expand; the key always.
    ///
    /// - Parameter includesImpliedKeys: Whether foreign keys count that its expands show without selecting them.
    package static func columns(
        of query: DefiningQuery,
        _ table: TableLayout,
        in schema: TableSchema,
        includesImpliedKeys: Bool = false
    )
        -> Set<Int>
    {
        let values = BroughtValues(of: query, table, in: schema)
        return includesImpliedKeys ? values.columns.union(values.impliedKeys) : values.columns
    }

    /// The columns that a selection names; the key always.
    static func selected(_ selection: BoundSelect, in table: TableLayout) -> Set<Int> {
        guard case .paths(let paths) = selection else { return Set(table.columns.indices) }
        return Set(
            table.columns.indices.filter { place in
                let column = table.columns[place]
                return column.keyIndex != nil
                    || paths.contains { column.path.starts(with: $0) }
            }
        )
    }

    /// Whether a query brings members of a collection's items, and not the whole items.
    package static func tears(
        _ column: [String],
        of source: NavigationSource,
        _ query: DefiningQuery,
        in schema: TableSchema
    ) -> Bool {
        guard let asked = AddressedEntities(query.url, in: schema.model) else { return false }
        return tears(column, of: source, at: asked.path.finalSource, asked.options)
    }

    private static func tears(
        _ column: [String],
        of source: NavigationSource,
        at place: NavigationSource?,
        _ options: BoundOptions
    ) -> Bool {
        if place == source, case .paths(let paths) = options.select {
            let isWhole = paths.contains { column.starts(with: $0) }
            let isTouched = paths.contains { $0.count > column.count && $0.starts(with: column) }
            if isTouched, !isWhole { return true }
        }
        return options.expand.contains {
            tears(column, of: source, at: $0.target, $0.options)
        }
    }

    /// Whether options keep some of the entities away that are related.
    package static func isRestricted(_ options: BoundOptions) -> Bool {
        options.filter != nil || options.search != nil || options.top != nil
            || options.skip != nil || !options.apply.isEmpty
    }

    /// The navigation properties that a query expands, at every depth; only those of which a part is asked for, or all.
    package static func expanded(
        by query: DefiningQuery,
        onlyRestricted: Bool,
        in schema: TableSchema
    ) -> Set<NavigationPropertyID> {
        guard let bound = try? BoundRequest(ofService: query.url, in: schema.model) else {
            return []
        }
        func found(_ expands: [BoundExpand]) -> Set<NavigationPropertyID> {
            expands.reduce(into: []) { all, expand in
                all.formUnion(found(expand.options.expand))
                if !onlyRestricted || expand.cast != nil || isRestricted(expand.options) {
                    all.insert(expand.navigation)
                }
            }
        }
        var all = found(bound.options.expand)
        if !onlyRestricted, case .entities(let path) = bound.resource,
            case .navigation(let id, _)? = path.steps.last
        {
            all.insert(id)
        }
        return all
    }

    /// Whether a query leaves the keys of some of its entities out: their ids say which they are (OData JSON 4.01 § 4.5.8).
    package static func leavesKeysOut(_ query: DefiningQuery, in schema: TableSchema) -> Bool {
        guard let asked = AddressedEntities(query.url, in: schema.model)
        else { return false }
        return leavesKeysOut(asked.path.finalSource, options: asked.options, in: schema.layout)
    }

    private static func leavesKeysOut(
        _ source: NavigationSource?,
        options: BoundOptions,
        in layout: Layout
    ) -> Bool {
        if case .paths(let paths) = options.select, let table = source.flatMap({ layout[$0] }) {
            let isWhole = table.keyColumns.allSatisfy { place in
                paths.contains { table.columns[place].path.starts(with: $0) }
            }
            if !isWhole { return true }
        }
        return options.expand.contains { leavesKeysOut($0.target, options: $0.options, in: layout) }
    }
}
