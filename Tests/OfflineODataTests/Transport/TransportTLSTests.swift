import ODataHTTP
import OfflineOData
import TestSupport
import Testing

@Suite(.enabled(if: TLSServer.isPossible, "needs the tool openssl"))
struct TransportTLSTests {
    @Test(arguments: TransportKind.takingAuthorities) func trustsTheAuthorityThatIsNamed(
        kind: TransportKind
    ) async throws {
        let server = try await TLSServer.start(asksClient: false)
        let transport = try kind.transport { $0.authorityFile = server.certificate }
        let answer = try await transport.exchange("GET", "https://localhost:\(server.port)/")
        #expect(answer.status == 200)
        #expect(HTTPText.text(answer.body).contains("TLS"))
    }

    @Test(arguments: TransportKind.allCases) func trustsNoOther(kind: TransportKind) async throws {
        let server = try await TLSServer.start(asksClient: false)
        await #expect(throws: HTTPTransportError(kind.insecure, "")) {
            try await kind.transport().exchange("POST", "https://localhost:\(server.port)/")
        }
    }

    @Test(arguments: TransportKind.takingAuthorities) func trustsNoOtherName(kind: TransportKind)
        async throws
    {
        let server = try await TLSServer.start(asksClient: false)
        let transport = try kind.transport { $0.authorityFile = server.certificate }
        await #expect(throws: HTTPTransportError(.notConnected, "")) {
            try await transport.exchange("GET", "https://127.0.0.1:\(server.port)/")
        }
    }

    @Test(arguments: [TransportKind.curl]) func showsItsCertificate(kind: TransportKind)
        async throws
    {
        let server = try await TLSServer.start(asksClient: true)
        let transport = try kind.transport { settings in
            settings.authorityFile = server.certificate
            settings.curl.clientCertificate = .init(
                certificateFile: server.certificate,
                keyFile: server.key
            )
        }
        #expect(
            try await transport.exchange("GET", "https://localhost:\(server.port)/").status == 200
        )
    }

    @Test(arguments: TransportKind.takingAuthorities) func isRefusedWithoutACertificate(
        kind: TransportKind
    ) async throws {
        let server = try await TLSServer.start(asksClient: true)
        let transport = try kind.transport { $0.authorityFile = server.certificate }
        await #expect(throws: HTTPTransportError.self) {
            try await transport.exchange("GET", "https://localhost:\(server.port)/")
        }
    }

    @Test(arguments: TransportKind.takingAuthorities) func tellsThatAnAuthorityCannotBeRead(
        kind: TransportKind
    ) async throws {
        let transport = try kind.transport { $0.authorityFile = "/does/not/exist.pem" }
        await #expect(throws: HTTPTransportError(.notConnected, "")) {
            try await transport.exchange("GET", "https://localhost:1/")
        }
    }
}
