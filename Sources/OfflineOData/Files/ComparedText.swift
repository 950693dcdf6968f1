import OfflineValues
import ODataValues
import ODataModel

/// Texts that are equal where values are: 12.50 is 12.5, and an instant is the same at any offset.
struct ComparedText: Sendable {
    /// The text of null.
    static let null = "null"

    let model: EdmModel

    /// The texts of an entity's or a complex value's properties by name; control information and entities inline are left out.
    func properties(
        of members: [(name: String, value: ODataValue)],
        _ type: StructuredTypeID?
    ) -> [String: String] {
        let names = type.map { Set(relatedNames(below: $0)) } ?? []
        let own = members.filter { !$0.name.contains("@") && !names.contains($0.name) }
        return Dictionary(own.map { ($0.name, text($0.value, type: reference($0.name, of: type))) })
        {
            _,
            last in last
        }
    }

    /// Navigation properties of a type and of those that extend it.
    private func relatedNames(below type: StructuredTypeID) -> [String] {
        (model.lineage(of: type) + model.hierarchy(below: type))
            .flatMap { model[$0].navigationProperties.map(\.name) }
    }

    /// Whether a type or one that extends it declares a property.
    func declares(_ name: String, of type: StructuredTypeID?) -> Bool {
        reference(name, of: type) != nil
    }

    /// The type of a property, which may be one that only a derived type declares.
    private func reference(_ name: String, of type: StructuredTypeID?) -> TypeReference? {
        guard let type else { return nil }
        return model.hierarchy(below: type).lazy.compactMap { model.property(name, of: $0) }
            .first?.type
    }

    private func text(_ value: ODataValue, type: TypeReference?) -> String {
        switch value {
        case .null: return Self.null
        case .boolean(let value): return "\(value)"
        case .integer(let value): return number("\(value)")
        case .double(let value): return number("\(value)")
        case .number(let text): return number(text)
        case .string(let text): return "'\(canonical(text, type: type))'"
        case .collection(let items):
            var item = type
            item?.isCollection = false
            return "[" + items.map { self.text($0, type: item) }.joined(separator: ",") + "]"
        case .object(let members):
            var inner: StructuredTypeID?
            if case .structured(let id)? = type?.type { inner = id }
            // Services may leave out what is null or empty.
            let properties = properties(of: members, inner)
                .filter { ![Self.null, "[]"].contains($0.value) }.sorted { $0.key < $1.key }
            return "{" + properties.map { "\($0.key):\($0.value)" }.joined(separator: ",") + "}"
        }
    }

    private func number(_ text: String) -> String {
        DecimalText(Array(text.utf8).span)?.text ?? text
    }

    /// A text in the one spelling of its value, where its type allows several.
    private func canonical(_ text: String, type: TypeReference?) -> String {
        guard let type, let form = ScalarForm(type, in: model),
            let value = form.parse(Array(text.utf8).span, in: model)?.scalar
        else { return text }
        switch form {
        case .scaledDecimal, .decimalText: return number(text)
        case .dateTimeOffset, .timeOfDay, .duration:
            guard case .integer(let ticks) = value else { return text }
            // A value may have more digits of a second than ticks.
            return "\(ticks) \(text.fractionDigits)"
        case .guid: return text.lowercased()
        default: return text
        }
    }
}
