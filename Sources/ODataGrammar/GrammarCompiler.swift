import ODataText
import ODataURL

/// Turns rules in ABNF (RFC 5234, RFC 7405) into a ``Grammar``.
///
/// The rules are our own and not input: a fault in them ends the program in the tests.
struct GrammarCompiler {
    private var grammar = Grammar()
    private var definitions: [(number: Int, tokens: [String])] = []

    /// Adds the rules of a text: a line with `=` as second word begins one, other lines go on with it.
    mutating func add(_ text: String) {
        for line in Array(text.utf8).split(separator: UInt8(ascii: "\n")) {
            let words = Self.tokens(line)
            guard let first = words.first, first.utf8.first != Byte.semicolon else { continue }
            if words.count > 1, words[1] == "=" {
                definitions.append((define(first), Array(words.dropFirst(2))))
            } else if !definitions.isEmpty {
                definitions[definitions.count - 1].tokens += words
            }
        }
    }

    /// Compiles what was added.
    mutating func finished() -> Grammar {
        for (number, tokens) in definitions {
            var rest = tokens[...]
            let start = state()
            let end = alternatives(&rest, from: start)
            precondition(rest.isEmpty, "rule \(grammar.rules[number].name) goes on after its end")
            grammar.rules[number].start = start
            grammar.rules[number].end = end
        }
        name("odataIdentifier", isFunction: false)
        name("unreservedFunction", isFunction: true)
        computeFirsts()
        return grammar
    }

    /// Computes which bytes can follow at each state, until nothing changes.
    private mutating func computeFirsts() {
        grammar.firsts = Array(repeating: ByteSet(), count: grammar.edges.count)
        grammar.isNullable = Array(repeating: false, count: grammar.edges.count)
        for rule in grammar.rules { grammar.isNullable[rule.end] = true }
        var hasChanged = true
        while hasChanged {
            hasChanged = false
            // States are numbered from the front to the back of their rules: backwards converges sooner.
            for state in grammar.edges.indices.reversed() {
                for edge in grammar.edges[state] {
                    let (first, isNullable) = first(of: edge)
                    if grammar.firsts[state].formUnion(first) { hasChanged = true }
                    if isNullable, !grammar.isNullable[state] {
                        grammar.isNullable[state] = true
                        hasChanged = true
                    }
                }
            }
        }
    }

    private func first(of edge: Grammar.Edge) -> (ByteSet, isNullable: Bool) {
        switch edge {
        case .free(let to): return (grammar.firsts[to], grammar.isNullable[to])
        case .byte(let set, _): return (set, false)
        case .identifier: return (.identifierStart, false)
        case .text(let text, let anyCase, _):
            var set = ByteSet()
            if let first = text.first {
                set.insert(first...first)
                let isLetter = anyCase && ASCII.isLetter(first)
                if isLetter { set.insert((first & 0xDF)...(first & 0xDF)) }
            }
            return (set, false)
        case .call(let rule, let to):
            let start = grammar.rules[rule].start
            var set = grammar.firsts[start]
            guard grammar.isNullable[start] else { return (set, false) }
            _ = set.formUnion(grammar.firsts[to])
            return (set, grammar.isNullable[to])
        }
    }

    /// Compiles a rule that takes a name.
    private mutating func name(_ rule: String, isFunction: Bool) {
        let number = define(rule)
        let start = state()
        let end = state()
        grammar.edges[start].append(.identifier(isFunction: isFunction, to: end))
        grammar.rules[number].start = start
        grammar.rules[number].end = end
    }

    private mutating func define(_ name: String) -> Int {
        let key = name.lowercased()
        if let number = grammar.numbers[key] { return number }
        grammar.rules.append(Grammar.Rule(name: name))
        grammar.numbers[key] = grammar.rules.count - 1
        return grammar.rules.count - 1
    }

    private mutating func state() -> Int {
        grammar.edges.append([])
        return grammar.edges.count - 1
    }

    // MARK: Tokens

