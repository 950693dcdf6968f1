import Foundation
import TestSupport
import Testing

/// A process that is killed while it uploads or downloads: the next call brings service and store together.
@Suite struct KillTests {
    /// Where the connection stands when the process is killed.
    struct Moment: Sendable, CustomTestStringConvertible {
        var name: String
        var plan: TCPRelay.Plan
        var isBatching = true
        var testDescription: String { "\(name), \(isBatching ? "batch" : "single")" }

        /// Every so many bytes in both directions.
        static func sweep(
            _ requestBytes: StrideTo<Int>,
            _ responseBytes: StrideTo<Int>,
            isBatching: Bool = true
        ) -> [Moment] {
            let plans =
                requestBytes.map { ("request", $0, TCPRelay.Plan.stallRequest(after: $0)) }
                + responseBytes.map { ("answer", $0, TCPRelay.Plan.stallResponse(after: $0)) }
            return plans.map {
                Moment(
                    name: "\($0.0) after \($0.1) bytes",
                    plan: $0.2,
                    isBatching: isBatching
                )
            }
        }
    }

    static let uploads = [
        Moment(name: "before a byte has gone", plan: .stallRequest(after: 0)),
        Moment(name: "in the head of the request", plan: .stallRequest(after: 90)),
        Moment(name: "in the body of the request", plan: .stallRequest(after: 700)),
        Moment(name: "after the change was made", plan: .stallResponse(after: 0)),
        Moment(name: "in the head of the answer", plan: .stallResponse(after: 40)),
        Moment(name: "in the body of the answer", plan: .stallResponse(after: 500)),
    ]

    /// Every request, and every class of bytes in it; the requests of an upload go over one connection, one after the other.
    static let allUploads =
        uploads
        + Moment.sweep(
            stride(from: 0, to: 2_000, by: 125),
            stride(from: 0, to: 2_000, by: 125)
        )
        + Moment.sweep(
            stride(from: 0, to: 1_500, by: 100),
            stride(from: 0, to: 1_500, by: 100),
            isBatching: false
        )

    static let downloads = [
        Moment(name: "before a byte has gone", plan: .stallRequest(after: 0)),
        Moment(name: "before the answer", plan: .stallResponse(after: 0)),
        Moment(name: "in the head of an answer", plan: .stallResponse(after: 60)),
        Moment(name: "in the first page", plan: .stallResponse(after: 1_700)),
        Moment(name: "in a later page", plan: .stallResponse(after: 2_400)),
    ]

    /// The reads of a download go over one connection, one after the other.
    static let allDownloads =
        downloads
        + Moment.sweep(stride(from: 0, to: 1_600, by: 200), stride(from: 0, to: 4_800, by: 200))

    /// A service that outlives the processes, and a relay in front of it.
    private struct Place {
        let scratch: Scratch
        let service: RunningTool
        let relay: TCPRelay
        let root: String
        /// The service knows itself by the name that it has without the relay.
        let network: [String]
        let stalled: AsyncStream<Void>

        init(isBatching: Bool = true) async throws {
            scratch = try Library.files()
            let (service, direct) = try await RunningTool.service(
                [
                    "--metadata", scratch.path("metadata.xml"), "--data", scratch.path(""),
                    "--page-size", "2", "--delta", "--port", "0",
                ] + (isBatching ? [] : ["--no-batch"])
            )
            self.service = service
            let port = try #require(direct.split(separator: ":").last?.dropLast())
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
            stalled = stream
            relay = try TCPRelay(to: try #require(UInt16(port))) { continuation.yield() }
            root = "http://127.0.0.1:\(relay.port)/"
            network = ["--header", "Host: 127.0.0.1:\(port)", "--map-links"]
            let opened = try await Tool.run(
                [
                    "open", scratch.path("a.store"), "--service", root, "--query", "B=Books",
                    "--query", "A=Authors",
                ] + network
            )
            try #require(opened.status == 0, "\(opened.errors)")
        }

        /// Runs a command and kills it when its connection stands still; answers whether it was still there.
        ///
        /// Where fewer bytes flow than the moment is behind, the command ends by itself.
        func kill(_ command: String, _ moment: Moment) async throws -> Bool {
            relay.add(moment.plan)
            // The moments count the bytes of one connection.
            let parallel = command == "download" ? ["--parallel", "1"] : []
            let tool = try RunningTool([command, scratch.path("a.store")] + network + parallel)
            let isStalled = await withTaskGroup { group in
                group.addTask {
                    for await _ in stalled { return true }
                    return false
                }
                group.addTask {
                    while await tool.line() != nil {}
                    return false
                }
                defer { group.cancelAll() }
                return await group.next() ?? false
            }
            // One that has said its last word is not killed on its way out.
            return await tool.end(isStalled ? SIGKILL : SIGTERM) == 128 + SIGKILL
        }

        func run(_ arguments: String...) async throws -> Tool.Outcome {
            let isLocal = !["upload", "download"].contains(arguments[0])
            return try await Tool.run(
                [arguments[0], scratch.path("a.store")] + arguments.dropFirst()
                    + (isLocal ? [] : network)
            )
        }

        /// What a new store gets from the service.
        func atService(_ url: String) async throws -> String {
            let name = scratch.path("fresh-\(UUID().uuidString).store")
            _ = try await Tool.run(
                ["open", name, "--service", root, "--query", "B=Books"] + network
            )
            return try await Tool.run("get", name, url).output
        }

        func end() async {
            relay.stop()
            _ = await service.end()
        }
    }

