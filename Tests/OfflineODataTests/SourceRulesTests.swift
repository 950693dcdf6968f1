import FoundationEssentials
import Testing

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
            "CSQLite": "/Sources/ODataTables/SQLite/", "CLibXML2": "/Sources/ODataModel/",
            "CCurl": "/Sources/OfflineOData/Transport/", "CMicroHTTPD": "/Sources/ODataHTTPServer/",
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

    private func sources() throws -> [String] {
        let root =
            "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/Sources"
        let names = try FileManager.default.subpathsOfDirectory(atPath: root)
        return names.filter { $0.hasSuffix(".swift") }.map { root + "/" + $0 }
    }
}
