import ODataHTTP
import OfflineOData
import Testing

/// A busy service is asked a bounded number of times for streams, metadata and tokens too; the bounds are the policy's.
@Suite struct RetryBoundsTests {
    private static let photos = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="M" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Photo" HasStream="true"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Photos" EntityType="M.Photo"/>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private static let usual: [Duration] = [.milliseconds(500), .seconds(1), .seconds(2)]

    private static func busy(_ status: Int, _ retryAfter: String?) -> HTTPResponse {
        var answer = HTTPResponse(status: status)
        answer.headers["Retry-After"] = retryAfter
        return answer
    }

    private static func isOneOf(_ status: Int, _ error: OfflineODataError?) -> Bool {
        error?.httpStatus == status && error?.category == .communication
            && error?.message.contains("\(status)") == true
    }

    // MARK: Streams

    /// The stream that failed is named, the others come, and the next download brings what is left.
    @Test(arguments: [429, 503], [nil, "0"])
    func asksForAStreamABoundedNumberOfTimes(_ status: Int, _ retryAfter: String?) async throws {
        let clock = VirtualClock()
        let service = try RecordedService(metadata: Self.photos)
        service.set(
            "GET Photos",
            RecordedService.json(
                #"{"value":[{"ID":1,"@odata.mediaReadLink":"files/1"},{"ID":2,"@odata.mediaReadLink":"files/2"}]}"#
            )
        )
        service.set("GET files/1", Self.busy(status, retryAfter))
        service.set("GET files/2", HTTPResponse(status: 200, body: Array("two".utf8)))
        let provider = try service.provider { $0.retryPolicy = clock.policy }
        try provider.add(
            definingQuery: OfflineODataDefiningQuery(
                name: "Photos",
                query: "Photos",
                automaticallyRetrievesStreams: true
            )
        )
        let error = await #expect(throws: OfflineODataError.self) { try await provider.open() }
        #expect(Self.isOneOf(status, error))
        #expect(error?.message.contains("files/1") == true)
        #expect(service.requests.count { $0 == "GET files/1" } == 4)
        #expect(clock.waits == Self.usual)
        #expect(try await Self.text(provider, 1) == nil)
        #expect(try await Self.text(provider, 2) == "two")
        service.set("GET files/1", HTTPResponse(status: 200, body: Array("one".utf8)))
        try await provider.download()
        #expect(try await Self.text(provider, 1) == "one")
    }

    /// A stream that breaks off at a busy service has one count for both.
    @Test func countsBreaksAndBusyAnswersOfAStreamTogether() async throws {
        let clock = VirtualClock()
        let service = try RecordedService(metadata: Self.photos)
        service.set(
            "GET Photos",
            RecordedService.json(#"{"value":[{"ID":1,"@odata.mediaReadLink":"files/1"}]}"#)
        )
        let turns = Array(
            repeating: [Self.busy(503, "0"), RecordedService.cut("one", after: 1)],
            count: 20
        )
        service.set("GET files/1", turns.flatMap { $0 })
        let provider = try service.provider { $0.retryPolicy = clock.policy }
        try provider.add(
            definingQuery: OfflineODataDefiningQuery(
                name: "Photos",
                query: "Photos",
                automaticallyRetrievesStreams: true
            )
        )
        await #expect(throws: OfflineODataError.self) { try await provider.open() }
        #expect(service.requests.count { $0 == "GET files/1" } == 4)
    }

    private static func text(_ provider: OfflineODataProvider, _ id: Int) async throws -> String? {
        guard let stream = try await provider.stream("Photos(\(id))/$value") else { return nil }
        return String(decoding: try await stream.bytes(), as: UTF8.self)
    }

    // MARK: Metadata

    @Test(arguments: [429, 503], [nil, "0"])
    func asksForTheMetadataABoundedNumberOfTimes(_ status: Int, _ retryAfter: String?)
        async throws
    {
        let clock = VirtualClock()
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":1}]}"#))
        let provider = try await service.opened(["Orders"]) { $0.retryPolicy = clock.policy }
        service.clearLog()
        service.set("GET $metadata", Self.busy(status, retryAfter))
        let error = await #expect(throws: OfflineODataError.self) { try await provider.download() }
        #expect(Self.isOneOf(status, error))
        #expect(service.requests == Array(repeating: "GET $metadata", count: 4))
        #expect(clock.waits == Self.usual)
        #expect(try await provider.executeQuery("Orders").count == 1)
    }

    /// The same where nothing is known of the service yet.
    @Test(arguments: [429, 503], [nil, "0"])
    func opensNothingWithoutMetadata(_ status: Int, _ retryAfter: String?) async throws {
        let clock = VirtualClock()
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET $metadata", Self.busy(status, retryAfter))
        let error = await #expect(throws: OfflineODataError.self) {
            try await service.opened(["Orders"]) { $0.retryPolicy = clock.policy }
        }
        #expect(Self.isOneOf(status, error))
        #expect(service.requests.count == 4)
    }

