import ODataProtocol

/// Answers that consist of certain rows in a certain order, whatever the query would choose by now.
extension TableQuery {
    /// Returns members as the options show entities: selected and expanded, but neither filtered nor ordered again.
    func entities(
        _ path: EntityPath,
        _ options: BoundOptions,
        page: Page,
        members: [Int64],
        format: AnswerFormat
    ) throws -> Answer {
        let present = try present(members, path)
        let rest = present.dropFirst(page.offset)
        let wanted = page.size.map { Array(rest.prefix($0)) } ?? Array(rest)
        let statement = try compiler().select(
            path.withoutKey,
            options.showing,
            limit: nil,
            after: nil,
            among: wanted
        )
        let plan = LevelPlan(statement, options.showing, in: layout, format: format)
        var level = LevelWriter(self, plan)
        try plan.read(self, statement.bindings) { row in
            try level.write(row)
            return true
        }
        try level.expand()
        let objects = level.objects()
        let shown = wanted.filter { objects[$0] != nil }
        let hasMore = rest.count > wanted.count
        return Answer(
            entities: Array(shown.compactMap { objects[$0] }.joined(separator: [0x2C])),
            entityCount: shown.count,
            totalCount: options.count ? Int64(present.count) : nil,
            next: hasMore
                ? Page(size: page.size, position: [], offset: page.offset + wanted.count) : nil,
            rows: shown,
            etag: shown.count == 1 ? level.firstETag : nil
        )
    }

    /// Returns how many members are still there.
    func count(of members: [Int64], _ path: EntityPath) throws -> Int64 {
        Int64(try present(members, path).count)
    }

    /// The members that are still there, in their order: some may have been deleted here since.
    private func present(_ members: [Int64], _ path: EntityPath) throws -> [Int64] {
        guard let source = path.finalSource, let table = layout[source],
            try connection.tableNames().contains(table.name)
        else { return [] }
        var found: Set<Int64> = []
        let list = "[" + members.map(String.init).joined(separator: ",") + "]"
        try connection.forEachRow(
            "SELECT \"$id\" FROM \(table.sql) WHERE \"$id\" IN (SELECT value FROM json_each(?1))",
            [.text(list)]
        ) { found.insert($0.integer(0)) }
        return members.filter(found.contains)
    }
}

extension BoundOptions {
    /// What says how an entity is shown, without what says which.
    fileprivate var showing: BoundOptions {
        var options = self
        (options.filter, options.search, options.orderBy) = (nil, nil, [])
        (options.top, options.skip, options.skipToken) = (nil, nil, nil)
        return options
    }
}

extension EntityPath {
    /// The collection that the path leads to, of which rows are picked by their ids.
    fileprivate var withoutKey: EntityPath {
        guard let source = finalSource else { return self }
        return EntityPath(source: source)
    }
}
