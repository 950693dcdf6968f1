import ODataHTTP
import OfflineOData
import Synchronization
import Testing

/// Streams go with the entities that have them.
@Suite struct DataStreamTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Photo" HasStream="true"><Key><PropertyRef Name="Name"/></Key>
        <Property Name="Name" Type="Edm.String" Nullable="false"/></EntityType>
        <EntityType Name="Person"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Picture" Type="Edm.Stream"/>
        <NavigationProperty Name="Albums" Type="Collection(S.Photo)" ContainsTarget="true"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Photos" EntityType="S.Photo"/>
        <EntitySet Name="People" EntityType="S.Person"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private static let people = OfflineODataDataFile(
        entitySet: "People",
        json: Array(#"[{"ID":1,"Albums":[{"Name":"a"}]},{"ID":2}]"#.utf8),
        streams: [
            stream("People(1)/Albums('a')/$value", "inside", nil),
            stream("People(2)/Picture", "named", #""p""#),
        ]
    )
    private static let photos = OfflineODataDataFile(
        entitySet: "Photos",
        json: Array(#"[{"Name":"a'b/ä"},{"Name":"none"}]"#.utf8),
        streams: [stream("Photos('a''b%2F%C3%A4')/$value", "own", #"W/"1""#)]
    )

    private static func stream(_ url: String, _ text: String, _ etag: String?)
        -> OfflineODataDataStream
    {
        OfflineODataDataStream(
            url: url,
            contentType: "text/" + text,
            etag: etag,
            content: Array(text.utf8)
        )
    }

    private func store() async throws -> DataCopy {
        let copy = try DataCopy()
        let result = try await copy.provider.importDataFiles(
            [Self.people, Self.photos],
            metadata: Array(Self.metadata.utf8)
        )
        #expect(result.setCount == 2)
        #expect(result.entityCount == 5)
        #expect(result.streamCount == 3)
        return copy
    }

    @Test func keepsStreamsOfEveryKind() async throws {
        let first = try await store()
        let files = try await DataCopy.files(of: first.provider)
        #expect(files.map(\.entitySet) == ["People", "Photos"])
        #expect(files.map(\.streams) == [Self.people.streams, Self.photos.streams])
        let copy = try await DataCopy(of: first.provider)
        let again = try await DataCopy.files(of: copy.provider)
        #expect(again.map(\.text) == files.map(\.text))
        #expect(again.map(\.streams) == files.map(\.streams))
        for stream in Self.people.streams + Self.photos.streams {
            let found = try #require(try await copy.provider.stream(stream.url))
            #expect(try await found.bytes() == stream.content)
            #expect(found.contentType == stream.contentType)
            #expect(found.etag == stream.etag)
        }
        #expect(try await copy.provider.stream("Photos('none')/$value") == nil)
        #expect(try await copy.provider.requestQueueIsEmpty())
    }

    /// No more than a piece of a stream has to be in memory.
    @Test func handsStreamsOutOneByOneAndTakesThemAgain() async throws {
        let first = try await store()
        let copy = try await DataCopy(
            Self.metadata,
            ["People": Self.people.json, "Photos": Self.photos.json].mapValues {
                String(decoding: $0, as: UTF8.self)
            }
        )
        let found = Mutex<[String]>([])
        let count = try await first.provider.exportStreams { set, url, stream in
            found.withLock { $0.append(set + " " + url) }
            try await copy.provider.importStream(
                url,
                content: stream,
                contentType: stream.contentType,
                etag: stream.etag
            )
        }
        #expect(count == 3)
        #expect(
            found.withLock { $0.sorted() } == [
                "People People(1)/Albums('a')/$value", "People People(2)/Picture",
                "Photos Photos('a''b%2F%C3%A4')/$value",
            ]
        )
        let files = try await DataCopy.files(of: first.provider)
        #expect(try await DataCopy.files(of: copy.provider) == files)
    }

    @Test func exportsAChangedStream() async throws {
        let first = try await store()
        try await first.provider.setStream(
            "People(2)/Picture",
            content: HTTPBody(Array("new".utf8)),
            contentType: "text/new"
        )
        let copy = try await DataCopy(of: first.provider)
        let stream = try #require(try await copy.provider.stream("People(2)/Picture"))
        #expect(try await stream.bytes() == Array("new".utf8))
    }

    @Test(arguments: [
        (
            "Photos('z')/$value",
            "the stream Photos('z')/$value belongs to an entity that is neither"
        ),
        ("Photos('none')", "Photos('none') addresses no stream"),
        ("People(1)/$value", "People(1)/$value addresses no stream"),
    ])
    func refusesAStreamOfNoEntity(_ url: String, _ message: String) async throws {
        let copy = try DataCopy()
        var file = Self.photos
        file.streams.append(Self.stream(url, "x", nil))
        let error = await #expect(throws: OfflineODataError.self) {
            try await copy.provider.importData(
                [Self.people, file],
                metadata: Array(Self.metadata.utf8)
            )
        }
        #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
        #expect(error?.place?.path == "Photos")
        #expect(try await copy.provider.executeQuery("Photos").isEmpty)
    }

    /// An import is under way until the last stream is there, and shows nothing before.
    @Test func areReadBeforeAnythingIsShown() async throws {
        let copy = try DataCopy()
        let provider = copy.provider
        let content = OfflineODataDataContent(
            url: "People(2)/Picture",
            contentType: "image/png",
            place: "a file",
            pieces: HTTPBody {
                let status = try await provider.status()
                #expect(status.interrupted == "import")
                #expect(status.entitySets.allSatisfy { $0.entityCount == 0 })
                return nil
            }
        )
        let result = try await provider.importDataFiles(
            [Self.people],
            contents: [content],
            metadata: Array(Self.metadata.utf8)
        )
        #expect(result.streamCount == 3)
        #expect(try await provider.status().interrupted == nil)
    }

    @Test func failWithAllOfTheImport() async throws {
        struct Unreadable: Error {}
        let copy = try await store()
        let content = OfflineODataDataContent(
            url: "People(9)/Picture",
            contentType: "image/png",
            place: "a file",
            pieces: HTTPBody { throw Unreadable() }
        )
        let people = OfflineODataDataFile(entitySet: "People", json: Array(#"[{"ID":9}]"#.utf8))
        await #expect(throws: (any Error).self) {
            try await copy.provider.importDataFiles([people], contents: [content])
        }
        #expect(try await copy.provider.executeQuery("People").count == 2)
        #expect(try await copy.provider.status().interrupted == nil)
    }
}
