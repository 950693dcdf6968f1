/// Values of the application's own types, whose coding keys are the properties' names.
extension OfflineODataProvider {
    /// Creates an entity of a set from a value, which is read where the caller runs; answers it with its read link.
    @discardableResult
    nonisolated(nonsending) public func create<Value: Encodable>(
        _ value: Value,
        in entitySet: String,
        options: OfflineODataRequestOptions = OfflineODataRequestOptions()
    ) async throws -> EntityValue {
        let entity = try EntityValue(entitySet: entitySet, encoding: value)
        return try await createEntity(entity, options: options)
    }

    /// Updates an entity by a value: members of the value that differ from what was read are sent.
    nonisolated(nonsending) public func update<Value: Encodable>(
        _ entity: EntityValue,
        with value: Value,
        options: OfflineODataRequestOptions = OfflineODataRequestOptions()
    ) async throws {
        var changed = entity
        for member in try ODataValueEncoder.members(of: value) {
            changed[member.name] = member.value
        }
        try await updateEntity(changed, options: options)
    }
}

extension EntityValue {
    /// Creates an entity that is not in any store yet from a value of the application's own type.
    ///
    /// - Throws: ``OfflineODataError`` where the value has no properties, or what its own encoding throws.
    public init<Value: Encodable>(entitySet: String, encoding value: Value) throws {
        self.init(entitySet: entitySet, members: try ODataValueEncoder.members(of: value))
    }
}
