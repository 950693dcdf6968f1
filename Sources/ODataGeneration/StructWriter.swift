import ODataModel

/// Writes the struct of an entity type or a complex type.
struct StructWriter {
    private let model: EdmModel
    private let names: TypeNames
    private let id: StructuredTypeID
    private let members: [MemberPlan]

    init(model: EdmModel, names: TypeNames, selection: TypeSelection, id: StructuredTypeID) {
        self.model = model
        self.names = names
        self.id = id
        members = MemberPlanner(model: model, names: names, selection: selection, id: id).members()
    }

    private var type: StructuredType { model[id] }
    private var isEntity: Bool { type.kind == .entity }

    var lines: [String] {
        let name = names.name(of: .structured(id))
        let comment = Documentation.lines(
            type.annotations,
            fallback: "The type `\(type.name)`.",
            indentation: "    "
        )
        let protocols = "ODataTyped" + (isIdentifiable ? ", Identifiable" : "")
        var lines = ["extension \(names.schema(of: .structured(id))) {"]
        lines += comment + ["    public struct \(name): \(protocols) {"]
        lines += ["        /// Qualified name of the type in the model."]
        lines += ["        public static let odataType = \(SwiftName.literal(type.name))"]
        lines += properties + identity + initializer + codingKeys + fields
        return lines + ["    }", "}"]
    }

    private var properties: [String] {
        members.flatMap { member in
            [""] + member.documentation.map { "        " + $0 }
                + ["        public var \(member.escapedName): \(member.fullType)"]
        }
    }

    // MARK: Identity

    private var key: [MemberPlan] {
        let paths = model.key(of: id).map(\.path)
        let found = paths.compactMap { path in members.first { $0.odataName == path } }
        return found.count == paths.count ? found : []
    }

    private var hasID: Bool { members.contains { $0.name == "id" } }
    /// A property of the name that is no part of the key, or only one of its parts, says of no entity which one it is.
    private var isIdentifiable: Bool {
        isEntity && !key.isEmpty && (!hasID || key.map(\.name) == ["id"])
    }

    private var identity: [String] {
        guard isEntity, !hasID, let first = key.first else { return [] }
        guard key.count > 1 else {
            return [
                "", "        /// The key.",
                "        public var id: \(first.fullType) { \(first.escapedName) }",
            ]
        }
        let parts = key.map { "            public var \($0.escapedName): \($0.fullType)" }
        let values = key.map { "\($0.name): \($0.escapedName)" }.joined(separator: ", ")
        return ["", "        /// The key.", "        public struct ID: Hashable, Sendable {"]
            + parts
            + [
                "        }", "", "        /// The key.",
                "        public var id: ID { ID(\(values)) }",
            ]
    }

    // MARK: Initializer

    private var initializer: [String] {
        let parameters = members.map { member in
            "            \(label(member)): \(member.fullType)\(member.isOptional ? " = nil" : "")"
        }
        let start = ["", "        /// Creates a value."]
        guard !parameters.isEmpty else { return start + ["        public init() {}"] }
        return start + ["        public init("] + [parameters.joined(separator: ",\n")]
            + ["        ) {"]
            + members.map { "            self.\($0.escapedName) = \($0.escapedName)" }
            + ["        }"]
    }

    /// Only some words must not stand as a label, and backticks are right for all.
    private func label(_ member: MemberPlan) -> String { member.escapedName }

    // MARK: Names

    private var codingKeys: [String] {
        guard !members.isEmpty else { return [] }
        let cases = members.map {
            "            case \($0.escapedName) = \(SwiftName.literal($0.odataName))"
        }
        return ["", "        private enum CodingKeys: String, CodingKey {"] + cases + ["        }"]
    }

    private var fields: [String] {
        var lines = [
            "", "        /// The properties and relations, for conditions and orders.",
            "        public struct Fields: ODataFields {",
            "            private let odataPlace: ODataPlace", "",
            "            /// Creates them for the values at a place.",
            "            public init(_ place: ODataPlace) { self.odataPlace = place }",
        ]
        for member in members {
            lines += [
                "", "            /// The place of `\(SwiftName.comment(member.odataName))`.",
                "            public var \(member.escapedName): \(member.fieldType) {",
                "                \(member.field)", "            }",
            ]
        }
        return lines + ["        }"]
    }
}
