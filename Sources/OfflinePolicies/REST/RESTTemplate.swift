/// A path template that names the resources of a plain REST service.
///
///     /departments/:deptId(\d+)/:_employees?/:empId(\d+)?
///     └ collection └ key       └ subcollection └ its key
///
/// The collection itself is covered, too. A `?` says that the rest may be absent; a name after an underscore stands for itself.
public struct RESTTemplate: Sendable, Hashable {
    /// A collection and the key of its objects.
    package struct Level: Sendable, Hashable {
        /// Path segments of the collection.
        var path: [String]
        /// Property that holds the key.
        package var key: String
        /// Whether the key is a whole number.
        package var isNumber: Bool

        /// Name of the collection in the store.
        var name: String {
            let text = path.joined(separator: "_").map { $0.isLetter || $0.isNumber ? $0 : "_" }
            return (text.first?.isNumber == true ? "_" : "") + String(text)
        }
    }

    /// The template as written.
    public let text: String
    let levels: [Level]

    /// Reads a template.
    ///
    /// - Throws: ``PolicyConfigurationError`` with the segment that cannot be read.
    public init(_ text: String) throws(PolicyConfigurationError) {
        self.text = text
        var levels: [Level] = []
        var path: [String] = []
        for segment in try Self.segments(text) {
            guard segment.hasPrefix(":") else {
                path.append(segment)
                continue
            }
            let parameter = try Parameter(segment)
            if parameter.name.hasPrefix("_") {
                path.append(String(parameter.name.dropFirst()))
                continue
            }
            guard !path.isEmpty else {
                throw PolicyConfigurationError(
                    "a key stands behind the collection that it belongs to, not '\(segment)' first",
                    path: text
                )
            }
            levels.append(Level(path: path, key: parameter.name, isNumber: parameter.isNumber))
            path = []
        }
        if !path.isEmpty { levels.append(Level(path: path, key: "id", isNumber: false)) }
        guard !levels.isEmpty else {
            throw PolicyConfigurationError("the template names no collection", path: text)
        }
        self.levels = levels
    }

    /// Cuts a template at slashes that stand in no parentheses.
    private static func segments(_ text: String) throws(PolicyConfigurationError) -> [String] {
        var segments: [String] = []
        var current = ""
        var depth = 0
        for character in text {
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            if character == "/", depth == 0 {
                if !current.isEmpty { segments.append(current) }
                current = ""
            } else {
                current.append(character)
            }
        }
        guard depth == 0 else {
            throw PolicyConfigurationError("a parenthesis has no partner", path: text)
        }
        if !current.isEmpty { segments.append(current) }
        return segments
    }

    /// A parameter: `:name(pattern)?`.
    private struct Parameter {
        var name: String
        var isNumber: Bool

        init(_ segment: String) throws(PolicyConfigurationError) {
            var rest = segment.dropFirst()
            if rest.hasSuffix("?") { rest = rest.dropLast() }
            let open = rest.firstIndex(of: "(") ?? rest.endIndex
            name = String(rest[..<open])
            let isName = name.utf8.allSatisfy {
                $0 == UInt8(ascii: "_") || ($0 | 0x20) >= 97 && ($0 | 0x20) <= 122
                    || (48...57).contains($0)
            }
            guard isName, !name.isEmpty, name != "_", !(name.first?.isNumber ?? true) else {
                throw PolicyConfigurationError("'\(segment)' names no parameter", path: segment)
            }
            isNumber = ["(\\d+)", "([0-9]+)"].contains(String(rest[open...]))
        }
    }
}
