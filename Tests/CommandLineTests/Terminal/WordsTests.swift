import Testing

@testable import CommandSupport
@testable import MetadataCommands
@testable import offline_odata

@Suite struct WordsTests {
    @Test(arguments: [
        (0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567"), (-1_000, "-1,000"),
        (Int.min, "-9,223,372,036,854,775,808"),
    ])
    func groupsThousands(_ value: Int, _ text: String) {
        #expect(Words.number(value) == text)
    }

    @Test(arguments: [
        (0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (3_449_999, "3.4 MB"),
        (5_000_000_000, "5.0 GB"),
    ])
    func namesBytes(_ count: Int, _ text: String) {
        #expect(Words.bytes(count) == text)
    }

    @Test(arguments: [
        (Duration.zero, "0.0 s"), (.milliseconds(1_449), "1.4 s"), (.seconds(60), "1 min 0 s"),
        (.seconds(125), "2 min 5 s"),
    ])
    func namesTimes(_ time: Duration, _ text: String) {
        #expect(Words.time(time) == text)
    }

    @Test func shortensOnOneLine() {
        #expect(Words.shortened("a\nb", to: 3) == "a b")
        #expect(Words.shortened("abcd", to: 4) == "abcd")
        #expect(Words.shortened("abcde", to: 4) == "abc…")
    }

    @Test func alignsColumns() {
        var table = TextTable([("name", .left), ("n", .right), ("note", .left)])
        table.add(["a", "1", ""])
        table.add(["longer", "1,000", "x"])

        #expect(table.lines() == ["name        n  note", "a           1", "longer  1,000  x"])
    }
}