    // MARK: Tokens

    private static let wanted = HTTPResponse(
        status: 403,
        headers: ["X-CSRF-Token": "Required"]
    )

    /// Two creations of which the service gives the keys, and which want a token.
    private func wantingAToken(_ clock: VirtualClock, isBatching: Bool, _ answer: HTTPResponse)
        async throws -> (RecordedService, OfflineODataProvider)
    {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders", RecordedService.json(#"{"value":[]}"#))
        let provider = try await service.opened(["Orders"]) { $0.retryPolicy = clock.policy }
        for title in ["a", "b"] {
            try await provider.send("POST", "Orders", "{\"Title\":\"\(title)\"}")
        }
        service.set("POST $batch", isBatching ? Self.wanted : HTTPResponse(status: 404))
        service.set("POST Orders", Self.wanted)
        for request in ["GET ", "GET $metadata"] { service.set(request, answer) }
        service.clearLog()
        return (service, provider)
    }

    /// The attempts of the upload are those of the token that it needs; the changes are as they were, and none is taken for sent.
    @Test(
        arguments: [
            busy(429, nil), busy(429, "0"), busy(503, nil), busy(503, "0"),
            busy(503, "1000000000"), RecordedService.lost, RecordedService.unreachable,
        ],
        [true, false]
    )
    func asksForATokenABoundedNumberOfTimes(_ answer: HTTPResponse, isBatching: Bool) async throws {
        let clock = VirtualClock()
        let (service, provider) = try await wantingAToken(clock, isBatching: isBatching, answer)
        let error = await #expect(throws: OfflineODataError.self) { try await provider.upload() }
        #expect(error?.category == .communication)
        #expect(error?.message.contains("X-CSRF-Token") == true, "\(error?.message ?? "")")
        #expect(service.requests.count { $0.hasPrefix("GET") } <= 8, "\(service.requests)")
        #expect(service.requests.count { $0.hasPrefix("POST") } <= 5, "\(service.requests)")
        #expect(clock.now <= .seconds(300))
        #expect(try await provider.requestQueue().map(\.status) == [.pending, .pending])
        try await sendWithAToken(service, provider)
    }

    /// A service that gives tokens and takes none says so, in both forms.
    @Test(arguments: [true, false])
    func endsWhereNoTokenIsTaken(isBatching: Bool) async throws {
        let clock = VirtualClock()
        let given = HTTPResponse(status: 200, headers: ["X-CSRF-Token": "old"])
        let (service, provider) = try await wantingAToken(clock, isBatching: isBatching, given)
        let error = await #expect(throws: OfflineODataError.self) { try await provider.upload() }
        #expect(error?.message.contains("wants an X-CSRF-Token") == true)
        #expect(service.requests.count < 6, "\(service.requests)")
        #expect(try await provider.requestQueue().map(\.status) == [.pending, .pending])
        try await sendWithAToken(service, provider)
    }

    private func sendWithAToken(_ service: RecordedService, _ provider: OfflineODataProvider)
        async throws
    {
        service.set("GET ", HTTPResponse(status: 200, headers: ["X-CSRF-Token": "t"]))
        service.set("POST $batch", Self.wanted, HTTPResponse(status: 404))
        let created = [1, 2].map { RecordedService.json("{\"ID\":\($0)}", status: 201) }
        service.set("POST Orders", created)
        #expect(try await provider.upload().succeededCount == 2)
        #expect(service.log.last?.headers["X-CSRF-Token"] == "t")
    }

