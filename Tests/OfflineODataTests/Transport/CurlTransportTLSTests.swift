import ODataHTTP
import OfflineOData
import TestSupport
import Testing

@Suite(.enabled(if: TLSServer.isPossible, "needs the tool openssl"))
struct CurlTransportTLSTests {
    @Test func trustsTheAuthorityThatIsNamed() async throws {
        let server = try await TLSServer.start(asksClient: false)
        let transport = try CurlTransport.plain { $0.authorityFile = server.certificate }
        let answer = try await transport.exchange("GET", "https://localhost:\(server.port)/")
        #expect(answer.status == 200)
        #expect(HTTPText.text(answer.body).contains("TLS"))
    }

    @Test func trustsNoOther() async throws {
        let server = try await TLSServer.start(asksClient: false)
        await #expect(throws: HTTPTransportError(.notConnected, "")) {
            try await CurlTransport.plain().exchange("POST", "https://localhost:\(server.port)/")
        }
    }

    @Test func trustsNoOtherName() async throws {
        let server = try await TLSServer.start(asksClient: false)
        let transport = try CurlTransport.plain { $0.authorityFile = server.certificate }
        await #expect(throws: HTTPTransportError(.notConnected, "")) {
            try await transport.exchange("GET", "https://127.0.0.1:\(server.port)/")
        }
    }

    @Test func showsItsCertificate() async throws {
        let server = try await TLSServer.start(asksClient: true)
        let transport = try CurlTransport.plain { settings in
            settings.authorityFile = server.certificate
            settings.clientCertificate = .init(
                certificateFile: server.certificate,
                keyFile: server.key
            )
        }
        #expect(
            try await transport.exchange("GET", "https://localhost:\(server.port)/").status == 200
        )
    }

    @Test func isRefusedWithoutACertificate() async throws {
        let server = try await TLSServer.start(asksClient: true)
        let transport = try CurlTransport.plain { $0.authorityFile = server.certificate }
        await #expect(throws: HTTPTransportError.self) {
            try await transport.exchange("GET", "https://localhost:\(server.port)/")
        }
    }

    @Test func tellsThatAnAuthorityCannotBeRead() async throws {
        let transport = try CurlTransport.plain { $0.authorityFile = "/does/not/exist.pem" }
        await #expect(throws: HTTPTransportError(.notConnected, "")) {
            try await transport.exchange("GET", "https://localhost:1/")
        }
    }
}
