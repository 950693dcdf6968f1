import ODataText
import ODataURL

/// Decides whether a text is of a rule, with all its alternatives at once and without recursion.
///
/// A *frame* is a rule begun at a place. It keeps the places where the rule can end there and the states that wait for it, so
/// that a rule is tried once at each place however many ways lead to it. Time is at worst cubic in the length, near linear for the
/// texts of people; the number of steps is limited.
struct GrammarRecognizer {
    private let grammar: Grammar
    private let bytes: [UInt8]
    private var frames: [Frame] = []
    private var frameNumbers: [UInt64: Int] = [:]
    private var seen: Set<Item> = []
    private var work: [Item] = []
    /// Steps that are left.
    private(set) var budget: Int
    /// The furthest place at which something was expected in vain.
    private(set) var furthest = 0
    /// The states that expected something there, with their rules.
    private var disappointed: [(state: Int, rule: Int)] = []
    /// Whether the whole could have ended there.
    private var couldEnd = false

    /// A state reached inside a frame.
    private struct Item: Hashable {
        let state: Int32
        let frame: Int32
        let place: Int32
    }

    private struct Frame {
        let rule: Int
        var ends: [Int32] = []
        var waiting: [(state: Int32, frame: Int32)] = []
    }

    /// Prepares for a text.
    init(_ grammar: Grammar, bytes: [UInt8], steps: Int) {
        self.grammar = grammar
        self.bytes = bytes
        budget = steps
    }

    /// The result.
    enum Verdict {
        case accepted, refused, tooComplex
    }

    /// Decides whether the whole text is of a rule.
    mutating func run(_ rule: Int) -> Verdict {
        let root = frame(rule, at: 0)
        while let item = work.popLast() {
            budget -= 1
            guard budget > 0 else { return .tooComplex }
            step(item)
        }
        if frames[root].ends.contains(Int32(bytes.count)) { return .accepted }
        noteEnd(Int(frames[root].ends.max() ?? 0))
        return .refused
    }

    private mutating func frame(_ rule: Int, at place: Int32) -> Int {
        let key = UInt64(rule) << 32 | UInt64(UInt32(bitPattern: place))
        if let known = frameNumbers[key] { return known }
        frames.append(Frame(rule: rule))
        let number = frames.count - 1
        frameNumbers[key] = number
        push(Int32(grammar.rules[rule].start), frame: Int32(number), at: place)
        return number
    }

    /// Adds a state to the work, unless the next byte rules it out.
    private mutating func push(_ state: Int32, frame: Int32, at place: Int32) {
        let index = Int(place)
        let isHopeful =
            grammar.isNullable[Int(state)]
            || index < bytes.count && grammar.firsts[Int(state)].contains(bytes[index])
        guard isHopeful else { return miss(at: index, Int(state), in: frame) }
        let item = Item(state: state, frame: frame, place: place)
        if seen.insert(item).inserted { work.append(item) }
    }

    private mutating func step(_ item: Item) {
        let frame = Int(item.frame)
        if Int(item.state) == grammar.rules[frames[frame].rule].end {
            finish(frame, at: item.place)
        }
        for edge in grammar.edges[Int(item.state)] { follow(edge, item: item) }
    }

    private mutating func finish(_ frame: Int, at place: Int32) {
        frames[frame].ends.append(place)
        for caller in frames[frame].waiting { push(caller.state, frame: caller.frame, at: place) }
    }