    @Test(arguments: TestScale.isSoak ? allUploads : TestScale.sample(uploads, of: 3))
    func anUploadTakesEffectOnce(_ moment: Moment) async throws {
        let place = try await Place(isBatching: moment.isBatching)
        _ = try await place.run("post", "Books", #"{"ID":20,"Title":"Written here"}"#)
        _ = try await place.run("patch", "Books(10)", #"{"Title":"Changed here"}"#)
        _ = try await place.run("delete", "Books(11)")
        _ = try await place.kill("upload", moment)
        let again = try await place.run("upload")
        #expect(again.status == 0, "\(again.errors)")
        #expect(try await place.run("queue", "--json").output.filter { !$0.isWhitespace } == "[]")
        let titles = try await place.atService("Books?$select=Title&$orderby=ID")
        #expect(titles.contains("Written here") && titles.contains("Changed here"))
        #expect(!titles.contains("Maps"))
        _ = try await place.run("download")
        #expect(try await place.run("get", "Books?$select=Title&$orderby=ID").output == titles)
        await place.end()
    }

    /// What networks do to the first connection of an upload over `URLSession`; where the head of an answer is cut, Foundation on Linux ends
    /// the process.
    static let cuts: [TCPRelay.Plan] = [
        .cutRequest(after: 0), .cutRequest(after: 90), .cutRequest(after: 700),
        .cutResponse(after: 0), .cutResponse(after: 40), .cutResponse(after: 500), .dropResponse,
        .garbage(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n<>".utf8)),
    ]

    @Test(arguments: cuts)
    func anUploadOverURLSessionTakesEffectOnce(_ plan: TCPRelay.Plan) async throws {
        let place = try await Place()
        _ = try await place.run("post", "Books", #"{"ID":20,"Title":"Written here"}"#)
        _ = try await place.run("patch", "Books(10)", #"{"Title":"Changed here"}"#)
        place.relay.add(plan)
        let first = try await place.run("upload", "--transport", "urlsession")
        #expect(first.status != 0)
        // Whoever writes down how the first one ended may hold its files for a moment more.
        let again = try await place.run("upload", "--transport", "urlsession", "--wait", "60")
        #expect(again.status == 0, "\(again.errors)")
        #expect(try await place.run("queue", "--json").output.filter { !$0.isWhitespace } == "[]")
        let titles = try await place.atService("Books?$select=Title&$orderby=ID")
        #expect(titles.ranges(of: "Written here").count == 1)
        #expect(titles.contains("Changed here"))
        await place.end()
    }

    @Test(arguments: TestScale.isSoak ? allDownloads : TestScale.sample(downloads, of: 3))
    func aDownloadGoesOn(_ moment: Moment) async throws {
        let place = try await Place()
        let other = place.scratch.path("b.store")
        _ = try await Tool.run(
            ["open", other, "--service", place.root, "--query", "B=Books"] + place.network
        )
        for id in 30..<36 {
            _ = try await Tool.run("post", other, "Books", "{\"ID\":\(id),\"Title\":\"New \(id)\"}")
        }
        _ = try await Tool.run("delete", other, "Books(12)")
        #expect(try await Tool.run(["upload", other] + place.network).status == 0)
        if try await place.kill("download", moment) {
            // Nothing of it is to be seen before it is whole: one that had its last byte may have been.
            let seen = try await place.run("get", "Books?$select=Title&$orderby=ID").output
            if seen.contains("New") {
                #expect(seen == (try await place.atService("Books?$select=Title&$orderby=ID")))
            }
        }
        let again = try await place.run("download")
        #expect(again.status == 0, "\(again.errors)")
        let titles = try await place.run("get", "Books?$select=Title&$orderby=ID").output
        #expect(titles == (try await place.atService("Books?$select=Title&$orderby=ID")))
        await place.end()
    }
}
