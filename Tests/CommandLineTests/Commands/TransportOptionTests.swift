import Foundation
import TestSupport
import Testing

/// `--transport` on the command line.
@Suite struct TransportOptionTests {
    /// What the first request of a command looks like.
    private func request(_ options: String...) async throws -> String {
        let server = try RawServer([
            .read, .send("HTTP/1.1 500 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
        ])
        defer { server.stop() }
        let scratch = try Scratch()
        let outcome = try await Tool.run(
            ["open", "a.store", "--service", server.root, "--query", "B=Books"] + options,
            in: scratch
        )
        #expect(outcome.status != 0)
        return try HTTPText.text(#require(server.messages.first, "\(outcome.errors)")).lowercased()
    }

    /// Foundation adds a field of its own, by which it is told apart.
    @Test func isWhatCarriesTheRequests() async throws {
        #expect(try await request("--transport", "urlsession").contains("\r\naccept-language:"))
        #expect(try await request("--transport=urlsession").contains("\r\naccept-language:"))
        #expect(try await !request("--transport", "curl").contains("\r\naccept-language:"))
    }

    #if os(Linux)
        @Test func isLibcurlWhereNothingIsSaid() async throws {
            #expect(try await !request().contains("\r\naccept-language:"))
        }
    #endif

    @Test func opensUploadsAndDownloadsOverURLSession() async throws {
        let (service, root, scratch) = try await Library.service("--delta")
        let transport = ["--transport", "urlsession"]
        let opened = try await Tool.run(
            ["open", "a.store", "--service", root, "--query", "B=Books"] + transport,
            in: scratch
        )
        #expect(opened.status == 0, "\(opened.errors)")
        let body = #"{"ID":20,"Title":"Written here"}"#
        _ = try await Tool.run("post", "a.store", "Books", body, in: scratch)
        let synced = try await Tool.run(["sync", "a.store", "--json"] + transport, in: scratch)
        #expect(synced.status == 0, "\(synced.errors)")
        #expect(synced.output.contains(#""carriedOut":1"#))
        let other = ["open", "b.store", "--service", root, "--query", "B=Books"] + transport
        _ = try await Tool.run(other, in: scratch)
        let got = try await Tool.run("get", "b.store", "Books(20)", in: scratch)
        #expect(got.output.contains("Written here"))
        #expect(await service.end() == 8)
    }

    @Test(arguments: [["--proxy", "none"], ["--transport", "carrier-pigeon"]])
    func refusesWhatDoesNotGoTogether(options: [String]) async throws {
        let command = ["download", "a.store", "--transport", "urlsession"] + options
        let outcome = try await Tool.run(command)
        #expect(outcome.status == 2 && outcome.errors.contains("--"))
    }
}
