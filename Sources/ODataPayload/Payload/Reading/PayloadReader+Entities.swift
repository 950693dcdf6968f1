extension PayloadReader {
    mutating func item(_ sink: inout some EntitySink) throws -> Bool {
        guard let end = try scan() else { return false }
        guard entities.info.entityCount < limits.maximumEntities else {
            throw PayloadFault(
                .limitExceeded,
                at: index,
                "more entities than \(limits.maximumEntities)"
            )
        }
        try read(until: end, as: .item, into: &sink)
        index = end
        entities.info.entityCount += 1
        state = .afterItem
        return true
    }

    mutating func single(_ sink: inout some EntitySink) throws -> Bool {
        guard let end = try scan() else { return false }
        try read(until: end, as: .single, into: &sink)
        index = end
        entities.info.entityCount = 1
        envelopes.removeLast()
        state = envelopes.isEmpty ? .end : .afterMember
        return true
    }

    private mutating func read(
        until end: Int,
        as role: EntityReader.Role,
        into sink: inout some EntitySink
    ) throws {
        try window.withCursor(index..<end) { cursor in
            try entities.object(&cursor, declared: plan, as: role, depth: 1, into: &sink)
            guard cursor.isAtEnd else { throw cursor.unexpected("the end of the entity") }
        }
    }
}
