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
        (#"<EntityType/>"#, 4), ("\n<EntityType Name=\"\"/>", 5),
        (#"<ComplexType Name="T"><Property Type="Edm.Int32"/></ComplexType>"#, 4),
        (#"<ComplexType Name="T"><Property Name="P"/></ComplexType>"#, 4),
        (#"<ComplexType Name="T"><NavigationProperty Name="P"/></ComplexType>"#, 4),
        (
            #"<ComplexType Name="T"><Property Name="P" Type="Edm.Int32" Nullable="perhaps"/></ComplexType>"#,
            4
        ),
        (#"<EnumType Name="E"><Member Value="1"/></EnumType>"#, 4),
        (
            #"<EnumType Name="E"><Member Name="A" Value="9223372036854775807"/><Member Name="B"/></EnumType>"#,
            4
        ),
        (#"<TypeDefinition Name="T" UnderlyingType="NS.Other"/>"#, 4),
        (#"<Function Name="F"><Parameter Name="p"/></Function>"#, 4),
        (#"<Function Name="F"><ReturnType/></Function>"#, 4),
        (#"<EntityContainer Name="C"><EntitySet Name="S"/></EntityContainer>"#, 4),
        (
            #"<EntityContainer Name="C"><EntitySet Name="S" EntityType="NS.No"/></EntityContainer>"#,
            4
        ),
        (#"<EntityContainer Name="C"><ActionImport Name="A"/></EntityContainer>"#, 4),
        (#"<Annotations><Annotation Term="T"/></Annotations>"#, 4),
        (#"<ComplexType Name="T"><Annotation/></ComplexType>"#, 4),
    ])
    func refusesWhatHasNoMeaning(_ schema: String, _ line: Int) {
        let error = #expect(throws: CSDLError.self) { _ = try Documents.read(Documents.v4(schema)) }
        #expect(error?.code == .invalidModel)
        #expect(error?.line == line)
    }

    @Test(arguments: [
        #"<Association Name="A"><End Type="NS.X" Role="R" Multiplicity="2"/></Association>"#,
        #"<Association Name="A"><End Role="R" Multiplicity="1"/></Association>"#,
        """
        <EntityType Name="X"><NavigationProperty Name="N" Relationship="NS.A" FromRole="Q" ToRole="S"/></EntityType>
        <Association Name="A"><End Type="NS.X" Role="R" Multiplicity="1"/>
        <End Type="NS.X" Role="S" Multiplicity="1"/></Association>
        """,
        """
        <EntityType Name="X"><NavigationProperty Name="N" Relationship="NS.A" FromRole="R" ToRole="S"/></EntityType>
        <Association Name="A"><End Type="NS.X" Role="R" Multiplicity="1"/>
        <End Type="NS.X" Role="S" Multiplicity="1"/><ReferentialConstraint>
        <Principal Role="S"><PropertyRef Name="A"/></Principal><Dependent Role="R"/></ReferentialConstraint>
        </Association>
        """,
    ])
    func refusesAssociationsWithoutMeaning(_ schema: String) {
        let error = #expect(throws: CSDLError.self) { _ = try Documents.read(Documents.v2(schema)) }
        #expect(error?.code == .invalidModel)
        #expect(error?.line ?? 0 > 0)
    }

    @Test func namesLineColumnAndPath() throws {
        let text = Documents.v4(
            """
            <EntityType Name="Order">
            <Property Name="A" Type="Edm.Int32" Nullable="maybe"/></EntityType>
            """
        )
        let error = try #require(throws: CSDLError.self) { _ = try Documents.read(text) }
        #expect(error.line == 5)
        #expect(error.path == "NS.Order")
        #expect(error.message.contains("'true' or 'false' is expected"))
        #expect(error.description.hasPrefix("line 5 (NS.Order): "))
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
