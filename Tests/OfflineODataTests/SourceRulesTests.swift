import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Rules that hold for every source file of the product.
@Suite struct SourceRulesTests {
    /// No object per row on the way down, nothing that stops the program on data.
    @Test(arguments: [
        "JSONSerialization", "JSONDecoder", "[String: Any]", "try!", "as!", "fatalError(",
    ])
    func sourcesDoNotUse(_ word: String) throws {
        var offenders: [String] = []
        for path in try sources() {
            let text = try String(contentsOfFile: path, encoding: .utf8)
            if text.contains(word) { offenders.append(path) }
        }
        #expect(offenders.isEmpty)
    }

    @Test func onlyTheRoomsOfTheLibrariesImportThem() throws {
        let rooms = [
            "CSQLite": "/Sources/ODataSQLite/", "CLibXML2": "/Sources/ODataModel/",
            "CCurl": "/Sources/ODataClient/Transport/", "CMicroHTTPD": "/Sources/ODataHTTPServer/",
        ]
        var offenders: [String] = []
        for path in try sources() {
            let text = try String(contentsOfFile: path, encoding: .utf8)
            for (library, room) in rooms
            where text.contains("import \(library)\n") && !path.contains(room) {
                offenders.append(path)
            }
        }
        #expect(offenders.isEmpty)
    }

    /// What waits for the disk on the calling thread cannot be called from asynchronous code, but for what makes a provider.
    @Test func nothingBlocksACooperativeThreadByAccident() throws {
        var blocking: [String] = []
        let modules = [
            "OfflineOData", "OfflineProvider", "OfflineSync", "OfflineValues", "ODataClient",
        ]
        for path in try sources()
        where modules.contains(where: { path.contains("/Sources/\($0)/") }) {
            let text = try String(contentsOfFile: path, encoding: .utf8)
            for declaration in text.matches(of: /\n    public (?:static )?func (\w+)[^{}]*\{/) {
                let head = text[declaration.range]
                let body = text[declaration.range.upperBound...]
                guard !head.contains("async"), let end = body.firstRange(of: "\n    }\n"),
                    body[..<end.lowerBound].contains("Blocking")
                else { continue }
                let before = text[..<declaration.range.lowerBound].suffix(120)
                if !before.contains("@available(*, noasync") {
                    blocking.append(String(declaration.1))
                }
            }
        }
        #expect(blocking == ["add"])
    }

    private func sources() throws -> [String] {
        let root =
            "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/Sources"
        let names = try FileManager.default.subpathsOfDirectory(atPath: root)
        return names.filter { $0.hasSuffix(".swift") }.map { root + "/" + $0 }
    }
}
