/// A regular expression of the ECMAScript kind without what needs memory of the past (references back, looking around).
///
/// It runs as a set of states over the code points of a text (Thompson), so a hostile pattern costs no more than its length times
/// the text's: `(a+)+$` is as cheap as any other.
struct TextPattern {
    /// Why a pattern is refused.
    struct PatternError: Error {
        var message: String
    }

    /// One step of the program; where nothing else is said the next one follows.
    private enum Step {
        case character(CharacterTest)
        case start
        case end
        /// Goes on at two places.
        case fork(Int, Int)
        case jump(Int)
        case accept
    }

    private var program: [Step] = []

    /// Steps of a program at most: counted repetitions are written out.
    static let maximumSteps = 10_000
    /// Groups nested deeper than this are refused.
    static let maximumDepth = 100

    /// Compiles a pattern.
    init(_ pattern: String) throws(PatternError) {
        var parser = Parser(scalars: Array(pattern.unicodeScalars))
        let tree = try parser.alternatives(depth: 0)
        guard parser.isAtEnd else {
            throw PatternError(message: "a parenthesis is closed that was not opened")
        }
        try emit(tree)
        try add(.accept)
    }

    // MARK: Compiling

    /// A part of a pattern.
    fileprivate indirect enum Node {
        case empty
        case character(CharacterTest)
        case start
        case end
        case sequence([Node])
        case either([Node])
        case repeated(Node, atLeast: Int, atMost: Int?)
    }

    private mutating func add(_ step: Step) throws(PatternError) {
        guard program.count < Self.maximumSteps else {
            throw PatternError(message: "it is too large")
        }
        program.append(step)
    }

    private mutating func emit(_ node: Node) throws(PatternError) {
        switch node {
        case .empty: break
        case .character(let test): try add(.character(test))
        case .start: try add(.start)
        case .end: try add(.end)
        case .sequence(let parts): for part in parts { try emit(part) }
        case .either(let parts): try emit(either: parts)
        case .repeated(let part, let least, let most):
            for _ in 0..<least { try emit(part) }
            if let most {
                try emit(optional: part, upTo: most - least)
            } else {
                let fork = program.count
                try add(.fork(fork + 1, 0))
                try emit(part)
                try add(.jump(fork))
                program[fork] = .fork(fork + 1, program.count)
            }
        }
    }

    private mutating func emit(either parts: [Node]) throws(PatternError) {
        var jumps: [Int] = []
        for (index, part) in parts.enumerated() {
            guard index < parts.count - 1 else {
                try emit(part)
                break
            }
            let fork = program.count
            try add(.fork(fork + 1, 0))
            try emit(part)
            jumps.append(program.count)
            try add(.jump(0))
            program[fork] = .fork(fork + 1, program.count)
        }
        for jump in jumps { program[jump] = .jump(program.count) }
    }

    private mutating func emit(optional part: Node, upTo count: Int) throws(PatternError) {
        var forks: [Int] = []
        for _ in 0..<max(0, count) {
            forks.append(program.count)
            try add(.fork(program.count + 1, 0))
            try emit(part)
        }
        for fork in forks { program[fork] = .fork(fork + 1, program.count) }
    }

    // MARK: Matching

    /// Whether the pattern matches somewhere in a text.
    func matches(_ text: String) -> Bool {
        let scalars = Array(text.unicodeScalars)
        var states = StateSet(program.count)
        for place in 0...scalars.count {
            // A match may begin at every place.
            states.insert(0)
            if reachesEnd(&states, isFirst: place == 0, isLast: place == scalars.count) {
                return true
            }
            guard place < scalars.count else { break }
            var next = StateSet(program.count)
            for state in states.members {
                if case .character(let test) = program[state], test.takes(scalars[place]) {
                    next.insert(state + 1)
                }
            }
            states = next
        }
        return false
    }

