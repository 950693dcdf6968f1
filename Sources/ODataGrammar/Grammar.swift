/// The rules of the OData ABNF as one network of states, made once.
///
/// Each rule is a small automaton; an edge takes bytes, takes a name, or calls another rule. Rules are written in the notation of
/// RFC 5234 and 7405 in the files beside this one.
struct Grammar: Sendable {
    /// Edges that leave each state.
    var edges: [[Edge]] = []
    /// The rules by number.
    var rules: [Rule] = []
    /// The bytes with which a text can go on from each state.
    var firsts: [ByteSet] = []
    /// Whether each state's rule can end there without another byte.
    var isNullable: [Bool] = []
    /// Rule numbers by name in small letters: names of rules are compared without case (RFC 5234 § 2.1).
    var numbers: [String: Int] = [:]

    /// What a state waits for.
    enum Edge: Sendable {
        /// Nothing.
        case free(to: Int)
        /// One byte of a set.
        case byte(ByteSet, to: Int)
        /// A text; its ASCII letters in any case where `anyCase` is set. The text is in small letters then.
        case text([UInt8], anyCase: Bool, to: Int)
        /// An identifier as long as it goes; where it names a function without namespace, none of the standard's own.
        case identifier(isFunction: Bool, to: Int)
        /// Another rule.
        case call(Int, to: Int)
    }

    /// A rule's name and states.
    struct Rule: Sendable {
        let name: String
        var start = 0
        var end = 0
    }

    /// The grammar of OData 4.01 with its extensions for aggregation and temporal data.
    static let odata: Grammar = {
        var compiler = GrammarCompiler()
        let texts = [
            pathRules, optionRules, applyRules, contextRules, expressionRules, literalRules,
            nameRules,
            geoRules, characterRules,
        ]
        for text in texts { compiler.add(text) }
        return compiler.finished()
    }()

    /// Returns the number of a rule.
    func number(of rule: String) -> Int? {
        numbers[rule.lowercased()]
    }
}

/// A set of byte values.
struct ByteSet: Sendable {
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// The values that can begin an identifier, percent-encoded ones too.
    static let identifierStart: ByteSet = {
        var set = ByteSet()
        for range in [0x41...0x5A, 0x61...0x7A, 0x5F...0x5F, 0x25...0x25, 0x80...0xFF]
            as [ClosedRange<UInt8>]
        {
            set.insert(range)
        }
        return set
    }()

    /// Adds every value of a range.
    mutating func insert(_ range: ClosedRange<UInt8>) {
        for byte in range {
            let bit: UInt64 = 1 << UInt64(byte & 63)
            switch byte >> 6 {
            case 0: words.0 |= bit
            case 1: words.1 |= bit
            case 2: words.2 |= bit
            default: words.3 |= bit
            }
        }
    }

    /// Returns whether a value is in the set.
    func contains(_ byte: UInt8) -> Bool {
        let word =
            switch byte >> 6 {
            case 0: words.0
            case 1: words.1
            case 2: words.2
            default: words.3
            }
        return word >> UInt64(byte & 63) & 1 == 1
    }

    /// Adds another set; returns whether anything was new.
    mutating func formUnion(_ other: ByteSet) -> Bool {
        let old = words
        words.0 |= other.words.0
        words.1 |= other.words.1
        words.2 |= other.words.2
        words.3 |= other.words.3
        return words != old
    }
}
