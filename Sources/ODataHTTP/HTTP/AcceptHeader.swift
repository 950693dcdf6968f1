/// What a client takes, as an `Accept` field says it (RFC 9110 § 12.5.1).
public struct AcceptHeader: Sendable, Equatable {
    /// One range and how much it is wanted.
    public struct Element: Sendable, Equatable {
        /// A media type, or a range such as `application/*`.
        public var range: MediaType
        /// Quality in thousandths, 0 to 1000; 0 means "not this".
        public var quality: Int
    }

    /// The ranges in order.
    public private(set) var elements: [Element] = []

    /// Reads the value of a field; elements that cannot be read are passed over.
    public init(_ text: String) {
        var scanner = HTTPFieldScanner(text)
        while !scanner.isAtEnd {
            scanner.skipSpace()
            if let (range, quality) = MediaType.read(&scanner, endsAtComma: true),
                let thousandths = Self.thousandths(quality)
            {
                elements.append(Element(range: range, quality: thousandths))
            }
            scanner.skipElement()
            _ = scanner.take(",")
        }
    }

    /// Returns how much a type is wanted, by the range that says most about it; 0 where none does.
    ///
    /// A parameter of a range must stand in the type with the same value.
    public func quality(of type: MediaType) -> Int {
        elements.filter { Self.covers($0.range, type: type) }
            .max { Self.weight($0.range) < Self.weight($1.range) }?
            .quality ?? 0
    }

    /// Returns the offer that is wanted most, the first of equals; nil where none is wanted.
    public func choose(from offers: [MediaType]) -> MediaType? {
        var best: (offer: MediaType, quality: Int)?
        for offer in offers {
            let quality = quality(of: offer)
            if quality > best?.quality ?? 0 { best = (offer, quality) }
        }
        return best?.offer
    }

    private static func covers(_ range: MediaType, type: MediaType) -> Bool {
        guard range.type == "*" || range.type == type.type else { return false }
        guard range.subtype == "*" || range.subtype == type.subtype else { return false }
        return range.parameters.allSatisfy { parameter in
            type[parameter: parameter.name]?.lowercased() == parameter.value.lowercased()
        }
    }

    /// Types before ranges, and more parameters before fewer.
    private static func weight(_ range: MediaType) -> Int {
        guard range.type != "*" else { return 0 }
        return range.subtype == "*" ? 1 : 2 + range.parameters.count
    }

    /// `0.875` is 875; nil where it is no quality.
    private static func thousandths(_ text: String?) -> Int? {
        guard let text else { return 1000 }
        let bytes = Array(text.utf8)
        let fraction = bytes.dropFirst(2)
        guard let whole = bytes.first, whole == 0x30 || whole == 0x31, fraction.count <= 3,
            bytes.count < 2 || bytes[1] == 0x2E,
            fraction.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        let padded = Array(fraction) + Array(repeating: 0x30, count: 3 - fraction.count)
        let value = padded.reduce(Int(whole - 0x30)) { $0 * 10 + Int($1 - 0x30) }
        return value <= 1000 ? value : nil
    }
}
