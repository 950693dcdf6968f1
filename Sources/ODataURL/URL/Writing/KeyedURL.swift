import ODataText
public import ODataValues
public import ODataModel

/// Writes the canonical URLs of a set's entities whose key is one property; everything but the key's literal is worked out once.
public final class KeyedURL: Sendable {
    private let prefix: String
    private let type: TypeReference
    private let literals: URLLiteral
    /// Whether the literal of a number is its digits.
    private let isPlainNumber: Bool

    /// Prepares for a set; nil where there is no set with such a key.
    public init?(_ source: NavigationSource, in model: EdmModel, version: ODataVersion) {
        guard case .entitySet(let index) = source else { return nil }
        let set = model.container.entitySets[index]
        let key = model.key(of: set.type)
        guard key.count == 1, let type = EntityURL.type(of: key[0], in: set.type, model) else {
            return nil
        }
        self.type = type
        prefix = PercentEncoding.encoded(set.name) + "("
        literals = URLLiteral(model: model, version: version)
        // Versions before 4 mark the literals of some types.
        if case .integer? = ScalarForm(type, in: model) {
            isPlainNumber = version.isV4
        } else {
            isPlainNumber = false
        }
    }

    /// Returns the URL of the entity that has a key; nil where the value is no key.
    public func url(_ key: Scalar) -> String? {
        if isPlainNumber, case .integer(let number) = key { return prefix + String(number) + ")" }
        if case .null = key { return nil }
        return literals.text(key, type).map { prefix + $0 + ")" }
    }
}
