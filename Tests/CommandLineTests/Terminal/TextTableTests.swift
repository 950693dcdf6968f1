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

    @Test func showsControlCharactersAsPicturesAndKeepsLines() {
        #expect(
            DisplayText.printableLines("a\u{1B}[31mb\nc\u{7}\u{202E}d\n")
                == "a␛[31mb\nc␇\u{FFFD}d\n"
        )
    }

    @Test func leavesColumnsAReadableWidth() {
        let lines = Self.table().lines(style: TableStyle(width: 20))
        #expect(lines[1] == "bolt       7  a lon…")
    }

    /// A table of 15 columns, wider than a terminal even where each is as narrow as may be.
    private static func wideTable() -> TextTable {
        var table = TextTable(
            [("ID", .right)] + (1...14).map { ("Property\($0)", TextTable.Alignment.left) }
        )
        table.add(["1"] + (1...14).map { "value \($0), which is rather long" })
        return table
    }

    @Test(arguments: [20, 40, 60, 80, 100])
    func setsColumnsWithoutRoomBelow(width: Int) {
        let lines = Self.wideTable().lines(style: TableStyle(width: width))
        #expect(lines.allSatisfy { DisplayText.width($0) <= width })
        let blocks = lines.split(separator: "")
        #expect(blocks.count > 1)
        // Each begins with the first column, and each other column stands in one of them.
        #expect(blocks.allSatisfy { $0.first?.hasPrefix("ID  ") == true })
        #expect(blocks.allSatisfy { $0.count == 2 })
        let titles = blocks.flatMap { $0.first?.split(separator: " ").dropFirst() ?? [] }
        #expect(titles.count == 14)
    }

    @Test func setsColumnsSideBySideWhereThereIsRoom() {
        let table = Self.wideTable()
        #expect(table.lines(style: TableStyle(width: 114)).count == 2)
        #expect(table.lines(style: .plain).count == 2)
        #expect(table.lines(style: .plain)[1].hasSuffix("value 14, which is rather long"))
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
