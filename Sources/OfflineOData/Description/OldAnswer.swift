import ODataModel
import OfflineValues

/// Entities in the JSON of versions 1 to 3, made readable: dates in ISO 8601, by the types that the entities state; collections without
/// their wrapping, entities without `__metadata` and `__deferred`, references as in version 4.
struct OldAnswer {
    let model: EdmModel

    /// Returns an entity or another value as version 4 writes it.
    ///
    /// - Parameter type: The type of the entity or complex value, or of the items; nil where nothing is known of it.
    func readable(_ value: ODataValue, of type: StructuredTypeID? = nil) -> ODataValue {
        switch value {
        case .collection(let items): .collection(items.map { readable($0, of: type) })
        case .object(let members): object(members, of: type)
        default: value
        }
    }

    private func object(
        _ members: [(name: String, value: ODataValue)],
        of type: StructuredTypeID?
    ) -> ODataValue {
        if let results = ODataValue.results(of: members) { return readable(results, of: type) }
        let metadata = members.first { $0.name == "__metadata" }?.value
        if members.count == 1, let uri = metadata?[member: "uri"] {
            return .object([("@odata.id", uri)])
        }
        let stated = metadata?[member: "type"]?.stringValue
        let type = stated.flatMap { model.structuredType(named: $0) } ?? type
        let properties = members.filter {
            $0.name != "__metadata" && !ODataValue.isDeferred($0.value)
        }
        return .object(
            properties.map { name, value in
                let value = member(name, value: value, of: type)
                return Self.references(value).map { ("\(name)@odata.bind", $0) } ?? (name, value)
            }
        )
    }

    /// The ids of entities of which nothing else is said; nil for any other value.
    private static func references(_ value: ODataValue) -> ODataValue? {
        switch value {
        case .object(let members) where members.count == 1 && members[0].name == "@odata.id":
            return members[0].value
        case .collection(let items) where !items.isEmpty:
            let ids = items.compactMap { references($0) }
            return ids.count == items.count ? .collection(ids) : nil
        default: return nil
        }
    }

    private func member(_ name: String, value: ODataValue, of type: StructuredTypeID?) -> ODataValue
    {
        guard let type else { return readable(value) }
        if let property = model.property(name, of: type) {
            guard case .structured(let complex) = property.type.type else {
                return date(value, type: property.type.type)
            }
            return readable(value, of: complex)
        }
        if let navigation = model.navigationProperty(name, of: type) {
            return readable(value, of: model[navigation].target)
        }
        return readable(value)
    }

    private func date(_ value: ODataValue, type: NamedType) -> ODataValue {
        guard [.dateTime, .dateTimeOffset].contains(model.underlyingPrimitive(of: type)) else {
            return value
        }
        return switch value {
        case .string(let text): .string(OldDateText.readable(text) ?? text)
        case .collection(let items): .collection(items.map { date($0, type: type) })
        case .object(let members):
            ODataValue.results(of: members).map { date($0, type: type) } ?? value
        default: value
        }
    }
}
