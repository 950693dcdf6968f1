import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The command line reaches stores as an application does: through what is public in `OfflineOData`.
@Suite struct PublicInterfaceTests {
    /// The modules below the product, which know the file of a store.
    private static let below = [
        "OfflineProvider", "OfflineSync", "ODataClient", "OfflineValues", "StoreExchange",
        "StoreDownload",
        "OfflineStore", "StoreUpload", "StoreRecords", "ODataAnswers", "ODataTables", "ODataSQL",
        "ODataSQLite", "CSQLite",
    ]

    /// The only files of the tool that may import `ODataService` by its name: they run or report a service that has no store.
    private static let services = ["ServeCommand.swift", "CommandFailure+Mapping.swift"]

    @Test func importsNothingBelowTheProduct() throws {
        let sources = try Self.sources()
        #expect(sources.count > 50)
        for (file, text) in sources {
            let imported = Self.imports(of: text)
            #expect(Set(imported).isDisjoint(with: Self.below), "\(file)")
            if imported.contains("ODataService") {
                #expect(Self.services.contains(file), "\(file)")
            }
            #expect(!text.contains("@testable") && !text.contains("@_spi"), "\(file)")
        }
    }

    @Test func seesWhatIsPublicAlone() throws {
        let manifest = try String(contentsOfFile: Self.root + "/Package.swift", encoding: .utf8)
        let start = try #require(
            manifest.firstRange(
                of: ".target(\n            name: \"offline-odata\",\n            dependencies"
            )
        )
        let rest = manifest[start.lowerBound...]
        let target = try rest[..<#require(rest.firstRange(of: "\n        )")).lowerBound]
        #expect(target.contains("packageAccess: false"))
        for module in Self.below { #expect(!target.contains("\"\(module)\"")) }
    }

    @Test(arguments: ["ODataAnswers", "OfflineStore", "OfflineOData", "OfflineResources"])
    func linksNoServiceOfItsOwn(module: String) throws {
        let manifest = try String(contentsOfFile: Self.root + "/Package.swift", encoding: .utf8)
        // The layers that declarations name stand before the package.
        let package = try #require(manifest.firstRange(of: "let package = Package("))
        let layers = manifest[..<package.lowerBound]
        let modules = manifest.split(separator: "module(").dropFirst()
        let declaration = try #require(
            modules.first { $0.drop { $0.isWhitespace }.hasPrefix("\"\(module)\"") }
        )

        #expect(layers.contains("let language") && layers.contains("\"ODataModel\""))
        #expect(declaration.contains("\(Self.layer(below: module)) "))
        for apart in ["ODataService", "ODataHTTPServer", "ODataGrammar"] {
            #expect(!declaration.contains("\"\(apart)\""))
            #expect(!layers.contains("\"\(apart)\""))
        }
    }

    /// The layer that a module stands on.
    private static func layer(below module: String) -> String {
        switch module {
        case "ODataAnswers": "tables"
        case "OfflineStore": "answers"
        case "OfflineOData": "store"
        default: "product"
        }
    }

    @Test func findsEveryKindOfImport() {
        let text = """
            import OfflineOData
            package import OfflineStore
            @_exported public import ODataTables
            import struct ODataAnswers.ServiceOptions
            // import CSQLite
            """
        #expect(
            Self.imports(of: text) == [
                "OfflineOData", "OfflineStore", "ODataTables", "ODataAnswers",
            ]
        )
    }

    // MARK: Sources

    private static let root =
        "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")

    private static func sources() throws -> [(file: String, text: String)] {
        let folder = root + "/Sources/offline-odata"
        return try FileManager.default.subpathsOfDirectory(atPath: folder)
            .filter { $0.hasSuffix(".swift") }
            .map { path in
                let text = try String(contentsOfFile: folder + "/" + path, encoding: .utf8)
                return (String(path.split(separator: "/").last ?? ""), text)
            }
    }

    /// Names of the modules that a source imports.
    private static func imports(of text: String) -> [String] {
        text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard let place = words.firstIndex(of: "import"), place < 3,
                words[..<place].allSatisfy({
                    $0.hasPrefix("@") || ["public", "package", "internal", "private"].contains($0)
                }), let name = words.last
            else { return nil }
            return String(name.prefix { $0 != "." })
        }
    }
}
