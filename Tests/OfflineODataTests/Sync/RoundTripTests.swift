import ODataHTTP
import OfflineOData
import Synchronization
import TestSupport
import Testing

/// How often work has to wait for the service, however many requests it takes.
@Suite(.timeLimit(.minutes(2))) struct RoundTripTests {
    private static let count = 30

    /// A store of thirty queries over a service that answers in waves.
    private static func opened(
        _ change: (OfflineODataParameters) -> Void = { _ in }
    ) async throws -> (RecordedService, WaveTransport, OfflineODataProvider) {
        let service = try RecordedService(metadata: ShopModel.v4())
        for number in 0..<count {
            let page =
                #"{"value":[{"ID":\#(number)}],"@odata.deltaLink":"Orders?$deltatoken=\#(number)"}"#
            service.set("GET Orders?$filter=ID%20eq%20\(number)", RecordedService.json(page))
            let changes = #"{"value":[],"@odata.deltaLink":"Orders?$deltatoken=\#(number)"}"#
            service.set("GET Orders?$deltatoken=\(number)", RecordedService.json(changes))
        }
        let transport = WaveTransport(service)
        let provider = try await service.opened(
            (0..<count).map { "Orders?$filter=ID eq \($0)" }
        ) {
            $0.transport = transport
            $0.parallelQueryCount = OfflineODataParameters().parallelQueryCount
            change($0)
        }
        return (service, transport, provider)
    }

    /// The metadata, and in the second round trip every query.
    @Test func loadsThirtyQueriesInTwoRoundTrips() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        let transport = WaveTransport(service)
        let provider = try service.provider {
            $0.transport = transport
            $0.parallelQueryCount = OfflineODataParameters().parallelQueryCount
        }
        for number in 0..<Self.count {
            let url = "Orders?$filter=ID%20eq%20\(number)"
            service.set("GET " + url, RecordedService.json(#"{"value":[{"ID":\#(number)}]}"#))
            try provider.add(definingQuery: .init(name: "Q\(number)", query: url))
        }
        transport.expect([1, 30])
        try await provider.open()
        #expect(transport.rest.isEmpty)
        #expect(try await provider.executeQuery("Orders").count == Self.count)
    }

    /// Thirty-two requests at once, unless fewer are wanted; the metadata go beside them.
    @Test(arguments: [(32, [31]), (10, [11, 10, 10]), (6, [7, 6, 6, 6, 6])])
    func asksForChangesAndMetadataTogether(_ parallel: Int, _ waves: [Int]) async throws {
        let (service, transport, provider) = try await Self.opened {
            $0.parallelQueryCount = parallel
        }
        service.clearLog()
        transport.expect(waves)
        let result = try await provider.download()
        #expect(transport.rest.isEmpty)
        #expect(service.requests.count == Self.count + 1)
        #expect(result.queries.count == Self.count)
        #expect(try await provider.executeQuery("Orders").count == Self.count)
    }

    @Test func asksOneAfterTheOtherWhereThatIsWanted() async throws {
        let (service, transport, provider) = try await Self.opened { $0.parallelQueryCount = 1 }
        service.clearLog()
        transport.expect(Array(repeating: 1, count: Self.count + 1))
        try await provider.download()
        #expect(transport.rest.isEmpty)
        #expect(service.requests.first == "GET $metadata")
    }

    /// Metadata, entities, and six streams at a time; the two that the service refuses keep no other away.
    @Test func bringsStreamsSixAtATime() async throws {
        let photo = """
            <EntityType Name="Photo" HasStream="true"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
            """
        let service = try RecordedService(
            metadata: ShopModel.v4()
                .replacing("<EntityContainer", with: photo + "<EntityContainer")
                .replacing(
                    "</EntityContainer>",
                    with: #"<EntitySet Name="Photos" EntityType="Shop.Photo"/></EntityContainer>"#
                )
        )
        let photos = (1...12).map { #"{"ID":\#($0)}"# }.joined(separator: ",")
        service.set("GET Photos", RecordedService.json(#"{"value":[\#(photos)]}"#))
        for number in 1...12 {
            let answer = HTTPResponse(
                status: number % 6 == 0 ? 500 : 200,
                headers: ["Content-Type": "image/png"],
                body: [UInt8(number)]
            )
            service.set("GET Photos(\(number))/$value", answer)
        }
        let transport = WaveTransport(service)
        let provider = try service.provider {
            $0.transport = transport
            $0.parallelQueryCount = OfflineODataParameters().parallelQueryCount
        }
        try provider.add(
            definingQuery: .init(
                name: "Photos",
                query: "Photos",
                automaticallyRetrievesStreams: true
            )
        )
        transport.expect([1, 1, 6, 6])
        let error = await #expect(throws: OfflineODataError.self) {
            try await provider.download()
        }
        #expect(transport.rest.isEmpty)
        #expect(error?.message.contains("Photos(6)/$value") == true)
        for number in 1...12 {
            var bytes: [UInt8] = []
            if let stream = try await provider.stream("Photos(\(number))/$value") {
                for try await piece in stream { bytes += piece }
            }
            #expect(bytes == (number % 6 == 0 ? [] : [UInt8(number)]))
        }
    }

    /// What was read in the old model meanwhile is read once more.
    @Test func readsAgainInAModelThatHasGrownMeanwhile() async throws {
        let (service, _, provider) = try await Self.opened()
        let grown = ShopModel.v4().replacing(
            #"<Property Name="ID""#,
            with: #"<Property Name="Colour" Type="Edm.String"/><Property Name="ID""#
        )
        service.set("GET $metadata", HTTPResponse(status: 200, body: Array(grown.utf8)))
        for number in 0..<Self.count {
            let changes =
                #"{"value":[{"ID":\#(number),"Colour":"red"}],"@odata.deltaLink":"Orders?$deltatoken=\#(number)"}"#
            service.set("GET Orders?$deltatoken=\(number)", RecordedService.json(changes))
            service.set("GET Orders?$filter=ID%20eq%20\(number)", RecordedService.json(changes))
        }
        try await provider.download()
        let rows = try await provider.executeQuery("Orders?$filter=Colour eq 'red'")
        #expect(rows.count == Self.count)
    }

    /// The application is asked for new credentials once, however many requests were refused.
    @Test func renewsCredentialsOnceForAllThatWereRefused() async throws {
        let renewals = Counter()
        let gate = RefusingTransport()
        let (service, transport, provider) = try await Self.opened { parameters in
            gate.service.guarded { $0 = parameters.transport }
            parameters.transport = gate
            parameters.credentials = OfflineODataBearerCredentials { isRenewal in
                if isRenewal { _ = renewals.next() }
                return isRenewal ? "second" : "first"
            }
        }
        gate.refused.guarded { $0 = "Bearer first" }
        service.clearLog()
        transport.expect([17, 14])
        try await provider.download()
        #expect(transport.rest.isEmpty)
        #expect(renewals.count == 1)
        #expect(service.log.allSatisfy { $0.headers["Authorization"] == "Bearer second" })
    }

    /// Who waits for credentials waits no longer than the work that needs them.
    @Test func takesTheQuestionForCredentialsBackWithTheDownload() async throws {
        let credentials = PausingCredentials()
        let (_, _, provider) = try await Self.opened { $0.credentials = credentials }
        credentials.pauses.guarded { $0 = true }
        let download = Task { try await provider.download() }
        for await _ in credentials.asked.stream { break }
        download.cancel()
        await #expect(throws: CancellationError.self) { try await download.value }
    }
}

/// Answers 401 to one value of `Authorization`, before the service sees the request.
private final class RefusingTransport: HTTPTransport {
    let service = Mutex<(any HTTPTransport)?>(nil)
    let refused = Mutex<String?>(nil)

    func send(_ request: HTTPRequest, options: HTTPRequestOptions) async throws
        -> HTTPStreamingResponse
    {
        let refused = refused.guarded { $0 }
        guard let service = service.guarded({ $0 }),
            refused == nil
                || request.headers["Authorization"] != refused
        else { return HTTPStreamingResponse(status: 401, headers: [:], body: HTTPBody([])) }
        return try await service.send(request, options: options)
    }
}

/// Answers nothing, or takes an hour for it.
private final class PausingCredentials: OfflineODataCredentials {
    let asked = AsyncStream.makeStream(of: Void.self)
    let pauses = Mutex(false)

    func authorization(isRenewal: Bool) async throws -> String? {
        guard pauses.guarded({ $0 }) else { return nil }
        asked.continuation.yield()
        try await Task.sleep(for: .seconds(3_600))
        return nil
    }
}
