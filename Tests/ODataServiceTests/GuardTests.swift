import ODataHTTP
import Testing

@testable import ODataAnswers
import ODataService

/// Tokens against forged requests, and requests that are sent again.
@Suite struct GuardTests {
    private func guarded() async throws -> TestService {
        var options = StandaloneOptions()
        options.wantsCSRFToken = true
        return try await SampleService.make(options)
    }

    @Test func demandsATokenForChanges() async throws {
        let service = try await guarded()
        let refused = await service.send("PATCH", "Parts('P1')", [:], #"{"InStock":1}"#)
        #expect(refused.status == 403)
        #expect(refused.headers["X-CSRF-Token"] == "Required")
        let fetched = await service.get("", ["X-CSRF-Token": "Fetch"])
        let token = try #require(fetched.headers["X-CSRF-Token"])
        let cookie = try #require(fetched.headers["Set-Cookie"]?.split(separator: ";").first)
        let headers: HTTPHeaders = ["X-CSRF-Token": token, "Cookie": "a=b; \(cookie)"]
        #expect(
            await service.send("PATCH", "Parts('P1')", headers, #"{"InStock":1}"#).status == 204
        )
        #expect(
            await service.send("PATCH", "Parts('P1')", ["X-CSRF-Token": token], #"{"InStock":1}"#)
                .status == 403
        )
        let again = await service.get("", ["X-CSRF-Token": "fetch", "Cookie": String(cookie)])
        #expect(again.headers["X-CSRF-Token"] == token)
        #expect(again.headers["Set-Cookie"] == nil)
    }

    @Test func givesNoTokenUnasked() async throws {
        #expect(await (try guarded()).get("Parts").headers["X-CSRF-Token"] == nil)
        #expect(
            await (try SampleService.make()).get("", ["X-CSRF-Token": "Fetch"]).headers[
                "X-CSRF-Token"
            ] == nil
        )
    }

    // MARK: Repeatability

    private static let first: HTTPHeaders = [
        "Repeatability-Request-ID": "8d2e6c3e-0001",
        "Repeatability-First-Sent": "Wed, 01 May 2024 08:00:00 GMT",
    ]

    private func repeatable() async throws -> TestService {
        var options = StandaloneOptions()
        options.isRepeatable = true
        return try await SampleService.make(options)
    }

    @Test func carriesARepeatedRequestOutOnce() async throws {
        let service = try await repeatable()
        let first = await service.send("POST", "WorkOrders", Self.first, #"{"Title":"New"}"#)
        let second = await service.send("POST", "WorkOrders", Self.first, #"{"Title":"New"}"#)
        #expect(first.status == 201)
        #expect(first.headers["Repeatability-Result"] == "accepted")
        #expect(second.headers == first.headers)
        #expect(second.body == first.body)
        #expect(await service.get("WorkOrders/$count").text == "4")
    }

    @Test func carriesRequestsAtTheSameTimeOutOnce() async throws {
        let service = try await repeatable()
        let locations = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    await service.send("POST", "WorkOrders", Self.first, #"{"Title":"New"}"#)
                        .headers["Location"]
                }
            }
            return await group.reduce(into: Set<String?>()) { $0.insert($1) }
        }
        #expect(locations == ["http://service.test/WorkOrders(4)"])
        #expect(await service.get("WorkOrders/$count").text == "4")
    }

    @Test func refusesAnotherRequestWithTheSameID() async throws {
        let service = try await repeatable()
        _ = await service.send("POST", "WorkOrders", Self.first, #"{"Title":"New"}"#)
        let other = await service.send("POST", "WorkOrders", Self.first, #"{"Title":"Other"}"#)
        #expect(other.status == 412)
        #expect(other.headers["Repeatability-Result"] == "rejected")
    }

    @Test func refusesAnIDWithoutItsDate() async throws {
        let response = await (try repeatable()).send(
            "POST",
            "WorkOrders",
            ["Repeatability-Request-ID": "x"],
            #"{"Title":"New"}"#
        )
        #expect(response.status == 400)
        #expect(response.headers["Repeatability-Result"] == "rejected")
    }

    @Test func knowsNoRepetitionUnlessToldTo() async throws {
        let service = try await SampleService.make()
        for _ in 0..<2 {
            _ = await service.send("POST", "WorkOrders", Self.first, #"{"Title":"New"}"#)
        }
        #expect(await service.get("WorkOrders/$count").text == "5")
    }

    @Test func carriesARepeatedChangeSetOutOnce() async throws {
        let service = try await repeatable()
        let member = """
            --c\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n\
            POST WorkOrders HTTP/1.1\r\nContent-Type: application/json\r\n\
            Repeatability-Request-ID: s1\r\nRepeatability-First-Sent: Wed, 01 May 2024 08:00:00 GMT\r\n\r\n\
            {"Title":"New"}\r\n
            """
        let body =
            "--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n" + member + member
            + "--c--\r\n--b--"
        for _ in 0..<2 {
            let response = await service.send(
                "POST",
                "$batch",
                ["Content-Type": "multipart/mixed; boundary=b"],
                body
            )
            let batch = try BatchResponse(
                multipart: response.body,
                contentType: try #require(response.headers["Content-Type"])
            )
            #expect(batch.parts.map(\.response.status) == [201, 201])
        }
        #expect(await service.get("WorkOrders/$count").text == "5")
    }
}
