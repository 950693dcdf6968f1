/// Swift identifiers of OData names.
enum SwiftName {
    /// Returns the name of a type.
    static func type(_ name: some StringProtocol) -> String {
        let clean = identifier(name)
        let first = clean.prefix(1).uppercased()
        let type = first + clean.dropFirst()
        return reservedTypes.contains(type) ? type + "Type" : type
    }

    /// Returns the name of a property or a case: `DueAt` as `dueAt`, `URLName` as `urlName`, `ID` as `id`.
    static func member(_ name: some StringProtocol) -> String {
        let lowered = lowered(identifier(name))
        guard unusable.contains(lowered) else { return lowered }
        let longer = lowered + "Value"
        // `hash` must not become `hashValue`, which every Hashable type has.
        return unusable.contains(longer) ? lowered + "Property" : longer
    }

    /// Returns a name as it is written in a declaration.
    static func escaped(_ name: String) -> String {
        keywords.contains(name) ? "`\(name)`" : name
    }

    /// Returns a text as a literal.
    static func literal(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\\", "\"": "\\" + String(scalar)
            default: isPlain(scalar) ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        return "\"" + scalars.joined() + "\""
    }

    /// Returns a name as a comment can hold it: what ends its line would be code.
    static func comment(_ name: String) -> String {
        String(String.UnicodeScalarView(name.unicodeScalars.map { isPlain($0) ? $0 : "?" }))
    }

    /// Whether a character can stand in a line of source.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }

    /// Makes a name unlike those that are taken, and takes it.
    static func unique(_ name: String, among taken: inout Set<String>) -> String {
        var candidate = name
        var number = 2
        while !taken.insert(candidate).inserted {
            candidate = "\(name)\(name.last?.isNumber == true ? "_" : "")\(number)"
            number += 1
        }
        return candidate
    }

    private static func identifier(_ name: some StringProtocol) -> String {
        let clean = String(
            String.UnicodeScalarView(
                name.unicodeScalars.map { isAllowed($0) ? $0 : "_" }
            )
        )
        guard let first = clean.unicodeScalars.first else { return "_empty" }
        if clean.allSatisfy({ $0 == "_" }) { return "_name" }
        return first.properties.isAlphabetic || first == "_" ? clean : "_" + clean
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar.properties.isAlphabetic
            || scalar.properties.numericType == .decimal
    }

    /// Lowers the capitals at the beginning, but for the one that begins the next word.
    private static func lowered(_ name: String) -> String {
        let capitals = name.prefix { $0.isUppercase }
        guard !capitals.isEmpty else { return name }
        let rest = name[capitals.endIndex...]
        let count =
            capitals.count > 1 && rest.first?.isLowercase == true
            ? capitals.count - 1 : capitals.count
        return name.prefix(count).lowercased() + name.dropFirst(count)
    }

    /// Types that the sources name, and names that mean something in a type.
    private static let reservedTypes: Set<String> = [
        "Any", "AnyObject", "Array", "Bool", "CodingKey", "CodingKeys", "Data", "Date", "Decimal",
        "Decoder", "Double", "Duration", "Encoder", "Fields", "Float", "Hashable", "ID",
        "Identifiable", "Int16", "Int32", "Int64", "Int8", "Never", "Optional", "Protocol", "Self",
        "Sendable", "String", "Swift", "Type",
        "UInt8",
        "UUID", "Void", "ODataValue", "ODataField", "ODataRelation", "ODataRelations",
        "ODataRelated", "ODataPlace", "ODataTyped", "ODataFields", "ODataEnumeration", "ODataFlags",
        "ODataEntitySet", "ODataSingleton", "OfflineOData", "OfflineODataProvider",
    ]

    /// Names that even backticks do not make usable.
    private static let unusable: Set<String> = [
        "hashValue", "hash", "init", "self", "encode", "rawValue", "odataType", "odataMembers",
        "odataText", "_",
    ]

    private static let keywords: Set<String> = [
        "actor", "any", "as", "associatedtype", "async", "await", "borrowing", "break", "case",
        "catch",
        "class", "consuming", "continue", "default", "defer", "deinit", "do", "dynamic", "else",
        "enum", "extension", "fallthrough", "false", "fileprivate", "final", "for", "func", "get",
        "guard", "if", "import", "in", "indirect", "infix", "inout", "internal", "is", "lazy",
        "let",
        "mutating", "nil", "nonisolated", "nonmutating", "open", "operator", "optional", "override",
        "package", "postfix", "precedencegroup", "prefix", "private", "protocol", "public",
        "repeat",
        "required", "rethrows", "return", "sending", "set", "some", "static", "struct", "subscript",
        "super", "switch", "throw", "throws", "true", "try", "typealias", "unowned", "unsafe",
        "var",
        "weak", "where", "while", "willSet", "didSet", "yield", "left", "right", "none",
        "convenience",
        "isolated", "macro", "each", "copy", "discard", "module", "of",
    ]
}
