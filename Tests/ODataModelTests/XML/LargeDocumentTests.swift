import ODataModel
import Testing

/// Documents of thousands of types.
@Suite struct LargeDocumentTests {
    private static let typeCount = 4_000

    @Test func readsEveryElementInItsPlace() throws {
        let document = try CSDLDocument(reading: Self.bytes())

        #expect(document.diagnostics.isEmpty)
        #expect(document.counts.entityTypes == Self.typeCount)
        #expect(document.model.structuredTypes.map(\.name) == Self.names)
        let last = try #require(document.model.structuredTypes.last)
        #expect(last.properties.map(\.name) == ["ID", "Text"])
        #expect(last.annotations.map(\.term) == ["Core.Description"])
    }

    @Test func tellsTheLineOfAFaultAtTheEnd() {
        let error = #expect(throws: CSDLError.self) {
            try CSDLDocument(reading: Self.bytes(end: "<EntityType Name=\"Z\" <"))
        }
        #expect(error?.code == .malformed)
        #expect(error?.line == Self.typeCount + 2)
    }

    @Test(arguments: [0, 1, 2_000, 3_999])
    func endsWithTheFirstFault(at place: Int) {
        let error = #expect(throws: CSDLError.self) {
            try CSDLDocument(reading: Self.bytes(faultAt: place, end: "<EntityType Name=\"Z\" <"))
        }
        #expect(error?.code == .malformed)
        #expect(error?.line == place + 2)
    }

    @Test func keepsAValueThatIsLargerThanAPiece() throws {
        let text = String(repeating: "0123456789", count: 60_000)
        let end =
            "<ComplexType Name=\"C\"><Annotation Term=\"Core.Description\" String=\"\(text)\"/></ComplexType>"

        let document = try CSDLDocument(reading: Self.bytes(end: end))

        let type = try #require(document.model.structuredTypes.last)
        #expect(type.annotations.first?.value == .constant(kind: "String", text: text))
    }

    private static var names: [String] { (0..<typeCount).map { "NS.T\($0)" } }

    /// A document with a type on each line from the second on.
    private static func bytes(faultAt place: Int = -1, end: String = "") -> [UInt8] {
        var text =
            #"<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>"#
        text += #"<Schema Namespace="NS" xmlns="http://docs.oasis-open.org/odata/ns/edm">"#
        for number in 0..<typeCount {
            let fault = number == place ? "<unbound:Property/>" : ""
            text += """

                <EntityType Name="T\(number)"><Key><PropertyRef Name="ID"/></Key>\
                <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Text" Type="Edm.String"/>\(fault)\
                <Annotation Term="Core.Description"><String>\(number)</String></Annotation></EntityType>
                """
        }
        return Array((text + "\n" + end + "</Schema></edmx:DataServices></edmx:Edmx>").utf8)
    }
}