    /// Follows the steps that take no character; whether one of them accepts.
    private func reachesEnd(_ states: inout StateSet, isFirst: Bool, isLast: Bool) -> Bool {
        var index = 0
        while index < states.members.count {
            let state = states.members[index]
            index += 1
            switch program[state] {
            case .character: break
            case .start: if isFirst { states.insert(state + 1) }
            case .end: if isLast { states.insert(state + 1) }
            case .jump(let target): states.insert(target)
            case .fork(let first, let second):
                states.insert(first)
                states.insert(second)
            case .accept: return true
            }
        }
        return false
    }

    /// States in the order in which they were reached, each once.
    private struct StateSet {
        private(set) var members: [Int] = []
        private var known: [Bool]

        init(_ count: Int) { known = Array(repeating: false, count: count) }

        mutating func insert(_ state: Int) {
            guard !known[state] else { return }
            known[state] = true
            members.append(state)
        }
    }
}

/// What one character of a text must be.
struct CharacterTest {
    /// Ranges of code points.
    var ranges: [ClosedRange<UInt32>] = []
    var isNegated = false

    func takes(_ scalar: Unicode.Scalar) -> Bool {
        ranges.contains { $0.contains(scalar.value) } != isNegated
    }

    static let any = CharacterTest(
        ranges: [0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029],
        isNegated: true
    )
    static let digits = [0x30...0x39] as [ClosedRange<UInt32>]
    static let word = digits + [0x41...0x5A, 0x5F...0x5F, 0x61...0x7A]
    static let space =
        [0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x2000...0x200A, 0x2028...0x2029, 0x3000...0x3000]
        as [ClosedRange<UInt32>]

    /// All code points that are in none of the ranges.
    static func complement(of ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
        var result: [ClosedRange<UInt32>] = []
        var start: UInt32 = 0
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if range.lowerBound > start { result.append(start...(range.lowerBound - 1)) }
            start = max(start, range.upperBound + 1)
        }
        return result + [start...0x10FFFF]
    }
}

// MARK: - Reading

extension TextPattern {
    /// Reads a pattern.
    fileprivate struct Parser {
        let scalars: [Unicode.Scalar]
        var index = 0

        var isAtEnd: Bool { index == scalars.count }
        private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

        private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
            guard next == scalar else { return false }
            index += 1
            return true
        }

        mutating func alternatives(depth: Int) throws(PatternError) -> Node {
            guard depth < TextPattern.maximumDepth else {
                throw PatternError(message: "its groups are nested too deep")
            }
            var parts = [try sequence(depth)]
            while take("|") { parts.append(try sequence(depth)) }
            return parts.count == 1 ? parts[0] : .either(parts)
        }

        private mutating func sequence(_ depth: Int) throws(PatternError) -> Node {
            var parts: [Node] = []
            while let scalar = next, scalar != "|", scalar != ")" {
                parts.append(try repeated(try atom(depth)))
            }
            return .sequence(parts)
        }

        private mutating func atom(_ depth: Int) throws(PatternError) -> Node {
            guard let scalar = next else { return .empty }
            index += 1
            switch scalar {
            case "^": return .start
            case "$": return .end
            case ".": return .character(.any)
            case "(": return try group(depth)
            case "[": return .character(try characterClass())
            case "\\": return .character(try escape())
            case "*", "+", "?": throw PatternError(message: "there is nothing to repeat")
            default: return .character(CharacterTest(ranges: [scalar.value...scalar.value]))
            }
        }

        private mutating func group(_ depth: Int) throws(PatternError) -> Node {
            if take("?") {
                guard take(":") else {
                    throw PatternError(message: "only (?:…) and (…) are groups here")
                }
            }
            let inner = try alternatives(depth: depth + 1)
            guard take(")") else { throw PatternError(message: "a parenthesis is not closed") }
            return inner
        }

        private mutating func repeated(_ node: Node) throws(PatternError) -> Node {
            let result: Node
            switch next {
            case "*": result = .repeated(node, atLeast: 0, atMost: nil)
            case "+": result = .repeated(node, atLeast: 1, atMost: nil)
            case "?": result = .repeated(node, atLeast: 0, atMost: 1)
            case "{":
                guard let (least, most) = try counts() else { return node }
                result = .repeated(node, atLeast: least, atMost: most)
                index -= 1
            default: return node
            }
            index += 1
            // Whether as few as possible are taken makes no difference to whether there is a match.
            _ = take("?")
            return result
        }

