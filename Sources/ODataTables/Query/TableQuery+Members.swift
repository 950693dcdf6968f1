import ODataBinding
import ODataSQL
import ODataValues

/// Answers that consist of certain rows in a certain order, whatever the query would choose by now.
extension TableQuery {
    /// Returns the entities of a list as the options show entities, as JSON.
    func entities(
        _ path: EntityPath,
        options: BoundOptions,
        page: Page,
        of list: RowList,
        format: AnswerFormat,
        known: KnownRequest?
    ) throws -> Answer {
        let (plan, bindings) = try planned(
            list,
            at: path,
            options: options,
            page: page,
            format: format,
            knowing: known
        )
        var level = LevelWriter(self, plan: plan)
        var hasMore = false
        try plan.read(self, bindings: bindings) { row in
            hasMore = level.rows.count == page.size
            if !hasMore { try level.write(row) }
            return !hasMore
        }
        try level.expand()
        let count = level.rows.count
        return Answer(
            entities: level.joined(),
            entityCount: count,
            totalCount: options.count ? try total(of: list, at: path, options: options) : nil,
            next: hasMore
                ? Page(size: page.size, position: [], offset: page.offset + count) : nil,
            rows: level.rows.map(\.id),
            etag: count == 1 ? level.firstETag : nil
        )
    }

    /// The service's count where the list is a part of what it has counted; what was changed here since is not in it.
    private func total(of list: RowList, at path: EntityPath, options: BoundOptions) throws
        -> Int64
    {
        guard options.top != nil || options.skip != nil, let count = list.totalCount else {
            return try count(of: list, path)
        }
        return count
    }

    /// Returns how many rows of a list are still there: some may have been deleted here since.
    func count(of list: RowList, _ path: EntityPath) throws -> Int64 {
        let query = try compiler().count(list, of: path.withoutKey)
        return try integer(query.sql, bindings: query.bindings)
    }

    /// Returns the plan of a list's entities with its values, one made before where there is one.
    func planned(
        _ list: RowList,
        at path: EntityPath,
        options: BoundOptions,
        page: Page,
        format: AnswerFormat,
        knowing known: KnownRequest?
    ) throws -> (LevelPlan, [Scalar]) {
        let path = path.withoutKey
        func make() throws -> LevelPlan {
            let statement = try compiler().select(
                list,
                of: path,
                options: options,
                // One row more says whether there is a next page.
                limit: page.size.map { $0 + 1 },
                skipping: page.offset
            )
            return LevelPlan(statement, options: options, in: layout, format: format)
        }
        guard page.offset == 0 else {
            let plan = try make()
            return (plan, plan.statement.bindings)
        }
        let plan =
            if let plans, options.asksForAll, page.size == nil {
                try plans.plan(of: list, from: path.source, format: format, make: make)
            } else {
                try known?.plan(format, pageSize: page.size, list: list.table, make: make) ?? make()
            }
        // Other header fields make another list of the same request.
        return (plan, plan.statement.bindings(list: list))
    }
}

extension EntityPath {
    /// The collection that the path leads to, of which rows are picked by their ids.
    fileprivate var withoutKey: EntityPath {
        guard let source = finalSource else { return self }
        return EntityPath(source: source)
    }
}
