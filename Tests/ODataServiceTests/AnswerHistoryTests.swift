import Testing

@testable import ODataAnswers

@Suite struct AnswerHistoryTests {
    private func state(_ names: [String], digit: Int = 1) throws -> AnswerState {
        let json = names.map { #"{"Name":"\#($0)","Digit":\#(digit)}"# }.joined(separator: ",")
        return try AnswerState(
            rows: (0..<Int64(names.count)).map { $0 },
            json: Array(json.utf8)
        ) { "Things('\(names[Int($0)])')" }
    }

    @Test func forgetsTheStateNotAskedForLongest() throws {
        let history = AnswerHistory(limit: 9)
        let first = try #require(history.remember(state(["a", "b"]), of: "Things"))
        let second = try #require(history.remember(state(["a", "b"]), of: "Things"))
        #expect(history.state(first, of: "Things") != nil)
        let third = try #require(history.remember(state(["a", "b"]), of: "Things"))
        let fourth = try #require(history.remember(state(["a", "b"]), of: "Things"))
        #expect(history.state(second, of: "Things") == nil)
        for number in [first, third, fourth] {
            #expect(history.state(number, of: "Things") != nil)
        }
    }

    @Test func knowsStatesByTheirRequestOnly() throws {
        let history = AnswerHistory()
        let number = try #require(history.remember(state(["a"]), of: "Things"))
        #expect(history.state(number, of: "Things?$filter=true") == nil)
    }

    @Test func refusesAStateThatIsTooLarge() throws {
        #expect(try AnswerHistory(limit: 2).remember(state(["a", "b"]), of: "Things") == nil)
    }

    @Test func tellsWhatIsNewChangedAndGone() throws {
        let difference = try state(["a", "x"], digit: 2).difference(from: state(["a", "b", "c"]))
        #expect(difference.changed == [0, 1])
        #expect(difference.removed.map(\.url) == ["Things('b')", "Things('c')"])
        #expect(try state(["a"]).difference(from: state(["a"])).isEmpty)
    }
}
