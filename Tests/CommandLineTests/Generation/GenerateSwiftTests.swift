import FieldServiceMetadata
import Foundation
import TestSupport
import Testing

/// `generate swift`: the sources, word by word and as the compiler sees them.
@Suite struct GenerateSwiftTests {
    private static let document = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Acme.Shop" Alias="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EnumType Name="Size"><Member Name="Small"/><Member Name="default"/></EnumType>
        <ComplexType Name="Note"><Property Name="Text" Type="Edm.String"/>
          <Property Name="Answer" Type="S.Note"/></ComplexType>
        <EntityType Name="Task"><Key><PropertyRef Name="ID"/><PropertyRef Name="URLPart"/></Key>
          <Annotation Term="Org.OData.Core.V1.Description" String="Something to do."/>
          <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
          <Property Name="URLPart" Type="Edm.String" Nullable="false"/>
          <Property Name="class" Type="S.Size"/>
          <Property Name="Note" Type="S.Note"/>
          <NavigationProperty Name="Next" Type="S.Task"/>
          <NavigationProperty Name="Other" Type="S.Elsewhere"/></EntityType>
        <EntityType Name="Elsewhere"><Key><PropertyRef Name="Code"/></Key>
          <Property Name="Code" Type="Edm.Guid" Nullable="false"/>
          <Property Name="id" Type="Edm.String"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Requests" EntityType="S.Task"/>
          <EntitySet Name="Elsewheres" EntityType="S.Elsewhere"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private func generate(_ options: String...) async throws -> Scratch {
        let scratch = try Scratch()
        try scratch.write(Self.document, to: "shop.xml")
        let outcome = try await Tool.run(
            ["generate", "swift", "shop.xml", "--output", "out"] + options,
            in: scratch
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        return scratch
    }

    @Test func writesTheTypesThatValuesOfAPropertyMayHave() async throws {
        let derived =
            #"<ComplexType Name="Memo" BaseType="S.Note"><Property Name="Place" Type="S.Spot"/></ComplexType>"#
        let used = #"<ComplexType Name="Spot"><Property Name="X" Type="Edm.Int32"/></ComplexType>"#
        let task = #"<EntityType Name="Task">"#
        let scratch = try Scratch()
        try scratch.write(
            Self.document.replacing(task, with: derived + used + task),
            to: "shop.xml"
        )
        let outcome = try await Tool.run(
            ["generate", "swift", "shop.xml", "--output", "out", "--sets", "Requests"],
            in: scratch
        )

        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try scratch.read("out/Shop+Memo.swift").contains("public var place: Shop.Spot?"))
        #expect(try scratch.read("out/Shop+Spot.swift").contains("public var x: Int32?"))
    }

