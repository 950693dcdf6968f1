public import OfflineValues

/// Values of the application's own types, whose coding keys are the properties' names.
extension OfflineODataProvider {
    /// Creates an entity of a set from a value, which is read where the caller runs; answers it with its read link.
    ///
    /// A value of a type that derives from that of the set, and says so (``ODataNamedType``), becomes an entity of that type. A `Date` is
    /// written as its property takes it: with the digits of its `Precision`, or as the day in UTC.
    @discardableResult
    nonisolated(nonsending) public func create<Value: Encodable>(
        _ value: Value,
        in entitySet: String,
        options: OfflineODataRequestOptions = OfflineODataRequestOptions()
    ) async throws -> EntityValue {
        let target = EncodingTarget(EntityValue(entitySet: entitySet), in: try await metadata())
        let members =
            target.statedType(of: value) + (try ODataValueEncoder.members(of: value, for: target))
        let entity = EntityValue(entitySet: entitySet, members: members)
        return try await createEntity(entity, options: options)
    }

    /// Updates an entity by a value: members of the value that differ from what was read are sent.
    ///
    /// A value is compared as its type reads it: a `Decimal` that was read from a number of more digits is unchanged.
    ///
    /// A value whose type is `Codable` says all that its type knows: a member that is nil, and that the same type reads from the entity
    /// as something else, is set to null. Properties that the type does not have stay as they are. To change some properties and leave
    /// the others alone, give a dictionary, or a value of a type that is `Encodable` only; nil in them changes nothing.
    ///
    ///     var item = try entity.decode(Item.self)
    ///     item.name = "Lamp"
    ///     item.price = nil                                          // null is sent
    ///     try await provider.update(entity, with: item)
    ///     try await provider.update(entity, with: ["Name": "Lamp"])  // the price stays
    nonisolated(nonsending) public func update<Value: Encodable>(
        _ entity: EntityValue,
        with value: Value,
        options: OfflineODataRequestOptions = OfflineODataRequestOptions()
    ) async throws {
        let changed = try entity.updated(by: value, in: try await metadata())
        try await updateEntity(changed, options: options)
    }
}