        /// Reads `{2}`, `{2,}` or `{2,5}`.
        private mutating func counts() throws(PatternError) -> (Int, Int?)? {
            index += 1
            guard let least = number() else { throw PatternError(message: "a count is no number") }
            var most: Int? = least
            if take(",") { most = number() }
            guard take("}"), most.map({ $0 >= least }) ?? true,
                max(least, most ?? 0) <= TextPattern.maximumSteps
            else { throw PatternError(message: "a count is not understood") }
            return (least, most)
        }

        private mutating func number() -> Int? {
            var text = ""
            while let scalar = next, ("0"..."9").contains(scalar) {
                text.unicodeScalars.append(scalar)
                index += 1
            }
            return Int(text)
        }

        /// Reads what follows a backslash.
        private mutating func escape() throws(PatternError) -> CharacterTest {
            guard let scalar = next else { throw PatternError(message: "it ends with a backslash") }
            index += 1
            switch scalar {
            case "d": return CharacterTest(ranges: CharacterTest.digits)
            case "D": return CharacterTest(ranges: CharacterTest.digits, isNegated: true)
            case "w": return CharacterTest(ranges: CharacterTest.word)
            case "W": return CharacterTest(ranges: CharacterTest.word, isNegated: true)
            case "s": return CharacterTest(ranges: CharacterTest.space)
            case "S": return CharacterTest(ranges: CharacterTest.space, isNegated: true)
            case "n": return Self.one(0x0A)
            case "r": return Self.one(0x0D)
            case "t": return Self.one(0x09)
            case "f": return Self.one(0x0C)
            case "v": return Self.one(0x0B)
            case "0": return Self.one(0)
            case "x": return Self.one(try code(digits: 2))
            case "u": return Self.one(try code(digits: 4))
            case "1"..."9", "b", "B", "c", "k", "p", "P":
                throw PatternError(message: "\\\(scalar) is not offered")
            default: return Self.one(scalar.value)
            }
        }

        private static func one(_ value: UInt32) -> CharacterTest {
            CharacterTest(ranges: [value...value])
        }

        private mutating func code(digits: Int) throws(PatternError) -> UInt32 {
            var text = ""
            for _ in 0..<digits {
                guard let scalar = next, scalar.properties.isASCIIHexDigit else {
                    throw PatternError(message: "an escape has too few digits")
                }
                text.unicodeScalars.append(scalar)
                index += 1
            }
            return UInt32(text, radix: 16) ?? 0
        }

        private mutating func characterClass() throws(PatternError) -> CharacterTest {
            var test = CharacterTest()
            test.isNegated = take("^")
            while !take("]") {
                guard !isAtEnd else { throw PatternError(message: "a bracket is not closed") }
                let first = try classMember()
                guard first.isSingle, next == "-", index + 1 < scalars.count,
                    scalars[index + 1] != "]"
                else {
                    test.ranges += first.ranges
                    continue
                }
                index += 1
                let last = try classMember()
                guard last.isSingle, first.ranges[0].lowerBound <= last.ranges[0].lowerBound else {
                    throw PatternError(message: "a range of characters is empty")
                }
                test.ranges.append(first.ranges[0].lowerBound...last.ranges[0].lowerBound)
            }
            return test
        }

        /// Reads one character or escape of a class; negated escapes as the ranges that are left.
        private mutating func classMember() throws(PatternError) -> CharacterTest {
            guard let scalar = next else { throw PatternError(message: "a bracket is not closed") }
            index += 1
            guard scalar == "\\" else { return Self.one(scalar.value) }
            if take("b") { return Self.one(0x08) }
            var test = try escape()
            if test.isNegated {
                test = CharacterTest(ranges: CharacterTest.complement(of: test.ranges))
            }
            return test
        }
    }
}

extension CharacterTest {
    /// Whether it takes one character only.
    fileprivate var isSingle: Bool { ranges.count == 1 && ranges[0].count == 1 && !isNegated }
}
