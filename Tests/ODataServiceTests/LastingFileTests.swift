import ODataHTTP
import ODataModel
import Testing

@testable import ODataService

/// A service's file that is opened with another model than the one that it was filled by.
@Suite struct LastingFileTests {
    private static func document(_ properties: String) -> [UInt8] {
        Array(
            """
            <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
            <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
            <EntityType Name="Doc"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>\(properties)</EntityType>
            <EntityContainer Name="C"><EntitySet Name="Docs" EntityType="S.Doc"/></EntityContainer>
            </Schema></edmx:DataServices></edmx:Edmx>
            """.utf8
        )
    }

    private static let title = #"<Property Name="Title" Type="Edm.String"/>"#
    private static let note = #"<Property Name="Note" Type="Edm.String"/>"#

    private func open(_ file: TemporaryFile, _ properties: String) throws
        -> TableEntityStore
    {
        let document = Self.document(properties)
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
}