    /// Cuts a line into words, quoted texts, and brackets; a repetition count stands alone.
    private static func tokens(_ line: ArraySlice<UInt8>) -> [String] {
        var tokens: [String] = []
        var rest = line
        while let first = rest.first {
            let length =
                switch first {
                case Byte.space: 0
                case _ where brackets.contains(first): 1
                case Byte.star, 0x30...0x39:
                    rest.prefix { $0 == Byte.star || ASCII.isDigit($0) }.count
                default: textLength(rest) ?? rest.prefix { !stops.contains($0) }.count
                }
            if length > 0 { tokens.append(String(decoding: rest.prefix(length), as: UTF8.self)) }
            rest = rest.dropFirst(max(length, 1))
        }
        return tokens
    }

    private static let brackets = Array("()[]/".utf8)
    private static let stops = Array(" ()[]/\"".utf8)

    /// Returns the length of the quoted text at the beginning, `%s` before it included.
    private static func textLength(_ rest: ArraySlice<UInt8>) -> Int? {
        let isExact = rest.starts(with: "%s\"".utf8)
        guard isExact || rest.first == Byte.doubleQuote else { return nil }
        let inner = rest.dropFirst(isExact ? 3 : 1)
        return inner.firstIndex(of: Byte.doubleQuote).map { $0 - rest.startIndex + 1 }
    }

    // MARK: Expressions

    /// Compiles alternatives up to a closing bracket; returns the state in which they all end.
    private mutating func alternatives(_ rest: inout ArraySlice<String>, from start: Int) -> Int {
        let end = state()
        repeat {
            if rest.first == "/" { rest = rest.dropFirst() }
            var current = state()
            grammar.edges[start].append(.free(to: current))
            while let next = rest.first, next != "/", next != ")", next != "]" {
                current = repetition(&rest, from: current)
            }
            grammar.edges[current].append(.free(to: end))
        } while rest.first == "/"
        return end
    }

    private mutating func repetition(_ rest: inout ArraySlice<String>, from start: Int) -> Int {
        guard let count = rest.first, let bounds = Self.bounds(count) else {
            return element(&rest, from: start)
        }
        rest = rest.dropFirst()
        let pattern = rest
        var current = start
        for _ in 0..<bounds.least {
            rest = pattern
            current = element(&rest, from: current)
        }
        guard let most = bounds.most else {
            // Any number more: a loop through a state of its own.
            let loop = state()
            grammar.edges[current].append(.free(to: loop))
            rest = pattern
            let back = element(&rest, from: loop)
            grammar.edges[back].append(.free(to: loop))
            return loop
        }
        let end = state()
        for _ in bounds.least..<most {
            grammar.edges[current].append(.free(to: end))
            rest = pattern
            current = element(&rest, from: current)
        }
        grammar.edges[current].append(.free(to: end))
        return end
    }

    private static func bounds(_ token: String) -> (least: Int, most: Int?)? {
        guard let first = token.utf8.first, first == Byte.star || ASCII.isDigit(first) else {
            return nil
        }
        let parts = token.split(separator: "*", omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            let exact = Int(token) ?? 0
            return (exact, exact)
        }
        return (Int(parts[0]) ?? 0, Int(parts[1]))
    }

    private mutating func element(_ rest: inout ArraySlice<String>, from start: Int) -> Int {
        let token = rest.first ?? ""
        rest = rest.dropFirst()
        switch token {
        case "(", "[":
            let inner = state()
            grammar.edges[start].append(.free(to: inner))
            let end = alternatives(&rest, from: inner)
            rest = rest.dropFirst()
            if token == "[" { grammar.edges[inner].append(.free(to: end)) }
            return end
        default: return terminal(token, from: start)
        }
    }

    private mutating func terminal(_ token: String, from start: Int) -> Int {
        let end = state()
        if token.hasPrefix("%x") {
            grammar.edges[start].append(.byte(Self.range(token.dropFirst(2)), to: end))
        } else if token.hasSuffix("\"") {
            let exact = token.hasPrefix("%s")
            let text = token.dropFirst(exact ? 3 : 1).dropLast().utf8
            let bytes = text.map { exact ? $0 : ASCII.lowercased($0) }
            grammar.edges[start].append(.text(bytes, anyCase: !exact, to: end))
        } else {
            grammar.edges[start].append(.call(define(token), to: end))
        }
        return end
    }

    private static func range(_ text: Substring) -> ByteSet {
        let ends = text.split(separator: "-").map { UInt8($0, radix: 16) ?? 0 }
        var set = ByteSet()
        if let first = ends.first, let last = ends.last { set.insert(first...last) }
        return set
    }
}
