import Foundation
import Testing

/// The article that says where each clause of the standard is tested.
@Suite struct ConformanceArticleTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static func article() throws -> String {
        let path = "Sources/OfflineOData/OfflineOData.docc/Conformance.md"
        return try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The cells of each row of the tables, without the headings.
    private static func rows() throws -> [[String]] {
        try article().split(separator: "\n").filter { $0.hasPrefix("| ") }
            .map { row in
                row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            }
            .filter { $0.first != "Clause" && $0.first?.hasPrefix("---") == false }
    }

    @Test func namesATestOrSaysNotSupported() throws {
        let rows = try Self.rows()
        #expect(rows.count > 60)
        for row in rows {
            #expect(row.count == 3, "\(row)")
            let proof = row.last ?? ""
            #expect(proof.contains("Tests/") || proof.hasPrefix("Not supported"), "\(row)")
        }
    }

    @Test func namesTestsThatExist() throws {
        for name in try Self.rows().flatMap({ Self.names(in: $0.last ?? "") }) {
            let parts = name.split(separator: "/").map(String.init)
            try #require(parts.count == 2, "\(name)")
            let source = try #require(Self.source(of: parts[0]), "no file \(parts[0]).swift")
            #expect(source.contains("func \(parts[1])("), "\(name)")
        }
    }

    /// The texts between grave accents.
    private static func names(in cell: String) -> [String] {
        cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }

    /// The source of a suite: the file of its name below a folder of tests.
    private static func source(of suite: String) -> String? {
        for module in [
            "ODataServiceTests", "ODataHTTPServerTests", "CommandLineTests",
            "ODataModelConversionTests", "OfflineODataTests",
        ] {
            let folder = root.appending(path: "Tests/\(module)")
            let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
            for case let file as URL in files ?? .init()
            where file.lastPathComponent == suite + ".swift" {
                return try? String(contentsOf: file, encoding: .utf8)
            }
        }
        return nil
    }
}
