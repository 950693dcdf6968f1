import ODataHTTP
import ODataModel
import Testing

@testable import ODataService

/// A service's file that is opened with another model than the one that it was filled by.
@Suite struct LastingFileTests {
    private static func document(
        _ properties: String,
        types: String = "",
        isOpen: Bool = false
    ) -> [UInt8] {
        Array(
            """
            <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
            <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">\(types)
            <EntityType Name="Doc" OpenType="\(isOpen)"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>\(properties)</EntityType>
            <EntityContainer Name="C"><EntitySet Name="Docs" EntityType="S.Doc"/></EntityContainer>
            </Schema></edmx:DataServices></edmx:Edmx>
            """.utf8
        )
    }

    private static let title = #"<Property Name="Title" Type="Edm.String"/>"#
    private static let note = #"<Property Name="Note" Type="Edm.String"/>"#

    private func open(
        _ file: TemporaryFile,
        _ properties: String,
        types: String = "",
        isOpen: Bool = false
    ) throws -> TableEntityStore {
        let document = Self.document(properties, types: types, isOpen: isOpen)
        return try TableEntityStore(
            path: file.path,
            document: document,
            model: CSDLDocument(reading: document).model
        )
    }

    /// Makes a file whose one document has a title and no note.
    private func fill(_ file: TemporaryFile) async throws {
        let store = try open(file, Self.title + Self.note)
        let data = Array(#"[{"ID":1,"Title":"text"}]"#.utf8)
        try await DataImporter(store).importAll([.init(name: "Docs", json: data)])
    }

    @Test(arguments: ["", #"<Property Name="Title" Type="Edm.Int32"/>"#])
    func isRefusedWhereValuesWouldBeLeftOut(_ properties: String) async throws {
        let file = TemporaryFile()
        try await fill(file)
        let error = #expect(throws: StandaloneServiceError.self) {
            try open(file, properties + Self.note)
        }
        let message = error.map { "\($0)" } ?? ""
        #expect(
            message.contains("values of Docs/Title, which the model does not have"),
            "\(message)"
        )
    }

    @Test(arguments: [
        title, title + #"<Property Name="Note" Type="Edm.Int32"/>"#,
        title + note + #"<Property Name="Size" Type="Edm.Int32"/>"#,
    ])
    func isServedWhereNothingIsLost(_ properties: String) async throws {
        let file = TemporaryFile()
        try await fill(file)
        let store = try open(file, properties)
        let handler = StandaloneHandler(store: store, options: StandaloneOptions())
        let answer = await handler.respond(to: .init(method: "GET", url: "/Docs(1)/Title/$value"))
        #expect(String(decoding: answer.body, as: UTF8.self) == "text")
    }

    /// Null is a value of any type, and what a derived type declares stays dynamic in others.
    @Test(arguments: [
        (#""Note":"text""#, "Edm.Int32", false), (#""Note":{"a":1}"#, "Edm.String", false),
        (#""Note":"text""#, "S.Town", false), (#""Note":null"#, "Edm.Int32", true),
        (#""Note":7"#, "Edm.Int32", true), (#""Note":{"Size":1}"#, "S.Town", true),
        (#""Other":"text""#, "Edm.Int32", true),
    ])
    func isRefusedWhereADynamicValueIsNoneOfTheDeclaredType(
        _ value: String,
        _ type: String,
        _ isServed: Bool
    ) async throws {
        let file = TemporaryFile()
        let town =
            #"<ComplexType Name="Town"><Property Name="Size" Type="Edm.Int32"/></ComplexType>"#
        let store = try open(file, Self.title, types: town, isOpen: true)
        let data = Array("[{\"ID\":1,\(value)}]".utf8)
        try await DataImporter(store).importAll([.init(name: "Docs", json: data)])
        let note = #"<Property Name="Note" Type="\#(type)"/>"#
        func reopen() throws {
            _ = try open(file, Self.title + note, types: town, isOpen: true)
        }
        guard !isServed else { return try reopen() }
        #expect(throws: StandaloneServiceError.self, performing: reopen)
    }

    private static func relations(_ constraint: String, _ key: String = "") -> String {
        """
        \(key)<NavigationProperty Name="Above" Type="S.Doc">\(constraint)</NavigationProperty>
        """
    }

    /// Links are kept in another form from then on: as keys of the entities that they lead to.
    @Test func keepsLinksThatGetAConstraint() async throws {
        let file = TemporaryFile()
        let data = #"[{"ID":1,"Title":"a"},{"ID":2,"Title":"b","Above@odata.bind":"Docs(1)"}]"#
        let store = try open(file, Self.title + Self.relations(""))
        try await DataImporter(store).importAll([.init(name: "Docs", json: Array(data.utf8))])
        let key = #"<Property Name="AboveID" Type="Edm.Int32"/>"#
        let constraint = #"<ReferentialConstraint Property="AboveID" ReferencedProperty="ID"/>"#
        for model in [Self.relations(constraint, key), Self.relations("", key)] {
            let grown = try open(file, Self.title + model)
            let handler = StandaloneHandler(store: grown, options: StandaloneOptions())
            let answer = await handler.respond(to: .init(method: "GET", url: "/Docs(2)/Above"))
            let text = String(decoding: answer.body, as: UTF8.self)
            #expect(text.contains(#""ID":1"#), "\(text)")
        }
    }

    /// The values of a property that is there already lead elsewhere.
    @Test func isRefusedWhereAConstraintWouldEndLinks() async throws {
        let file = TemporaryFile()
        let key = #"<Property Name="AboveID" Type="Edm.Int32"/>"#
        let data =
            #"[{"ID":1,"AboveID":7},{"ID":2,"AboveID":7,"Above@odata.bind":"Docs(1)"}]"#
        let store = try open(file, Self.relations("", key))
        try await DataImporter(store).importAll([.init(name: "Docs", json: Array(data.utf8))])
        let constraint = #"<ReferentialConstraint Property="AboveID" ReferencedProperty="ID"/>"#
        let error = #expect(throws: StandaloneServiceError.self) {
            try open(file, Self.relations(constraint, key))
        }
        #expect(error?.message.contains("links of S.Doc/Above") == true)
    }

    /// Entities that were there have what new ones get that mention nothing.
    @Test func givesNewPropertiesTheirDefaults() async throws {
        let file = TemporaryFile()
        try await fill(file)
        let new =
            #"<Property Name="Kind" Type="Edm.String" Nullable="false" DefaultValue="plain"/>"#
        let store = try open(file, Self.title + Self.note + new)
        let handler = StandaloneHandler(store: store, options: StandaloneOptions())
        let answer = await handler.respond(
            to: .init(method: "GET", url: "/Docs?$filter=Kind%20eq%20%27plain%27&$select=ID,Kind")
        )
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(text.contains(#""ID":1,"Kind":"plain"}"#), "\(text)")
    }

    struct Growth: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var types: (old: String, new: String)
        var properties: (old: String, new: String)
        var entity: String
        /// The members behind the key that the service answers with the new model.
        var answer: String
    }

    private static let address = """
        <ComplexType Name="Town"><Property Name="Name" Type="Edm.String"/></ComplexType>
        <ComplexType Name="Address"><Property Name="Street" Type="Edm.String"/><Property Name="Town" Type="S.Town"/>%</ComplexType>
        """

    private static func addresses(_ old: String, _ new: String) -> (String, String) {
        (address.replacing("%", with: old), address.replacing("%", with: new))
    }

    static let growths = [
        Growth(
            testDescription: "a decimal with more digits",
            types: ("", ""),
            properties: (
                #"<Property Name="P" Type="Edm.Decimal" Precision="5" Scale="2"/>"#,
                #"<Property Name="P" Type="Edm.Decimal" Precision="30" Scale="8"/>"#
            ),
            entity: #"{"ID":1,"P":1.25}"#,
            answer: #""P":1.25"#
        ),
        Growth(
            testDescription: "a wider enumeration",
            types: (
                #"<EnumType Name="E" UnderlyingType="Edm.Byte"><Member Name="a" Value="1"/></EnumType>"#,
                #"<EnumType Name="E" UnderlyingType="Edm.Int16"><Member Name="a" Value="1"/></EnumType>"#
            ),
            properties: (
                #"<Property Name="P" Type="S.E"/>"#, #"<Property Name="P" Type="S.E"/>"#
            ),
            entity: #"{"ID":1,"P":"a"}"#,
            answer: #""P":"a""#
        ),
        Growth(
            testDescription: "a complex type inside of another that becomes open",
            types: (
                address.replacing("%", with: ""),
                address.replacing("%", with: "").replacing(
                    #"Name="Town">"#,
                    with: #"Name="Town" OpenType="true">"#
                )
            ),
            properties: (
                #"<Property Name="P" Type="S.Address"/>"#, #"<Property Name="P" Type="S.Address"/>"#
            ),
            entity: #"{"ID":1,"P":{"Street":"s","Town":{"Name":"t"}}}"#,
            answer: #""P":{"Street":"s","Town":{"Name":"t"}}"#
        ),
        Growth(
            testDescription: "new properties of a complex type",
            types: addresses(
                "",
                #"<Property Name="No" Type="Edm.Int32" Nullable="false" DefaultValue="7"/><Property Name="Tags" Type="Collection(Edm.String)" Nullable="false"/>"#
            ),
            properties: (
                #"<Property Name="P" Type="S.Address"/><Property Name="Q" Type="S.Address"/>"#,
                #"<Property Name="P" Type="S.Address"/><Property Name="Q" Type="S.Address"/>"#
            ),
            entity: #"{"ID":1,"P":{"Street":"s"}}"#,
            answer: #""P":{"Street":"s","Town":null,"No":7,"Tags":[]},"Q":null"#
        ),
    ]

    /// What is kept in another column by the new model is brought there; the file is served the same again afterwards.
    @Test(arguments: growths)
    func followsTheModel(_ growth: Growth) async throws {
        let file = TemporaryFile()
        let store = try open(file, growth.properties.old, types: growth.types.old)
        let data = Array("[\(growth.entity)]".utf8)
        try await DataImporter(store).importAll([.init(name: "Docs", json: data)])
        for _ in 1...2 {
            let grown = try open(file, growth.properties.new, types: growth.types.new)
            let handler = StandaloneHandler(store: grown, options: StandaloneOptions())
            let answer = await handler.respond(to: .init(method: "GET", url: "/Docs(1)"))
            let text = String(decoding: answer.body, as: UTF8.self)
            #expect(text.contains(#""ID":1,"# + growth.answer + "}"), "\(text)")
        }
    }
}
