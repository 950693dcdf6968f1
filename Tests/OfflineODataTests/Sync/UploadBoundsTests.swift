import ODataHTTP
import OfflineOData
import Synchronization
import TestSupport
import Testing

/// Every loop of an upload ends, whatever the service does, and the next upload goes on.
@Suite struct UploadBoundsTests {
    /// A store whose service answers everything with the same.
    private func changed(
        _ clock: VirtualClock,
        isBatching: Bool,
        count: Int = 2,
        _ change: (OfflineODataParameters) -> Void = { _ in }
    ) async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: ShopModel.v4())
        let rows = (1...count).map {
            "{\"@odata.etag\":\"W/\\\"1\\\"\",\"ID\":\($0),\"Title\":\"a\"}"
        }
        service.set(
            "GET Orders",
            RecordedService.json("{\"value\":[\(rows.joined(separator: ","))]}")
        )
        let provider = try await service.opened(["Orders"]) {
            $0.retryPolicy = clock.policy
            change($0)
        }
        for number in 1...count {
            var order = try #require(try await provider.executeQuery("Orders(\(number))").first)
            order["Title"] = "b"
            try await provider.updateEntity(order)
            // What an answer does not tell is read: the change was not made.
            service.set("GET Orders(\(number))", RecordedService.json(rows[number - 1]))
        }
        if !isBatching { service.set("POST $batch", HTTPResponse(status: 404)) }
        service.clearLog()
        return (service, provider)
    }

    /// Beside whatever is sent something happens.
    private final class BusyTransport: HTTPTransport {
        private let service: RecordedService
        private let meanwhile = Mutex<(@Sendable () async throws -> Void)?>(nil)

        init(_ service: RecordedService) { self.service = service }

        func set(_ work: @escaping @Sendable () async throws -> Void) {
            meanwhile.withLock { $0 = work }
        }

        func send(_ request: HTTPRequest, options: HTTPRequestOptions) async throws
            -> HTTPStreamingResponse
        {
            if request.method == "PATCH" { try await meanwhile.withLock { $0 }?() }
            return try await service.send(request, options: options)
        }
    }

    /// What was there at the beginning goes, and once what has come meanwhile.
    @Test func endsWhileTheApplicationGoesOnChanging() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":1,"Title":"a"}]}"#))
        service.set("POST $batch", HTTPResponse(status: 404))
        service.set("PATCH Orders(1)", HTTPResponse(status: 204))
        let busy = BusyTransport(service)
        let provider = try await service.opened(["Orders"]) { $0.transport = busy }
        let change: @Sendable () async throws -> Void = {
            var order = try #require(try await provider.executeQuery("Orders(1)").first)
            order["Title"] = .string((order["Title"]?.stringValue ?? "") + "b")
            try await provider.updateEntity(order)
        }
        try await change()
        busy.set(change)

        let result = try await provider.upload()
        #expect(result.waitingCount == 1)
        #expect(service.bodies(of: "PATCH Orders(1)") == [#"{"Title":"ab"}"#, #"{"Title":"abb"}"#])
        #expect(try await provider.executeQuery("Orders(1)").first?["Title"]?.stringValue == "abbb")
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        var name: String
        var answer: HTTPResponse
        var testDescription: String { name }

        static let html = HTTPResponse(
            status: 500,
            headers: ["Content-Type": "text/html"],
            body: Array("<h1>Server Error</h1>".utf8)
        )

        static let all =
            [301, 302, 303, 307, 401, 403, 408, 413, 425, 429, 500, 502, 503, 504, 505].map {
                Fault(name: "\($0)", answer: HTTPResponse(status: $0, headers: ["Location": "x"]))
            } + [
                Fault(name: "HTML 500", answer: html),
                Fault(
                    name: "429 at once",
                    answer: HTTPResponse(status: 429, headers: ["Retry-After": "0"])
                ),
                Fault(
                    name: "429 in a billion seconds",
                    answer: HTTPResponse(status: 429, headers: ["Retry-After": "1000000000"])
                ),
                Fault(
                    name: "token wanted",
                    answer: HTTPResponse(status: 403, headers: ["X-CSRF-Token": "Required"])
                ),
                Fault(
                    name: "accepted, at once",
                    answer: HTTPResponse(
                        status: 202,
                        headers: ["Location": "monitor", "Retry-After": "0"]
                    )
                ),
                Fault(
                    name: "accepted, in a billion seconds",
                    answer: HTTPResponse(
                        status: 202,
                        headers: ["Location": "monitor", "Retry-After": "1000000000"]
                    )
                ),
                Fault(name: "no connection", answer: RecordedService.unreachable),
                Fault(name: "no answer", answer: RecordedService.lost),
                Fault(name: "cut", answer: RecordedService.cut("--b\r\nContent", after: 6)),
                Fault(
                    name: "answers of a batch broken off",
                    answer: HTTPResponse(
                        status: 200,
                        headers: ["Content-Type": "multipart/mixed; boundary=b"],
                        body: Array("--b\r\nContent-Type: application/http\r\n\r\nHTTP".utf8)
                    )
                ),
                Fault(
                    name: "an empty batch",
                    answer: HTTPResponse(
                        status: 200,
                        headers: ["Content-Type": "multipart/mixed; boundary=b"],
                        body: Array("--b--".utf8)
                    )
                ),
                Fault(
                    name: "garbage",
                    answer: HTTPResponse(status: 200, body: Array("<!>\u{0}".utf8))
                ),
            ]
    }

    /// A service that answers every batch and every change the same way, for ever.
    @Test(arguments: Fault.all)
    func endsWhateverTheServiceAnswers(_ fault: Fault) async throws {
        let clock = VirtualClock()
        let (service, provider) = try await changed(clock, isBatching: true)
        service.set("POST $batch", fault.answer)
        for number in 1...2 { service.set("PATCH Orders(\(number))", fault.answer) }
        service.set("GET monitor", fault.answer)
        _ = try? await provider.upload()
        let writes = service.requests.count { !$0.hasPrefix("GET") }
        #expect(writes <= 16, "\(service.requests)")
        #expect(service.requests.count <= 150)
        #expect(clock.now <= .seconds(310))

        // Whatever is left can be led on from; what was accepted, once its monitor is gone.
        service.set("POST $batch", HTTPResponse(status: 404))
        service.set("GET monitor", HTTPResponse(status: 404))
        for number in 1...2 {
            service.set("PATCH Orders(\(number))", HTTPResponse(status: 204))
        }
        for entry in try await provider.errorArchive() {
            try await provider.retryRequest(entry.id)
        }
        _ = try await provider.upload()
        if fault.name != "garbage" { #expect(try await provider.requestQueueIsEmpty()) }
    }

    /// The same for a service that takes no batches.
    @Test(arguments: Fault.all)
    func endsWhateverASingleRequestIsAnswered(_ fault: Fault) async throws {
        let clock = VirtualClock()
        let (service, provider) = try await changed(clock, isBatching: false)
        for number in 1...2 { service.set("PATCH Orders(\(number))", fault.answer) }
        service.set("GET monitor", fault.answer)
        _ = try? await provider.upload()
        let writes = service.requests.count { $0.hasPrefix("PATCH") }
        // Four attempts for each request, and five redirects for each of them.
        #expect(writes <= 12, "\(service.requests)")
        #expect(clock.now <= .seconds(310))
        service.set("GET monitor", HTTPResponse(status: 404))
        for number in 1...2 {
            service.set("PATCH Orders(\(number))", HTTPResponse(status: 204))
        }
        for entry in try await provider.errorArchive() {
            try await provider.retryRequest(entry.id)
        }
        _ = try await provider.upload()
        #expect(try await provider.requestQueueIsEmpty())
    }

    /// A page of HTML to one request is no reason to hold the others up.
    @Test func archivesWhatTheServiceNeverAnswersWithASense() async throws {
        let clock = VirtualClock()
        let (service, provider) = try await changed(clock, isBatching: false)
        service.set("PATCH Orders(1)", Fault.html)
        service.set("PATCH Orders(2)", HTTPResponse(status: 204))
        let result = try await provider.upload()
        #expect([result.succeededCount, result.failedCount] == [1, 1])
        #expect(result.refusedRequestIDs == [1])
        #expect(service.requests.count { $0 == "PATCH Orders(1)" } == 4)
        #expect(clock.waits == [.milliseconds(500), .seconds(1), .seconds(2)])
        #expect(try await provider.errorArchive().map(\.failure?.httpStatus) == [500])
    }

    /// A service whose batch always fails takes single requests.
    @Test func goesWithoutBatchesWhereTheyAlwaysFail() async throws {
        let clock = VirtualClock()
        let (service, provider) = try await changed(clock, isBatching: true, count: 8)
        service.set("POST $batch", Fault.html)
        for number in 1...8 {
            service.set("PATCH Orders(\(number))", HTTPResponse(status: 204))
        }
        #expect(try await provider.upload().succeededCount == 8)
        #expect(service.requests.count { $0 == "POST $batch" } == 4)
        #expect(clock.waits.isEmpty)
    }

    /// Attempts of the layers do not multiply: a busy service is asked four times, however often its batch is answered.
    @Test func countsTheAttemptsOfAllLayersTogether() async throws {
        let clock = VirtualClock()
        let (service, provider) = try await changed(clock, isBatching: false)
        service.set("PATCH Orders(1)", HTTPResponse(status: 429))
        await #expect(throws: OfflineODataError.self) { try await provider.upload() }
        #expect(service.requests.count { $0 == "PATCH Orders(1)" } == 4)
        #expect(try await provider.requestQueue().map(\.status) == [.pending, .pending])
    }

    // MARK: Answers that come later

    @Test func asksAMonitorLessAndLessOften() async throws {
        let clock = VirtualClock()
        let (service, provider) = try await changed(clock, isBatching: false, count: 1)
        let accepted = HTTPResponse(
            status: 202,
            headers: ["Location": "monitor", "Retry-After": "0"]
        )
        service.set("PATCH Orders(1)", accepted)
        service.set("GET monitor", accepted)
        let error = await #expect(throws: OfflineODataError.self) { try await provider.upload() }
        #expect(error?.message.contains("202") == true)
        #expect(service.requests.count { $0 == "GET monitor" } < 20)
        #expect(clock.now <= .seconds(120))
        #expect(try await provider.requestQueue().map(\.status) == [.sending])
    }

    /// A monitor that is busy at times is there all the same.
    @Test func asksABusyMonitorAsLongAsItAnswersInBetween() async throws {
        let clock = VirtualClock()
        let (service, provider) = try await changed(clock, isBatching: false, count: 1)
        let accepted = HTTPResponse(status: 202, headers: ["Location": "monitor"])
        let busy = HTTPResponse(status: 429)
        service.set("PATCH Orders(1)", accepted)
        let questions = Array(repeating: [busy, busy, accepted], count: 4).flatMap { $0 }
        service.set("GET monitor", questions + [HTTPResponse(status: 204)])
        try await provider.upload()
        #expect(service.requests.count { $0 == "GET monitor" } == questions.count + 1)
        #expect(try await provider.requestQueue().isEmpty)
    }

    /// What a monitor itself answers is no answer to the request.
    @Test(arguments: [404, 410, 403, 500])
    func doesNotTakeTheFailureOfAMonitorForTheAnswer(_ status: Int) async throws {
        let clock = VirtualClock()
        let (service, provider) = try await changed(clock, isBatching: false, count: 1)
        service.set("PATCH Orders(1)", HTTPResponse(status: 202, headers: ["Location": "monitor"]))
        service.set("GET monitor", HTTPResponse(status: status))
        await #expect(throws: OfflineODataError.self) { try await provider.upload() }
        #expect(try await provider.errorArchive().isEmpty)
        #expect(try await provider.requestQueue().map(\.status) == [.sending])
    }

    // MARK: Lost answers

    /// A service that is busy at times answers every question in the end, however many there are.
    @Test func asksABusyServiceAboutEveryLostAnswer() async throws {
        let clock = VirtualClock()
        let (service, provider) = try await changed(clock, isBatching: true, count: 9)
        service.set("POST $batch", RecordedService.lost)
        service.set("GET Orders(1)", RecordedService.lost)
        await #expect(throws: OfflineODataError.self) { try await provider.upload() }
        for number in 1...9 {
            let order = RecordedService.json("{\"ID\":\(number),\"Title\":\"b\"}")
            service.set("GET Orders(\(number))", [HTTPResponse(status: 429), order])
        }
        let result = try await provider.upload()
        #expect([result.unknownCount, result.waitingCount, result.parkedCount] == [0, 0, 0])
        #expect(try await provider.requestQueue().isEmpty)
    }

    /// A service that cannot be asked about a lost answer does not hold up the rest.
    @Test(arguments: [400, 403, 405, 500])
    func leavesToAPersonWhatTheServiceDoesNotTell(_ status: Int) async throws {
        let clock = VirtualClock()
        let (service, provider) = try await changed(clock, isBatching: false)
        service.set("PATCH Orders(1)", RecordedService.lost)
        await #expect(throws: OfflineODataError.self) { try await provider.upload() }
        service.set("GET Orders(1)", HTTPResponse(status: status))
        service.set("PATCH Orders(2)", HTTPResponse(status: 204))
        let result = try await provider.upload()
        #expect([result.succeededCount, result.unknownCount] == [1, 1])
    }

    /// A change set that is larger than what the service takes goes by itself at last, and what is beside it is sent.
    @Test func endsWithAChangeSetThatIsTooLarge() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders", RecordedService.json(#"{"value":[]}"#))
        let provider = try await service.opened(["Orders"]) { $0.retryPolicy = .never }
        for number in 1...4 {
            let options = OfflineODataRequestOptions()
            options.transactionID = number > 1 ? "t" : nil
            try await provider.createEntity(
                EntityValue(entitySet: "Orders", ["ID": .integer(Int64(number))]),
                options: options
            )
        }
        service.set("POST $batch", HTTPResponse(status: 400))
        service.set("POST Orders", RecordedService.json(#"{"ID":1}"#, status: 201))
        service.clearLog()
        let result = try await provider.upload()
        #expect([result.succeededCount, result.failedCount] == [1, 3])
        #expect(service.requests.count < 10)
    }
}
