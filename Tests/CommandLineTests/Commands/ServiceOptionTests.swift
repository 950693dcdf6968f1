import TestSupport
import Testing

/// Options that say how a service is spoken to; what it gets is seen as bytes.
@Suite struct ServiceOptionTests {
    private static let metadata = RawServer.answer(Library.metadata, type: "application/xml")
    private static let withoutBatches = RawServer.answer(
        Library.metadata.replacing(
            "<EntitySet Name=\"Authors\"",
            with: """
                <Annotation Term="Org.OData.Capabilities.V1.BatchSupported" Bool="false"/><EntitySet Name="Authors"
                """
        ),
        type: "application/xml"
    )
    private static let authors = RawServer.answer(
        #"{"value":[{"@odata.etag":"W/\"1\"","ID":1,"Name":"Ada"}]}"#
    )
    private static let unavailable = RawServer.answer("{}", status: "500 Internal Server Error")

    /// What was sent, as text.
    private func sent(_ server: RawServer) -> [String] { server.messages.map(HTTPText.text) }

    /// A directory with a store opened from a server.
    private func opened(_ server: RawServer, _ options: String...) async throws -> Scratch {
        let scratch = try Scratch()
        let line = ["open", "s.store", "--service", server.root, "--query", "Authors=Authors"]
        let outcome = try await Tool.run(line + options, in: scratch)
        guard outcome.status == 0 else { throw ToolFailure(outcome: outcome) }
        return scratch
    }

    @Test func sendsCookiesAndQueryOptions() async throws {
        let server = try RawServer(Self.metadata, Self.authors)
        defer { server.stop() }
        _ = try await opened(
            server,
            "--cookie",
            "sid=7",
            "--query-option",
            "sap-client=100",
            "--query-option",
            "q=a b"
        )
        let sent = sent(server)
        #expect(sent.count == 2)
        #expect(sent[0].hasPrefix("GET /$metadata?q=a%20b&sap-client=100 HTTP/1.1\r\n"))
        #expect(sent[1].hasPrefix("GET /Authors?q=a%20b&sap-client=100 HTTP/1.1\r\n"))
        #expect(sent.allSatisfy { $0.contains("\r\nCookie: sid=7\r\n") })
    }

