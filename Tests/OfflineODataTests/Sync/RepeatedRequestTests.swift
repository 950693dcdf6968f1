import ODataHTTP
import OfflineOData
import Testing

/// Requests that are sent again under their identity (Repeatable Requests 1.0), byte by byte.
@Suite struct RepeatedRequestTests {
    private func created(
        _ isRepeatable: Bool = true,
        transaction: String? = nil
    ) async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders", RecordedService.json(#"{"value":[]}"#))
        let provider = try await service.opened(["Orders"]) {
            $0.enableRepeatableRequests = isRepeatable
        }
        let options = OfflineODataRequestOptions()
        options.transactionID = transaction
        try await provider.createEntity(
            EntityValue(entitySet: "Orders", ["Title": "once"]),
            options: options
        )
        service.clearLog()
        return (service, provider)
    }

    private static let done = HTTPResponse(
        status: 200,
        headers: ["Content-Type": "multipart/mixed; boundary=r"],
        body: Array(
            ("--r\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 201 Created\r\n"
                + "Content-Type: application/json\r\nRepeatability-Result: accepted\r\n\r\n"
                + "{\"ID\":5,\"Title\":\"once\"}\r\n--r--").utf8
        )
    )

    private func ids(_ service: RecordedService) -> [String] {
        let parts = service.bodies(of: "POST $batch").flatMap { body in
            body.split(separator: "\r\n").filter { $0.hasPrefix("Repeatability-Request-ID: ") }
                .map { String($0.dropFirst(26)) }
        }
        return parts + service.log.compactMap { $0.headers["Repeatability-Request-ID"] }
    }

    /// Rule 26: the store remembers that the service repeats by id, whoever settles the lost answer.
    @Test(arguments: [true, false])
    func settlesALostAnswerInACallThatDoesNotVouch(isDownload: Bool) async throws {
        let (service, provider) = try await created()
        service.set("POST $batch", RecordedService.lost, Self.done)
        await #expect(throws: OfflineODataError.self) { try await provider.upload() }
        let other = try service.provider()
        service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":5,"Title":"once"}]}"#))
        if isDownload { try await other.download() } else { _ = try await other.upload() }
        #expect(try await other.requestQueueIsEmpty())
        #expect(ids(service).count == 2)
        #expect(Set(ids(service)).count == 1)
        #expect(try await other.executeQuery("Orders").count == 1)
    }

    /// An id that the service has never seen does not make a repetition safe.
    @Test func asksAboutWhatWasSentWithoutIdentity() async throws {
        let (service, provider) = try await created(false)
        service.set("POST $batch", RecordedService.lost, Self.done)
        await #expect(throws: OfflineODataError.self) { try await provider.upload() }
        let vouching = try service.provider { $0.enableRepeatableRequests = true }
        #expect(try await vouching.upload().unknownCount == 1)
        #expect(service.bodies(of: "POST $batch").count == 1)
    }

    /// A service that does not recognise the repetition leaves it to a person; the identity stays.
    @Test func keepsTheIdentityOfWhatAPersonLetsGoAgain() async throws {
        let (service, provider) = try await created()
        let rejected = HTTPResponse(
            status: 200,
            headers: ["Content-Type": "multipart/mixed; boundary=r"],
            body: Array(
                ("--r\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 412 Precondition Failed\r\n"
                    + "Repeatability-Result: rejected\r\n\r\n\r\n--r--").utf8
            )
        )
        service.set("POST $batch", RecordedService.lost, rejected, Self.done)
        await #expect(throws: OfflineODataError.self) { try await provider.upload() }
        #expect(try await provider.upload().unknownCount == 1)
        try await provider.retryRequest(1)
        #expect(try await provider.upload().succeededCount == 1)
        #expect(ids(service).count == 3)
        #expect(Set(ids(service)).count == 1)
    }

    /// Rule 11: a change set of one is repeated as a change set.
    @Test(arguments: ["t", nil])
    func repeatsAsWhatItWas(_ transaction: String?) async throws {
        let (service, provider) = try await created(transaction: transaction)
        service.set("POST $batch", RecordedService.lost, Self.done)
        await #expect(throws: OfflineODataError.self) { try await provider.upload() }
        _ = try await provider.upload()
        let sets = service.bodies(of: "POST $batch").map {
            $0.contains("Content-Type: multipart/mixed")
        }
        #expect(sets == [transaction != nil, transaction != nil])
        #expect(Set(ids(service)).count == 1)
    }

    /// A refusal of the whole conversation says nothing of what was sent: it is asked again with the same identity.
    @Test(arguments: [401, 403, 409, 307])
    func waitsWhereARepetitionIsRefusedUnseen(_ status: Int) async throws {
        let (service, provider) = try await created()
        service.set("POST $batch", RecordedService.lost, HTTPResponse(status: status), Self.done)
        await #expect(throws: OfflineODataError.self) { try await provider.upload() }
        await #expect(throws: OfflineODataError.self) { try await provider.upload() }
        #expect(service.requests == ["POST $batch", "POST $batch"])
        #expect(try await provider.requestQueue().map(\.status) == [.sending])
        #expect(try await provider.upload().succeededCount == 1)
        #expect(ids(service).count == 3)
        #expect(Set(ids(service)).count == 1)
    }

    /// The service fails with the repetition: the creation may have been carried out the first time, and keeps its identity.
    @Test func takesNoFailureOfARepetitionForARefusal() async throws {
        let (service, provider) = try await created()
        let failed = HTTPResponse(
            status: 200,
            headers: ["Content-Type": "multipart/mixed; boundary=r"],
            body: Array(
                ("--r\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 500 Internal Server Error\r\n"
                    + "Content-Type: application/json\r\n\r\n"
                    + #"{"error":{"code":"X","message":"the database is locked"}}"# + "\r\n--r--")
                    .utf8
            )
        )
        service.set("POST $batch", RecordedService.lost, failed, Self.done)
        await #expect(throws: OfflineODataError.self) { try await provider.upload() }
        _ = try? await provider.upload()
        #expect(try await provider.errorArchive().isEmpty)
        _ = try? await provider.retryRequest(1)
        #expect(try await provider.upload().succeededCount == 1)
        #expect(Set(ids(service)).count == 1)
    }

    /// What was sent by itself is repeated by itself.
    @Test func repeatsASingleRequestAsASingleRequest() async throws {
        let (service, provider) = try await created()
        service.set("POST $batch", HTTPResponse(status: 404))
        service.set(
            "POST Orders",
            RecordedService.lost,
            RecordedService.json(#"{"ID":5,"Title":"once"}"#, status: 201)
        )
        await #expect(throws: OfflineODataError.self) { try await provider.upload() }
        service.clearLog()
        #expect(try await provider.upload().succeededCount == 1)
        #expect(service.requests == ["POST Orders"])
    }

    /// A service that never answers a repetition with a sense is asked a bounded number of times.
    @Test func endsRepetitions() async throws {
        let clock = VirtualClock()
        let (service, _) = try await created()
        service.set("POST $batch", RecordedService.lost, HTTPResponse(status: 500))
        let provider = try service.provider {
            $0.retryPolicy = clock.policy
            $0.enableRepeatableRequests = true
        }
        await #expect(throws: OfflineODataError.self) { try await provider.upload() }
        let result = try await provider.upload()
        #expect(result.unknownCount == 1)
        #expect(service.requests.count { $0 == "POST $batch" } == 5)
        #expect(clock.waits == [.milliseconds(500), .seconds(1), .seconds(2)])
    }

    /// A service that has no batches by now does not take a change set that was sent in one: to ask again brings nothing.
    ///
    /// One that knows none has not carried it out either: a person may let its members go each by itself.
    @Test(arguments: [(404, 2), (405, 0), (501, 0)])
    func asksOnceForAChangeSetWhoseBatchIsRefused(_ status: Int, _ unknown: Int) async throws {
        let clock = VirtualClock()
        let (service, first) = try await created(transaction: "t")
        let options = OfflineODataRequestOptions()
        options.transactionID = "t"
        try await first.createEntity(
            EntityValue(entitySet: "Orders", ["Title": "second"]),
            options: options
        )
        service.set("POST $batch", RecordedService.lost, HTTPResponse(status: status))
        await #expect(throws: OfflineODataError.self) { try await first.upload() }
        let provider = try service.provider {
            $0.retryPolicy = clock.policy
            $0.enableRepeatableRequests = true
        }
        service.clearLog()
        let result = try await provider.upload()
        #expect(result.unknownCount == unknown)
        #expect(service.requests.allSatisfy { $0 == "POST $batch" })
        #expect(clock.waits.isEmpty)
        guard unknown == 0 else { return }

        service.set(
            "POST Orders",
            RecordedService.json(#"{"ID":5,"Title":"once"}"#, status: 201),
            RecordedService.json(#"{"ID":6,"Title":"second"}"#, status: 201)
        )
        let id = try #require(try await provider.errorArchive().first?.id)
        _ = try await provider.splitTransaction(of: id)
        #expect(try await provider.upload().succeededCount == 2)
        #expect(try await provider.requestQueueIsEmpty())
    }
}
