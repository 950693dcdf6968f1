import ODataModel
import Testing

@Suite struct RefusalTests {
    @Test(arguments: [
        ("", CSDLError.Code.notCSDL), ("   \n", .notCSDL), ("hello", .notCSDL), ("[]", .notCSDL),
        ("<html><body/></html>", .notCSDL), ("<Edmx/>", .notCSDL),
        ("<Schema Namespace='N'/>", .notCSDL),
        ("<Property xmlns='http://docs.oasis-open.org/odata/ns/edm'/>", .notCSDL),
        ("<x:Edmx xmlns:x='urn:other'/>", .notCSDL), ("<x:Edmx/>", .malformed),
        ("<a", .notCSDL), ("<a><b></a>", .notCSDL), ("<a b=c/>", .malformed),
        ("<a b='1' b='2'/>", .malformed), ("<a>&unknown;</a>", .notCSDL), ("<a/><b/>", .notCSDL),
        ("<!DOCTYPE a><a/>", .documentType),
        ("<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>", .documentType),
        ("<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>", .documentType),
    ])
    func refusesWhatIsNoCSDL(_ text: String, _ code: CSDLError.Code) {
        let error = #expect(throws: CSDLError.self) { _ = try Documents.read(text) }
        #expect(error?.code == code)
        #expect(error?.line ?? 0 > 0)
    }

    @Test(arguments: [
        ("<EntityContainer Name='C'><EntitySet Name='S' EntityType='NS.No'/></EntityContainer>", 4)
    ])
    func refusesAContainerOfWhichNothingIsLeft(_ schema: String, _ line: Int) {
        let error = #expect(throws: CSDLError.self) { _ = try Documents.read(Documents.v4(schema)) }
        #expect(error?.code == .invalidModel)
        #expect(error?.line == line)
    }

    @Test(arguments: [
        """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        <edmx:DataServices/></edmx:Edmx>
        """,
        """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        <edmx:DataServices><Schema xmlns="http://docs.oasis-open.org/odata/ns/edm"/>
        </edmx:DataServices></edmx:Edmx>
        """,
        """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        <edmx:DataServices><Schema Namespace="NS" xmlns="urn:other"/></edmx:DataServices>
        </edmx:Edmx>
        """,
        """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        <DataServices><Schema Namespace="NS"/></DataServices></edmx:Edmx>
        """,
    ])
    func refusesADocumentOfWhichNoSchemaIsLeft(_ text: String) {
        let error = #expect(throws: CSDLError.self) { _ = try Documents.read(text) }
        #expect(error?.code == .notCSDL)
        #expect(error?.line ?? 0 > 0)
    }

    @Test func allowsExactlyTheDepthOfTheLimit() throws {
        var limits = CSDLLimits()
        limits.maximumDepth = 6
        let text = Documents.v4(
            #"<ComplexType Name="T"><Annotation Term="N.T"><Null/></Annotation></ComplexType>"#
        )

        #expect(try Documents.read(text, limits: limits).counts.complexTypes == 1)
        limits.maximumDepth = 5
        let error = #expect(throws: CSDLError.self) { _ = try Documents.read(text, limits: limits) }
        #expect(error?.code == .limit)
    }

    @Test func allowsExactlyTheSizeOfTheLimit() throws {
        let text = Documents.v4("")
        var limits = CSDLLimits()
        limits.maximumByteCount = text.utf8.count
        #expect(try Documents.read(text, limits: limits).counts.schemas == 1)
        limits.maximumByteCount -= 1
        let error = #expect(throws: CSDLError.self) { _ = try Documents.read(text, limits: limits) }
        #expect(error?.code == .limit)
    }

    @Test func allowsExactlyTheNamespaceOfTheLimit() throws {
        let xml = { (count: Int) in
            """
            <Schema Namespace="\(String(repeating: "n", count: count))"
              xmlns="http://docs.oasis-open.org/odata/ns/edm"/>
            """
        }
        let json = { (count: Int) in
            #"{"$Version": "4.0", "\#(String(repeating: "n", count: count))": {}}"#
        }
        for document in [xml, json] {
            #expect(try Documents.read(document(512)).counts.schemas == 1)
            let error = #expect(throws: CSDLError.self) { _ = try Documents.read(document(513)) }
            #expect(error?.code == .limit)
        }
    }

    @Test func keepsAtMostTheDiagnosticsOfTheLimit() throws {
        var limits = CSDLLimits()
        limits.maximumDiagnosticCount = 2
        let document = try Documents.read(
            Documents.v4("<Foo/><Foo/><Foo/><Foo/>"),
            limits: limits
        )

        #expect(document.diagnostics.count == 3)
        #expect(document.diagnostics.last?.message.hasPrefix("2 more") == true)
    }

    @Test func refusesElementsWithTooManyAttributes() {
        let attributes = (0..<300).map { "a\($0)=''" }.joined(separator: " ")
        let error = #expect(throws: CSDLError.self) {
            _ = try Documents.read(Documents.v4("<ComplexType Name='T' \(attributes)/>"))
        }
        #expect(error?.code == .limit)
    }
}
