/// A configured resource path: exact, `path/*` for one level, or `path/**` for everything below.
///
/// `incidents/*` also matches `incidents` itself; an exact entry for it wins.
public struct PathPattern: Sendable, Hashable {
    /// How far a pattern reaches, the narrowest first.
    enum Reach: Int, Sendable, Comparable {
        case exact
        case oneLevel
        case everythingBelow

        static func < (left: Reach, right: Reach) -> Bool { left.rawValue < right.rawValue }
    }

    /// The pattern as written.
    public let text: String
    let reach: Reach
    package let path: ResourcePath

    /// Reads a pattern; nil where a wildcard stands elsewhere than in the last segment, and for what no resource path looks like: no text,
    /// a URL with its scheme, query options, an empty segment.
    public init?(_ text: String) {
        guard Self.isPath(text) else { return nil }
        var segments = ResourcePath(text).segments
        switch segments.last {
        case nil: return nil
        case "**" where text.hasSuffix("**"):
            reach = .everythingBelow
            segments.removeLast()
        case "*" where text.hasSuffix("*"):
            reach = .oneLevel
            segments.removeLast()
        default: reach = .exact
        }
        guard !segments.contains(where: { $0.contains("*") }) else { return nil }
        self.text = text
        path = ResourcePath(segments: segments)
    }

    /// Whether a text has no scheme, no query options and no empty segments; what stands in quotes belongs to keys.
    private static func isPath(_ text: String) -> Bool {
        var isQuoted = false
        var last: Character?
        for character in text {
            if character == "'" { isQuoted.toggle() }
            if !isQuoted, "?#".contains(character) || character == "/" && last == "/" {
                return false
            }
            last = character
        }
        return true
    }

    /// Whether the pattern covers a path.
    func matches(_ other: ResourcePath) -> Bool {
        guard other.segments.starts(with: path.segments) else { return false }
        let below = other.segments.count - path.segments.count
        return switch reach {
        case .exact: below == 0
        case .oneLevel: below <= 1
        case .everythingBelow: true
        }
    }

    /// Whether the pattern is to be preferred to another one that covers the same path.
    func isNarrower(than other: PathPattern) -> Bool {
        reach == other.reach
            ? path.segments.count > other.path.segments.count : reach < other.reach
    }
}

extension PathPattern {
    /// Whether two patterns cover the same paths, however they are written.
    func isSame(as other: PathPattern) -> Bool {
        reach == other.reach && path == other.path
    }
}