    // MARK: Settings

    struct Setting: Sendable, CustomTestStringConvertible {
        var name: String
        var retryAfter: String?
        /// What is waited for in seconds.
        var waits: [Double]
        var change: @Sendable (inout OfflineODataRetryPolicy) -> Void
        var testDescription: String { name }
    }

    /// Numbers and times of the policy act as they are set.
    @Test(arguments: [
        Setting(name: "two attempts", waits: [0.5]) { $0.maximumAttempts = 2 },
        Setting(name: "one attempt", waits: []) { $0.maximumAttempts = 1 },
        Setting(name: "other delays", waits: [3, 6, 10, 10, 10]) {
            ($0.maximumAttempts, $0.firstDelay, $0.maximumDelay) = (6, .seconds(3), .seconds(10))
        },
        Setting(name: "jitter", waits: [0.25, 0.5, 1]) { $0.jitter = { 0.5 } },
        Setting(name: "no longer than allowed", retryAfter: "40", waits: [40, 40, 40]) {
            $0.maximumRetryAfter = .seconds(50)
        },
        Setting(name: "longer than allowed", retryAfter: "60", waits: []) {
            $0.maximumRetryAfter = .seconds(50)
        },
        Setting(name: "a longer time is allowed", retryAfter: "200", waits: [200, 200, 200]) {
            ($0.maximumRetryAfter, $0.maximumTotalTime) = (.seconds(500), .seconds(1_000))
        },
        Setting(name: "a short time in all", retryAfter: "4", waits: [4, 4]) {
            $0.maximumTotalTime = .seconds(10)
        },
    ])
    func waitsAsThePolicySays(_ setting: Setting) async throws {
        let clock = VirtualClock()
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":1}]}"#))
        let provider = try await service.opened(["Orders"]) {
            $0.retryPolicy = clock.policy
            setting.change(&$0.retryPolicy)
        }
        service.set("GET Orders", Self.busy(503, setting.retryAfter))
        service.clearLog()
        await #expect(throws: OfflineODataError.self) { try await provider.download() }
        #expect(clock.waits == setting.waits.map { .seconds($0) })
        #expect(service.requests.count { $0 == "GET Orders" } == setting.waits.count + 1)
    }

    /// The same of the questions after a request that the service has accepted (202), whether it changes something or reads.
    @Test(
        arguments: [
            Setting(name: "three questions", waits: [0.5, 1, 2]) { $0.maximumStatusRequests = 3 },
            Setting(name: "ten seconds", retryAfter: "4", waits: [4, 4]) {
                $0.maximumStatusTime = .seconds(10)
            },
            Setting(name: "other delays", waits: [3, 5, 5]) {
                ($0.firstDelay, $0.maximumDelay) = (.seconds(3), .seconds(5))
                $0.maximumStatusRequests = 3
            },
        ],
        [true, false]
    )
    func asksMonitorsAsThePolicySays(_ setting: Setting, isReading: Bool) async throws {
        let clock = VirtualClock()
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders", RecordedService.json(#"{"value":[]}"#))
        let provider = try await service.opened(["Orders"]) {
            $0.retryPolicy = clock.policy
            setting.change(&$0.retryPolicy)
        }
        try await provider.send("POST", "Orders", #"{"ID":1}"#)
        var running = Self.busy(202, setting.retryAfter)
        running.headers["Location"] = "monitor"
        service.set("POST $batch", HTTPResponse(status: 404))
        service.set(isReading ? "GET Orders" : "POST Orders", running)
        service.set("GET monitor", running)
        service.clearLog()
        let error = await #expect(throws: OfflineODataError.self) {
            if isReading { try await provider.download() } else { try await provider.upload() }
        }
        #expect(error?.message.contains("202") == true)
        #expect(clock.waits == setting.waits.map { .seconds($0) })
        #expect(service.requests.count { $0 == "GET monitor" } == setting.waits.count)
    }
}