    /// A request inside of a batch is one to the service, too.
    @Test func sendsQueryOptionsInsideOfBatches() async throws {
        let server = try RawServer(Self.metadata, Self.authors, Self.unavailable)
        defer { server.stop() }
        let option = ["--query-option", "sap-client=100"]
        let scratch = try await opened(server, option[0], option[1])
        for line in [
            ["patch", "s.store", "Authors(1)", #"{"Name":"A"}"#],
            ["post", "s.store", "Authors", #"{"ID":2,"Name":"B"}"#],
        ] {
            #expect(try await Tool.run(line, in: scratch).status == 0)
        }
        _ = try await Tool.run(["upload", "s.store"] + option, in: scratch)
        let batch = try #require(sent(server).first { $0.hasPrefix("POST /$batch") })
        #expect(batch.hasPrefix("POST /$batch?sap-client=100 HTTP/1.1\r\n"))
        #expect(batch.contains("\r\nPATCH Authors(1)?sap-client=100 HTTP/1.1\r\n"), "\(batch)")
        #expect(batch.contains("\r\nPOST Authors?sap-client=100 HTTP/1.1\r\n"), "\(batch)")
    }

    /// What says who asks is in no recording, also not inside of a batch.
    @Test(arguments: ["multipart", "json"])
    func recordsBatchesWithoutCredentials(_ format: String) async throws {
        let server = try RawServer(Self.metadata, Self.authors, Self.unavailable)
        defer { server.stop() }
        let option = ["--query-option", "api_key=hidden"]
        let scratch = try await opened(server, option[0], option[1])
        let line = ["patch", "s.store", "Authors(1)", #"{"Name":"A"}"#]
        #expect(try await Tool.run(line, in: scratch).status == 0)
        let upload = [
            "upload", "s.store", "--batch-format", format, "--har", scratch.path("u.har"),
        ]
        _ = try await Tool.run(upload + option, in: scratch)
        #expect(sent(server).contains { $0.contains("Authors(1)?api_key=hidden") })
        let recording = try scratch.read("u.har")
        #expect(!recording.contains("hidden"))
        #expect(recording.contains("Authors(1)?api_key="), "\(recording)")
    }

    @Test func readsACookieFromAFile() async throws {
        let server = try RawServer(Self.metadata, Self.authors)
        defer { server.stop() }
        let scratch = try Scratch()
        try scratch.write("sid=secret\n", to: "session.txt")
        let line = ["--query", "A=Authors", "--cookie", "@" + scratch.path("session.txt")]
        let outcome = try await Tool.run(
            ["open", "s.store", "--service", server.root] + line,
            in: scratch
        )
        #expect(outcome.status == 0)
        #expect(sent(server)[0].contains("\r\nCookie: sid=secret\r\n"))
    }

    private static let photos = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="M" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Photo" HasStream="true"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Photos" EntityType="M.Photo"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    /// A stream at another origin is read where that is allowed by name, and nothing is said there about who asks.
    @Test(arguments: [true, false])
    func readsStreamsAtAnAllowedOriginWithoutCredentials(isAllowed: Bool) async throws {
        let store = try RawServer(RawServer.answer("picture", type: "image/png"))
        defer { store.stop() }
        let page = "{\"value\":[{\"ID\":1,\"@odata.mediaReadLink\":\"\(store.root)p/1?sig=x\"}]}"
        let server = try RawServer(
            RawServer.answer(Self.photos, type: "application/xml"),
            RawServer.answer(page)
        )
        defer { server.stop() }
        let scratch = try Scratch()
        let line = [
            "open", "s.store", "--service", server.root, "--query", "P=Photos", "--streams", "P",
            "--user", "ada:secret", "--cookie", "sid=7", "--header", "X-Key: k",
        ]
        let origin = ["--allow-origin", String(store.root.dropLast())]
        let outcome = try await Tool.run(line + (isAllowed ? origin : []), in: scratch)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let content = try await Tool.run("get", "s.store", "Photos(1)/$value", in: scratch)
        let log = try await Tool.run("events", "s.store", "--json", in: scratch)
        #expect(sent(server).allSatisfy { $0.contains("\r\nAuthorization: Basic ") })
        #expect(sent(server).allSatisfy { $0.contains("sid=7") && $0.contains("X-Key") })
        guard isAllowed else {
            #expect(sent(store).isEmpty)
            #expect(content.output == "")
            #expect(log.output.contains("--allow-origin"), "\(log.output)")
            return
        }
        #expect(content.output.hasPrefix("picture"))
        #expect(sent(store).count == 1)
        let request = try #require(sent(store).first)
        #expect(request.hasPrefix("GET /p/1?sig=x HTTP/1.1\r\n"))
        for word in ["Authorization", "Cookie", "X-Key", "secret", "sid"] {
            #expect(!request.lowercased().contains(word.lowercased()), "\(request)")
        }
    }

    @Test func goesThroughAProxy() async throws {
        let proxy = try RawServer(Self.metadata, Self.authors)
        defer { proxy.stop() }
        let outcome = try await Tool.run(
            [
                "open", "s.store", "--service", "http://service.invalid/odata/", "--query",
                "A=Authors", "--proxy", String(proxy.root.dropLast()),
            ],
            in: try Scratch()
        )
        #expect(outcome.status == 0)
        let sent = sent(proxy)
        #expect(sent[0].hasPrefix("GET http://service.invalid/odata/$metadata HTTP/1.1\r\n"))
    }

    @Test func loadsQueriesInParallel() async throws {
        let (tool, root, scratch) = try await Library.service()
        let outcome = try await Tool.run(
            [
                "open", "s.store", "--service", root, "--query", "A=Authors", "--query", "B=Books",
                "--parallel", "2", "--json",
            ],
            in: scratch
        )
        #expect(outcome.status == 0)
        #expect(
            outcome.output.contains(#""entities": 5"#) || outcome.output.contains(#""entities":5"#)
        )
        _ = await tool.end()
    }

    @Test func sendsBatchesInJSON() async throws {
        let server = try RawServer(Self.metadata, Self.authors, Self.unavailable)
        defer { server.stop() }
        let scratch = try await opened(server)
        for id in [20, 21] {
            let body = "{\"ID\":\(id),\"Name\":\"New\"}"
            #expect(
                try await Tool.run("post", "s.store", "Authors", body, in: scratch).status == 0
            )
        }
        _ = try await Tool.run("upload", "s.store", "--batch-format", "json", in: scratch)
        let batch = try #require(sent(server).first { $0.hasPrefix("POST /$batch ") })
        #expect(batch.contains("\r\nContent-Type: application/json"))
        #expect(batch.contains("\r\n\r\n{\"requests\":["))
    }

    @Test func tunnelsMethods() async throws {
        let server = try RawServer(Self.withoutBatches, Self.authors, Self.unavailable)
        defer { server.stop() }
        let scratch = try await opened(server)
        let body = #"{"Name":"Eve"}"#
        let patch = try await Tool.run("patch", "s.store", "Authors(1)", body, in: scratch)
        #expect(patch.status == 0)
        _ = try await Tool.run("upload", "s.store", "--tunnel-methods", in: scratch)
        let change = try #require(
            sent(server).first { $0.hasPrefix("POST /Authors(1) HTTP/1.1\r\n") }
        )
        #expect(change.contains("\r\nX-HTTP-Method: PATCH\r\n"))
        #expect(change.hasSuffix(body))
    }

    @Test func uploadsBeforeAnotherUserGoesOn() async throws {
        let created = RawServer.answer(#"{"ID":20,"Name":"New"}"#, status: "201 Created")
        let server = try RawServer(Self.withoutBatches, Self.authors, created)
        defer { server.stop() }
        let scratch = try await opened(server, "--current-user", "ann")
        let body = #"{"ID":20,"Name":"New"}"#
        #expect(try await Tool.run("post", "s.store", "Authors", body, in: scratch).status == 0)
        let again = try await Tool.run("open", "s.store", "--current-user", "ann", in: scratch)
        #expect(again.status == 0)
        #expect(sent(server).count == 2)
        let outcome = try await Tool.run(
            ["open", "s.store", "--current-user", "bo", "--force-upload-on-user-switch"],
            in: scratch
        )
        #expect(outcome.status == 0)
        #expect(sent(server).last?.hasPrefix("POST /Authors HTTP/1.1\r\n") == true)
    }

    /// What the user before has changed is refused: the status is that of any upload with refusals.
    @Test func tellsOfRefusalsWhenAnotherUserGoesOn() async throws {
        let refused = RawServer.answer(
            #"{"error":{"code":"x","message":"no"}}"#,
            status: "400 Bad Request"
        )
        let server = try RawServer(Self.withoutBatches, Self.authors, refused)
        defer { server.stop() }
        let scratch = try await opened(server, "--current-user", "ann")
        let body = #"{"ID":20,"Name":"New"}"#
        #expect(try await Tool.run("post", "s.store", "Authors", body, in: scratch).status == 0)
        let line = [
            "open", "s.store", "--current-user", "bo", "--force-upload-on-user-switch", "--json",
        ]
        let outcome = try await Tool.run(line, in: scratch)
        #expect(outcome.status == 5, "\(outcome.errors)")
        #expect(outcome.output.contains(#""refused":1"#), "\(outcome.output)")
        #expect(outcome.errors.contains("`offline-odata errors s.store` shows why"))
    }

    /// Files that cannot be used are no service that cannot be reached: calling again does not help.
    @Test(.enabled(if: TLSServer.isPossible)) func refusesCertificatesThatCannotBeUsed()
        async throws
    {
        let server = try await TLSServer.start(asksClient: true)
        let scratch = try Scratch()
        try scratch.write("no certificate", to: "text.pem")
        let encrypted =
            "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAA==\n-----END ENCRYPTED PRIVATE KEY-----\n"
        try scratch.write(encrypted, to: "locked.key")
        let other = try await TLSServer.start(asksClient: false)
        let (own, foreign) = (server.certificate, other.key)
        let open = [
            "open", "s.store", "--service", "https://localhost:\(server.port)/", "--query",
            "A=Authors",
        ]
        for (options, message) in [
            (["--ca", "none.pem"], "cannot read none.pem: no such file or directory"),
            (["--ca", "text.pem"], "--ca text.pem: the file holds no PEM certificate"),
            (
                ["--client-cert", "text.pem"],
                "--client-cert text.pem: the file holds no PEM certificate"
            ),
            (["--client-cert", own], "the file holds no key; name the key's file by --client-key"),
            (["--client-cert", own, "--client-key", own], "the file holds no PEM key"),
            (
                ["--client-cert", own, "--client-key", "locked.key"],
                "the key in locked.key is encrypted"
            ),
            (
                ["--ca", own, "--client-cert", own, "--client-key", foreign],
                "the settings of the connection cannot be used"
            ),
            (
                [
                    "--ca", own, "--client-cert", own, "--client-key", "locked.key",
                    "--client-key-password", "secret",
                ], "locked.key"
            ),
        ] {
            let outcome = try await Tool.run(open + options, in: scratch)
            #expect(outcome.status == 2, "\(options) \(outcome.errors)")
            #expect(outcome.errors.contains(message), "\(options) \(outcome.errors)")
            #expect(!outcome.errors.contains("secret"))
        }
    }

    @Test(arguments: ["X: a\r\nY: b", "X: a\nY: b"])
    func refusesSeveralHeaderFieldsInOneOption(_ text: String) async throws {
        let scratch = try await Library.store()
        for line in [
            [
                "open", "s.store", "--service", "http://127.0.0.1:9/", "--query", "A=A", "--header",
                text,
            ],
            ["get", "library.store", "Books", "--header", text],
            ["delete", "library.store", "Books(10)", "--request-header", text],
        ] {
            let outcome = try await Tool.run(line, in: scratch)
            #expect(outcome.status == 2, "\(line)")
            #expect(outcome.errors.contains("takes one header field, not several lines"))
        }
    }

    @Test(.enabled(if: TLSServer.isPossible)) func showsAClientCertificate() async throws {
        let server = try await TLSServer.start(asksClient: true)
        let scratch = try Scratch()
        let line = [
            "open", "s.store", "--service", "https://localhost:\(server.port)/", "--query",
            "A=Authors", "--ca", server.certificate,
        ]
        let without = try await Tool.run(line, in: scratch)
        #expect(without.status == 4)
        let with = try await Tool.run(
            line + ["--client-cert", server.certificate, "--client-key", server.key],
            in: scratch
        )
        // The handshake succeeds; what answers is no OData service.
        #expect(with.status != 4 && with.status != 0)
    }

    @Test(arguments: [
        RefusedLine("open x --cookie sid", "error: --cookie takes NAME=VALUE\n"),
        RefusedLine("open x --query-option =1", "error: --query-option takes NAME=VALUE\n"),
        RefusedLine(
            "open x --proxy proxy.example",
            "error: --proxy takes none or a URL such as http://proxy.example.org:3128\n"
        ),
        RefusedLine(
            "open x --client-key me.key",
            "error: --client-key belongs to --client-cert FILE\n"
        ),
        RefusedLine(
            "open x --force-upload-on-user-switch",
            "error: --force-upload-on-user-switch needs --current-user NAME\n"
        ),
        RefusedLine(
            "download x --parallel 0",
            "error: --parallel takes a whole number from 1 to 64, not '0'\n"
        ),
        RefusedLine(
            "upload x --batch-format xml",
            "error: --batch-format takes one of multipart, json, not 'xml'\n"
        ),
    ])
    func refusesBadValues(_ line: RefusedLine) async throws {
        let outcome = try await Tool.run(line.line)
        #expect(outcome.status == 2)
        #expect(outcome.errors == line.errors)
    }
}
