import Testing

@testable import CommandSupport
@testable import MetadataCommands
@testable import offline_odata

@Suite struct TextTableTests {
    private static func table() -> TextTable {
        var table = TextTable([("name", .left), ("amount", .right), ("remark", .left)])
        table.add(["bolt", "7", "a long remark that does not fit"])
        table.add(["nut", "1,200", ""])
        return table
    }

    @Test func isWholeWithoutAWidth() {
        #expect(
            Self.table().lines(style: .plain) == [
                "name  amount  remark",
                "bolt       7  a long remark that does not fit",
                "nut    1,200",
            ]
        )
    }

    @Test func cutsTheWidestColumnForATerminal() {
        let lines = Self.table().lines(style: TableStyle(width: 30))
        #expect(
            lines == ["name  amount  remark", "bolt       7  a long remark t…", "nut    1,200"]
        )
    }

    @Test func setsTitlesInBoldWhereColoursAreAllowed() {
        let lines = Self.table().lines(style: TableStyle(width: nil, isColoured: true))
        #expect(lines[0] == "\u{1B}[1mname  amount  remark\u{1B}[0m")
    }

    @Test func leavesColumnsAReadableWidth() {
        let lines = Self.table().lines(style: TableStyle(width: 5))
        #expect(lines[1] == "bolt       7  a lon…")
    }

    @Test func showsControlCharactersAsPictures() {
        var table = TextTable([("text", .left)])
        table.add(["two\nlines\u{1B}[31m"])
        #expect(table.lines(style: .plain) == ["text", "two␊lines␛[31m"])
    }

    @Test func alignsWideCharacters() {
        var table = TextTable([("name", .left), ("n", .right)])
        table.add(["日本", "1"])
        table.add(["Zoë", "2"])
        #expect(table.lines(style: .plain) == ["name  n", "日本  1", "Zoë   2"])
        #expect(DisplayText.shortened("日本語日本語", to: 6) == "日本…")
    }
}
