package import ODataModel

/// Values of the application's own types, whose coding keys are the properties' names.
extension EntityValue {
    /// Creates an entity that is not in any store yet from a value of the application's own type.
    ///
    /// - Throws: ``OfflineODataError`` where the value has no properties, or what its own encoding throws.
    public init<Value: Encodable>(entitySet: String, encoding value: Value) throws {
        self.init(entitySet: entitySet, members: try ODataValueEncoder.members(of: value))
    }

    /// Returns the entity with the members of a value that differ from what the value's type reads from it.
    package func updated<Value: Encodable>(by value: Value, in model: EdmModel) throws
        -> EntityValue
    {
        let target = EncodingTarget(self, in: model)
        let given = ODataValue.object(try ODataValueEncoder.members(of: value, for: target))
        let before = encoded(as: value, for: target) ?? .null
        guard case .object(let members) = target.clearing(given, before: before) else {
            return self
        }
        var changed = self
        for member in members where before[member.name] != member.value {
            changed[member.name] = try target.restored(
                member.value,
                before: before[member.name],
                named: member.name
            )
        }
        return changed
    }

    /// Returns what a value of the same type encodes where it is read from the entity; nil where the type does not say what it leaves
    /// out.
    private func encoded<Value>(as value: Value, for target: EncodingTarget) -> ODataValue? {
        guard let type = Value.self as? any (Decodable & Encodable).Type, !(value is ODataValue),
            Mirror(reflecting: value).displayStyle != .dictionary
        else { return nil }
        return encoded(type, for: target)
    }

    private func encoded<Value: Decodable & Encodable>(
        _ type: Value.Type,
        for target: EncodingTarget
    ) -> ODataValue? {
        guard let read = try? decode(type),
            let members = try? ODataValueEncoder.members(of: read, for: target)
        else { return nil }
        return .object(members)
    }
}
