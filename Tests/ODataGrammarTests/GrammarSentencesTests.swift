import ODataURL
import TestSupport
import Testing

@testable import ODataGrammar

/// Texts made from the grammar by chance: the recogniser accepts them, and the parser of requests reads them.
@Suite struct GrammarSentencesTests {
    /// Walks through the grammar from a rule, shorter the deeper it is.
    struct Speaker {
        let grammar = Grammar.odata
        static let distances = distances(Grammar.odata)
        var generator: SeededGenerator
        var bytes: [UInt8] = []

        init(seed: UInt64) {
            generator = SeededGenerator(seed: seed)
        }

        /// The least number of bytes and calls from each state to the end of its rule.
        static func distances(_ grammar: Grammar) -> [Int] {
            let far = 1_000_000
            var distances = Array(repeating: far, count: grammar.edges.count)
            for rule in grammar.rules { distances[rule.end] = 0 }
            var hasChanged = true
            while hasChanged {
                hasChanged = false
                for state in distances.indices {
                    for edge in grammar.edges[state] {
                        let cost = cost(edge, grammar, distances)
                        if cost < distances[state] {
                            distances[state] = cost
                            hasChanged = true
                        }
                    }
                }
            }
            return distances
        }

        static func cost(_ edge: Grammar.Edge, _ grammar: Grammar, _ distances: [Int]) -> Int {
            switch edge {
            case .free(let to): distances[to]
            case .byte(_, let to), .identifier(_, let to): distances[to] + 1
            case .text(let text, _, let to): distances[to] + text.count
            case .call(let rule, let to): distances[to] + distances[grammar.rules[rule].start] + 1
            }
        }

        mutating func speak(_ rule: Int, depth: Int = 0) {
            var state = grammar.rules[rule].start
            while state != grammar.rules[rule].end {
                let edges = grammar.edges[state]
                let isShort = depth > 25 || bytes.count > 120
                let edge =
                    isShort
                    ? edges.min {
                        Self.cost($0, grammar, Self.distances)
                            < Self.cost($1, grammar, Self.distances)
                    } : edges.randomElement(using: &generator)
                switch edge {
                case .free(let to)?: state = to
                case .byte(let set, let to)?:
                    let all = (UInt8.min...UInt8.max).filter { set.contains($0) && $0 < 0x80 }
                    bytes.append(all.randomElement(using: &generator) ?? 0)
                    state = to
                case .text(let text, _, let to)?:
                    bytes += text
                    state = to
                case .identifier(_, let to)?:
                    let names = ["Name", "Items", "ID", "NS", "Product", "City"]
                    bytes += Array((names.randomElement(using: &generator) ?? "x").utf8)
                    state = to
                case .call(let called, let to)?:
                    speak(called, depth: depth + 1)
                    state = to
                case nil: return
                }
            }
        }
    }

    static func sentence(_ rule: String, seed: Int) throws -> String {
        var speaker = Speaker(seed: UInt64(seed))
        speaker.speak(try #require(Grammar.odata.number(of: rule)))
        return String(decoding: speaker.bytes, as: UTF8.self)
    }

    @Test(arguments: [
        "odataRelativeUri", "filter", "expand", "select", "apply", "search", "compute", "orderby",
    ])
    func recogniserAcceptsWhatTheGrammarMakes(_ rule: String) throws {
        for seed in 0..<20 {
            let text = try Self.sentence(rule, seed: seed)
            try URLSyntax.check(text, rule: rule)
        }
    }

    @Test(arguments: ["filter", "expand", "select", "apply", "search", "compute", "orderby"])
    func parserReadsWhatTheGrammarMakes(_ rule: String) throws {
        for seed in 0..<300 {
            let text = "Set?" + (try Self.sentence(rule, seed: seed))
            do throws(ODataURLError) {
                _ = try WrittenRequest(parsing: text)
            } catch {
                guard ParserRestriction.of(text, error) == nil else { continue }
                Issue.record("\(rule): \(error) in \(text)")
            }
        }
    }
}