    private mutating func follow(_ edge: Grammar.Edge, item: Item) {
        let place = Int(item.place)
        switch edge {
        case .free(let next): push(Int32(next), frame: item.frame, at: item.place)
        case .byte(let set, let next):
            guard place < bytes.count, set.contains(bytes[place]) else {
                return miss(at: place, Int(item.state), in: item.frame)
            }
            push(Int32(next), frame: item.frame, at: item.place + 1)
        case .text(let text, let anyCase, let next):
            guard matches(text, anyCase: anyCase, at: place) else {
                return miss(at: place, Int(item.state), in: item.frame)
            }
            push(Int32(next), frame: item.frame, at: item.place + Int32(text.count))
        case .identifier(let isFunction, let next):
            guard let end = IdentifierText.end(in: bytes, from: place),
                !isFunction || !IdentifierText.isReserved(bytes[place..<end])
            else {
                return miss(at: place, Int(item.state), in: item.frame)
            }
            push(Int32(next), frame: item.frame, at: Int32(end))
        case .call(let rule, let next):
            let start = grammar.rules[rule].start
            guard
                grammar.isNullable[start]
                    || place < bytes.count && grammar.firsts[start].contains(bytes[place])
            else { return miss(at: place, Int(item.state), in: item.frame) }
            let called = self.frame(rule, at: item.place)
            frames[called].waiting.append((Int32(next), item.frame))
            for end in frames[called].ends { push(Int32(next), frame: item.frame, at: end) }
        }
    }

    private func matches(_ text: [UInt8], anyCase: Bool, at place: Int) -> Bool {
        guard place + text.count <= bytes.count else { return false }
        for (index, wanted) in text.enumerated() {
            let byte = bytes[place + index]
            guard byte == wanted || anyCase && ASCII.lowercased(byte) == wanted else {
                return false
            }
        }
        return true
    }

    // MARK: Faults

    /// How many expectations are named: more would not help anyone.
    private static let namedExpectations = 8

    /// Remembers that the rule could have ended at a place.
    private mutating func noteEnd(_ place: Int) {
        guard place > 0, place >= furthest else { return }
        if place > furthest {
            furthest = place
            disappointed = []
        }
        couldEnd = true
    }

    /// Remembers which state expected something at the furthest place.
    private mutating func miss(at place: Int, _ state: Int, in frame: Int32) {
        guard place >= furthest else { return }
        if place > furthest {
            furthest = place
            disappointed = []
        }
        guard disappointed.count < 4 * Self.namedExpectations else { return }
        disappointed.append((state, frames[Int(frame)].rule))
    }

    /// What could have stood at the furthest place.
    var expected: [String] {
        var names: [String] = []
        var visited: Set<Int> = []
        for (state, rule) in disappointed {
            name(state, rule: rule, into: &names, visited: &visited)
        }
        if couldEnd { names.append("the end") }
        return Array(names.prefix(Self.namedExpectations))
    }

    private func name(
        _ state: Int,
        rule: Int,
        into names: inout [String],
        visited: inout Set<Int>
    ) {
        guard visited.insert(state).inserted else { return }
        for edge in grammar.edges[state] {
            guard names.count < Self.namedExpectations else { return }
            let found: String
            switch edge {
            case .free(let next):
                name(next, rule: rule, into: &names, visited: &visited)
                continue
            case .text(let text, _, _): found = "'" + String(decoding: text, as: UTF8.self) + "'"
            case .identifier: found = "a name"
            case .call(let called, _): found = Self.plainName(grammar.rules[called].name)
            case .byte: found = Self.plainName(grammar.rules[rule].name)
            }
            if !names.contains(found) { names.append(found) }
        }
    }

    /// Returns how people call what a rule stands for; the rule's name where it says it.
    private static func plainName(_ rule: String) -> String {
        switch rule {
        case "RWS", "BWS", "SP", "OWS": "a space"
        case "OPEN": "'('"
        case "CLOSE": "')'"
        case "COMMA": "','"
        case "COLON": "':'"
        case "SEMI": "';'"
        case "EQ": "'='"
        case "AT": "'@'"
        case "STAR": "'*'"
        case "SQUOTE": "a quote"
        case "DIGIT": "a digit"
        case "HEXDIG", "A-to-F": "a hexadecimal digit"
        case "ALPHA": "a letter"
        case "commonExpr", "boolCommonExpr", "operand", "singleOperand": "an expression"
        default: rule
        }
    }
}
