import ODataText
public import ODataValues
public import ODataModel

/// Writes URLs of entities, relative to the service root.
public struct EntityURL: Sendable {
    private let model: EdmModel
    private let literals: URLLiteral

    /// Creates a writer for services of a version.
    public init(model: EdmModel, version: ODataVersion) {
        self.model = model
        literals = URLLiteral(model: model, version: version)
    }

    /// Returns the canonical URL of an entity: `Set(5)`, `Set(A=1,B='x')`, or the singleton's name.
    ///
    /// OData 4.01 Part 2 § 4.3.1. Contained entities have none without their parent; see ``contained(in:property:key:)``.
    public func canonical(_ source: NavigationSource, key: [Scalar]) -> String? {
        switch source {
        case .entitySet(let index):
            let set = model.container.entitySets[index]
            return keyPredicate(of: set.type, key).map { encoded(set.name) + $0 }
        case .singleton(let index): return encoded(model.container.singletons[index].name)
        case .contained: return nil
        }
    }

    /// Returns the URL of a contained entity below its parent's URL; without key for a single-valued property.
    public func contained(in parent: String, property: NavigationPropertyID, key: [Scalar])
        -> String?
    {
        let navigation = model[property]
        let path = parent + "/" + encoded(navigation.name)
        guard navigation.isCollection else { return path }
        guard let type = navigation.target else { return nil }
        return keyPredicate(of: type, key).map { path + $0 }
    }

    /// Returns the URL of an entity that the service does not know yet: `Set($local='…')`.
    public func local(_ source: NavigationSource, id: String) -> String? {
        guard case .entitySet(let index) = source else { return nil }
        return encoded(model.container.entitySets[index].name) + localPredicate(id)
    }

    /// Returns the parenthesis that addresses an entity by its local id.
    public func localPredicate(_ id: String) -> String {
        var text = Array("($local='".utf8)
        let doubled = id.utf8.flatMap { $0 == Byte.quote ? [$0, $0] : [$0] }
        PercentEncoding.append(doubled, keeping: "'", to: &text)
        return String(decoding: text, as: UTF8.self) + "')"
    }

    /// Returns the key in parentheses, percent-encoded; nil where values and key do not agree.
    public func keyPredicate(of type: StructuredTypeID, _ key: [Scalar]) -> String? {
        guard let literals = keyLiterals(of: type, key) else { return nil }
        let names = model.key(of: type).map(\.name)
        let parts = zip(names, literals).map { name, part in
            literals.count == 1 ? part.literal : encoded(name) + "=" + part.literal
        }
        return "(" + parts.joined(separator: ",") + ")"
    }

    /// Returns the path of each key property and the literal of its value, percent-encoded; nil where values and key do not agree.
    public func keyLiterals(of type: StructuredTypeID, _ key: [Scalar]) -> [(
        path: String, literal: String
    )]? {
        let properties = model.key(of: type)
        guard !properties.isEmpty, properties.count == key.count else { return nil }
        var parts: [(path: String, literal: String)] = []
        for (property, value) in zip(properties, key) {
            if case .null = value { return nil }
            guard let reference = Self.type(of: property, in: type, model),
                let text = literals.text(value, reference)
            else { return nil }
            let path = property.path.split(separator: "/").map { encoded(String($0)) }
            parts.append((path.joined(separator: "/"), text))
        }
        return parts
    }

    /// The type of a key property.
    static func type(of key: KeyProperty, in type: StructuredTypeID, _ model: EdmModel)
        -> TypeReference?
    {
        var owner = type
        var reference: TypeReference?
        for name in key.path.split(separator: "/") {
            if case .structured(let next)? = reference?.type { owner = next }
            reference = model.property(String(name), of: owner)?.type
        }
        return reference
    }

    private func encoded(_ name: String) -> String { PercentEncoding.encoded(name) }
}
