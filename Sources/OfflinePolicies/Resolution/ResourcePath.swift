import ODataText

/// The path of a resource in segments, without query string; a key in parentheses is a segment of its own.
///
/// `/incidents/7`, `incidents/7/`, `incidents(7)`, `incidents(ID=7)` and `incidents(%37)` are one path, and so are `people/ann` and
/// `people('ann')`.
package struct ResourcePath: Sendable, Hashable {
    package let segments: [String]

    init(segments: [String]) { self.segments = segments }

    /// Whether another path goes on from this one, or is the same.
    package func begins(_ other: ResourcePath) -> Bool { other.segments.starts(with: segments) }

    package init(_ text: String) {
        var segments: [String] = []
        var current = ""
        var isQuoted = false
        var depth = 0
        func endSegment(isKey: Bool = false) {
            let text = isKey ? Self.value(ofKey: current) : current[...]
            if !text.isEmpty { segments.append(PercentEncoding.decoded(text)) }
            current = ""
        }
        for character in text {
            if character == "'" { isQuoted.toggle() }
            if !isQuoted {
                if character == "?" && depth == 0 { break }
                if character == "/" && depth == 0 { endSegment(); continue }
                if character == "(" {
                    depth += 1
                    if depth == 1 { endSegment(); continue }
                }
                if character == ")" && depth > 0 {
                    depth -= 1
                    if depth == 0 { endSegment(isKey: true); continue }
                }
            }
            current.append(character)
        }
        endSegment()
        self.segments = segments
    }

    /// The value of a key that names its only property, `ID=7`, and of a text what stands in its quotes; any other key as it is.
    private static func value(ofKey key: String) -> Substring {
        let name = key.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        let rest = key.dropFirst(name.count)
        guard !key.contains(",") || key.hasPrefix("'") else { return key[...] }
        let value = name.isEmpty || !rest.hasPrefix("=") ? key[...] : rest.dropFirst()
        return value.unquoted
    }
}

extension Substring {
    /// The value of a text in quotes, in which two of them stand for one; anything else as it is.
    var unquoted: Substring {
        guard count > 1, hasPrefix("'"), hasSuffix("'") else { return self }
        return dropFirst().dropLast().replacing("''", with: "'")
    }
}