    /// What ends a line in a name must not begin a line of code.
    @Test(arguments: ["&#10;", "&#13;", "&#x85;", "&#x2028;", "&#9;"])
    func writesNoCodeThatANameBrings(_ end: String) async throws {
        let scratch = try Scratch()
        try scratch.write(
            Self.document.replacing(
                #"<Property Name="class""#,
                with:
                    "<Property Name=\"A\(end)public static let injected = 1\(end)//\" Type=\"Edm.String\"/>"
                    + #"<Property Name="class""#
            ),
            to: "shop.xml"
        )
        let words = ["generate", "swift", "shop.xml", "--output", "out"]
        #expect(try await Tool.run(words, in: scratch).status == 0)
        let task = try scratch.read("out/Shop+Task.swift")
        let lines = task.unicodeScalars.split { ["\n", "\r", "\u{85}", "\u{2028}"].contains($0) }
        #expect(
            !lines.contains {
                String(String.UnicodeScalarView($0)).hasPrefix("public static let injected")
            }
        )
        #expect(!task.contains("\t"))
    }

    /// What a person has written stays, also behind a symbolic link.
    @Test(arguments: [true, false])
    func writesOverNothingThatItHasNotWritten(_ isLink: Bool) async throws {
        let scratch = try await generate()
        let files = FileManager.default
        let (place, own) = ("out/Shop+Task.swift", "let mine = 1")
        try scratch.write(own, to: isLink ? "elsewhere.swift" : place)
        if isLink {
            try files.removeItem(atPath: scratch.path(place))
            try files.createSymbolicLink(
                atPath: scratch.path(place),
                withDestinationPath: "../elsewhere.swift"
            )
        }
        let words = ["generate", "swift", "shop.xml", "--output", "out"]
        let outcome = try await Tool.run(words, in: scratch)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("Shop+Task.swift was not written by `generate swift`"))
        #expect(try scratch.read(place) == own)
    }

    @Test func writesWhatIsAskedFor() async throws {
        let scratch = try await generate("--sets", "Requests")
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path("out"))
        #expect(
            names.sorted() == [
                "OfflineODataProvider+Sets.swift", "Shop+Note.swift", "Shop+Size.swift",
                "Shop+Task.swift", "Shop.swift",
            ]
        )
        let task = try scratch.read("out/Shop+Task.swift")
        #expect(!task.contains("Elsewhere"))
        #expect(
            task.hasPrefix(
                """
                // Generated from OData metadata; do not edit.
                // swift-format-ignore-file

                public import OfflineOData

                extension Shop {
                    /// Something to do.
                    public struct Task: ODataTyped {
                        /// Qualified name of the type in the model.
                        public static let odataType = "Acme.Shop.Task"

                        /// The property `ID`.
                        public var id: Int32

                        /// The property `URLPart`.
                        public var urlPart: String

                        /// The property `class`.
                        public var `class`: Shop.Size?

                        /// The property `Note`.
                        public var note: Shop.Note?

                        /// The relation `Next`; nil where it is not expanded.
                        public var next: ODataRelated<Shop.Task>?

                """
            )
        )
        // A provider has `requests` already.
        #expect(
            try scratch.read("out/OfflineODataProvider+Sets.swift").contains(
                "public var requestsSet: ODataEntitySet<Shop.Task> {"
            )
        )
    }

    @Test func removesWhatAnEarlierCallHasLeft() async throws {
        let scratch = try await generate()
        // What is called `id` says which entity it is only where it is the key.
        #expect(
            try scratch.read("out/Shop+Elsewhere.swift").contains(
                "public struct Elsewhere: ODataTyped {"
            )
        )
        try scratch.write("// mine\n", to: "out/Mine.swift")
        let outcome = try await Tool.run(
            "generate",
            "swift",
            "shop.xml",
            "--output",
            "out",
            "--sets",
            "Requests",
            "--json",
            in: scratch
        )
        #expect(
            outcome.output
                == #"{"files":["OfflineODataProvider+Sets.swift","Shop+Note.swift","Shop+Size.swift","Shop+Task.swift","Shop.swift"],"removed":1}"#
                + "\n"
        )
        #expect(!scratch.exists("out/Shop+Elsewhere.swift"))
        #expect(scratch.exists("out/Mine.swift"))
    }

    @Test func namesTheNearestSet() async throws {
        let scratch = try Scratch()
        try scratch.write(Self.document, to: "shop.xml")
        let outcome = try await Tool.run(
            "generate",
            "swift",
            "shop.xml",
            "--output",
            "out",
            "--sets",
            "Request",
            in: scratch
        )
        #expect(
            outcome.errors == "error: there is no entity set 'Request'; did you mean Requests?\n"
        )
        #expect(outcome.status == 2)
        #expect(!scratch.exists("out"))
    }

    @Test func generatesTheSampleAsItStands() async throws {
        let scratch = try Scratch()
        try scratch.write(FieldServiceMetadata.v1, to: "v1.xml")
        let outcome = try await Tool.run(
            "generate",
            "swift",
            "v1.xml",
            "--output",
            "out",
            in: scratch
        )
        #expect(outcome.output == "generated: 19 files in out\n")
        let folder = Self.root + "/samples/FieldServiceModel"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.count == 19)
        for name in names {
            let text = try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
            #expect(try scratch.read("out/\(name)") == text, "\(name)")
        }
    }

    private static let root =
        "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")

    @Test func compilesNamesThatSwiftReserves() async throws {
        let scratch = try await generate()
        try await SwiftCompiler.check(scratch.path("out"))
    }
}
