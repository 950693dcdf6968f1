import ODataModel

/// Writes an enumeration type: an enumeration with a case for members that are not known, or a set of flags.
struct EnumWriter {
    private let type: EnumType
    private let name: String
    private let schema: String
    private let members: [(name: String, member: EnumType.Member)]

    init(type: EnumType, names: TypeNames, id: EnumTypeID) {
        self.type = type
        name = names.name(of: .enumeration(id))
        schema = names.schema(of: .enumeration(id))
        var taken: Set<String> = type.isFlags ? [] : ["other"]
        members = type.members.map {
            (SwiftName.unique(SwiftName.member($0.name), among: &taken), $0)
        }
    }

    var lines: [String] {
        let comment = Documentation.lines(
            type.annotations,
            fallback: "The enumeration `\(type.name)`.",
            indentation: "    "
        )
        return ["extension \(schema) {"] + comment + (type.isFlags ? flags : cases) + ["}"]
    }

    private func comment(_ member: EnumType.Member) -> [String] {
        Documentation.lines(
            member.annotations,
            fallback: "The member `\(member.name)`.",
            indentation: "        "
        )
    }

    private var cases: [String] {
        var lines = ["    public enum \(name): ODataEnumeration {"]
        for (name, member) in members {
            lines += comment(member) + ["        case \(SwiftName.escaped(name))"]
        }
        lines += ["        /// A member that this version of the model does not have."]
        lines += ["        case other(String)", ""]
        lines += ["        /// Qualified name of the type in the model."]
        lines += ["        public static let odataType = \(SwiftName.literal(type.name))", ""]
        return lines + reading + writing + ["    }"]
    }

    private var reading: [String] {
        ["        /// Creates the member of a name.", "        public init(rawValue: String) {"]
            + (members.isEmpty
                ? ["            self = .other(rawValue)"]
                : ["            switch rawValue {"]
                    + members.map {
                        "            case \(SwiftName.literal($0.member.name)): self = .\(SwiftName.escaped($0.name))"
                    } + ["            default: self = .other(rawValue)", "            }"])
            + ["        }", ""]
    }

    private var writing: [String] {
        [
            "        /// The name of the member.", "        public var rawValue: String {",
            "            switch self {",
        ]
            + members.map {
                "            case .\(SwiftName.escaped($0.name)): \(SwiftName.literal($0.member.name))"
            }
            + ["            case .other(let name): name", "            }", "        }"]
    }

    private var flags: [String] {
        var lines = ["    public struct \(name): ODataFlags {"]
        lines += ["        /// Qualified name of the type in the model."]
        lines += ["        public static let odataType = \(SwiftName.literal(type.name))"]
        lines += ["        /// The members by their names."]
        lines += ["        public static let odataMembers: [(name: String, value: Int64)] = ["]
        lines += members.map {
            "            (\(SwiftName.literal($0.member.name)), \($0.member.value)),"
        }
        lines += ["        ]", ""]
        // No flag at all is written [].
        for (name, member) in members where member.value != 0 {
            lines += comment(member)
            lines += [
                "        public static let \(SwiftName.escaped(name)) = Self(rawValue: \(member.value))"
            ]
        }
        lines += [
            "", "        /// The bits of the members.", "        public var rawValue: Int64", "",
        ]
        lines += ["        /// Creates a set of members from their bits."]
        return lines + [
            "        public init(rawValue: Int64) { self.rawValue = rawValue }", "    }",
        ]
    }
}
