/// An entity tag (RFC 9110 § 8.8.3).
public struct EntityTag: Sendable, Equatable {
    /// Whether the tag vouches for the meaning only, not for the bytes.
    public var isWeak: Bool
    /// What stands in the quotes.
    public var value: String

    /// Creates a tag.
    public init(_ value: String, isWeak: Bool) {
        self.value = value
        self.isWeak = isWeak
    }

    /// Reads the value of an `ETag` field; nil where it is no entity tag.
    public init?(_ text: String) {
        var scanner = HTTPFieldScanner(text)
        scanner.skipSpace()
        guard let tag = Self.read(&scanner) else { return nil }
        scanner.skipSpace()
        guard scanner.isAtEnd else { return nil }
        self = tag
    }

    /// Compares the values' bytes, whatever their weakness; `If-Match` on entities compares so
    /// (OData 4.01 Part 1 § 8.2.4).
    public func weaklyMatches(_ other: EntityTag) -> Bool {
        value.utf8.elementsEqual(other.value.utf8)
    }

    /// Whether two values of `ETag` fields mean one version, as far as is known (RFC 9110 § 8.8.3.2, weak comparison).
    ///
    /// Texts that are no entity tags are compared as they are; a tag that is missing means no version.
    package static func areSame(_ one: String?, _ other: String?) -> Bool {
        guard let one, let other else { return false }
        guard let first = EntityTag(one), let second = EntityTag(other) else { return one == other }
        return first.weaklyMatches(second)
    }

    /// Compares the values' bytes, and wants both to be strong.
    public func stronglyMatches(_ other: EntityTag) -> Bool {
        !isWeak && !other.isWeak && weaklyMatches(other)
    }

    /// Compares value and weakness.
    public static func == (left: Self, right: Self) -> Bool {
        left.isWeak == right.isWeak && left.weaklyMatches(right)
    }

    /// Reads a tag, which ends at the next quote; spaces, which some services write, are kept.
    static func read(_ scanner: inout HTTPFieldScanner) -> EntityTag? {
        let isWeak = scanner.take("W")
        if isWeak, !scanner.take("/") { return nil }
        guard scanner.take("\"") else { return nil }
        let value = scanner.take { $0 != 0x22 && $0 >= 0x20 && $0 != 0x7F } ?? ""
        return scanner.take("\"") ? EntityTag(value, isWeak: isWeak) : nil
    }
}

extension EntityTag: CustomStringConvertible {
    /// The tag as it is written in a field.
    public var description: String { (isWeak ? "W/\"" : "\"") + value + "\"" }
}

/// The value of an `If-Match` or `If-None-Match` field (RFC 9110 § 13.1).
public enum EntityTagList: Sendable, Equatable {
    /// `*`: whatever there is.
    case any
    /// One of these.
    case tags([EntityTag])

    /// Reads the value of a field; nil where it is neither `*` nor a list of tags.
    public init?(_ text: String) {
        var scanner = HTTPFieldScanner(text)
        scanner.skipSpace()
        if scanner.take("*") {
            scanner.skipSpace()
            guard scanner.isAtEnd else { return nil }
            self = .any
            return
        }
        guard let tags = Self.readTags(&scanner) else { return nil }
        self = .tags(tags)
    }

    /// Whether the tag of the current entity, nil if it does not exist, is in the list; weakness does not count.
    public func weaklyContains(_ tag: EntityTag?) -> Bool {
        guard let tag else { return false }
        switch self {
        case .any: return true
        case .tags(let tags): return tags.contains { $0.weaklyMatches(tag) }
        }
    }

    /// Whether the tag of the current entity, nil if it does not exist, is in the list; weak tags never match.
    public func stronglyContains(_ tag: EntityTag?) -> Bool {
        guard let tag else { return false }
        switch self {
        case .any: return true
        case .tags(let tags): return tags.contains { $0.stronglyMatches(tag) }
        }
    }

    /// Empty elements of a list are allowed (RFC 9110 § 5.6.1.2), an empty list is not.
    private static func readTags(_ scanner: inout HTTPFieldScanner) -> [EntityTag]? {
        var tags: [EntityTag] = []
        repeat {
            scanner.skipSpace()
            if scanner.next == 0x2C || scanner.isAtEnd { continue }
            guard let tag = EntityTag.read(&scanner) else { return nil }
            tags.append(tag)
            scanner.skipSpace()
        } while scanner.take(",")
        return scanner.isAtEnd && !tags.isEmpty ? tags : nil
    }
}
