import ODataModel
import ODataModelComparison
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A document read from a file, piece by piece, is what it is when read from memory.
@Suite struct FileReadingTests {
    fileprivate static let schema =
        Documents.entity("T", #"<Property Name="Näme" Type="Edm.String" MaxLength="5"/>"#)
        + #"<EntityContainer Name="C"><EntitySet Name="S" EntityType="NS.T"/></EntityContainer>"#

    private func inFile<Result>(_ bytes: [UInt8], _ body: (String) throws -> Result) throws
        -> Result
    {
        let url = FileManager.default.temporaryDirectory.appending(
            path: "document-\(UInt64.random(in: 0 ... .max))"
        )
        try Data(bytes).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        return try body(url.path)
    }

    private func describe(_ read: () throws -> CSDLDocument) -> String {
        do {
            let document = try read()
            return MetadataSummary(document).json()
                + document.model.structuredTypes.map { "\($0)" }.joined(separator: "\n")
        } catch {
            return "\(error)"
        }
    }

    /// XML at once, after white space, with marks of byte order, in UTF-16, cut short, JSON, something else, nothing.
    private static let document = Documents.v4(schema)

    private static let documents: [NamedBytes] = [
        NamedBytes("XML", document), NamedBytes("white space before it", "\n \n" + document),
        NamedBytes("byte order mark", [0xEF, 0xBB, 0xBF] + Array(document.utf8)),
        NamedBytes(
            "UTF-16",
            [0xFF, 0xFE] + document.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        ),
        NamedBytes("cut off", Array(document.utf8.dropLast(40))),
        NamedBytes("malformed", Documents.v4(schema + #"<Property Name="X""#)),
        NamedBytes("JSON", #"{"$Version":"4.01","NS":{"T":{"$Kind":"ComplexType","N":{}}}}"#),
        NamedBytes("neither XML nor JSON", "neither"), NamedBytes("empty", ""),
        NamedBytes(
            "longer than any piece",
            Documents.v4((0..<3_000).map { Documents.entity("T\($0)") }.joined())
        ),
    ]

    @Test(arguments: documents) func readsAFileAsItReadsBytes(_ document: NamedBytes) throws {
        let bytes = document.bytes
        let fromFile = try inFile(bytes) { path in
            describe { try CSDLDocument(readingFileAt: path) }
        }

        #expect(fromFile == describe { try CSDLDocument(reading: bytes) })
    }

    @Test(arguments: ["/nowhere/metadata.xml", "/"]) func namesAFileThatCannotBeRead(_ path: String)
    {
        let error = #expect(throws: CSDLError.self) { try CSDLDocument(readingFileAt: path) }

        #expect(error?.code == .unreadable)
        #expect(error?.message.contains(path) ?? false)
    }

    /// A number that is closed twice may be another file's by then: a store beside it would lose its own.
    @Test func closesNoFileOfOthers() async {
        await #expect(processExitsWith: .success) {
            let path = FileManager.default.temporaryDirectory.path + "/closed-once.xml"
            try Data(Documents.v4(FileReadingTests.schema).utf8).write(
                to: URL(filePath: path)
            )
            let watch = FileWatch()
            watch.begin()
            for _ in 0..<TestScale.size(400, soak: 2_000) {
                _ = try CSDLDocument(readingFileAt: path)
            }
            #expect(watch.end() == 0)
        }
    }

    @Test func refusesAFileThatIsTooLarge() throws {
        var limits = CSDLLimits()
        limits.maximumByteCount = 100
        let error = try inFile(Array(Self.document.utf8)) { path in
            #expect(throws: CSDLError.self) {
                try CSDLDocument(readingFileAt: path, limits: limits)
            }
        }

        #expect(error?.code == .limit)
    }
}
