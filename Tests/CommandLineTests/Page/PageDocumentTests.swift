import TestSupport
import Testing

@testable import CommandSupport
@testable import MetadataCommands
@testable import offline_odata

/// The document, its files, and who gets them.
@Suite struct PageDocumentTests {
    private static func library(_ options: String...) async throws -> (PageConnection, Scratch) {
        let scratch = try await Library.store()
        return (try await PageConnection([scratch.path("library.store")] + options), scratch)
    }

    /// The header that Chromium sends with a navigation.
    private static let browser =
        "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"

    @Test(arguments: [
        ("GET /", browser, true), ("HEAD /", browser, true), ("GET /", "Accept: text/html", true),
        ("GET /?x=1", browser, true), ("GET /", "Accept: */*", false), ("GET /", "A: b", false),
        ("GET /", "Accept: application/json", false),
        ("GET /", "Accept: text/html, application/json", false),
        ("GET /", "Accept: text/html;q=0.5, application/json", false),
        ("GET /?$format=json", browser, false), ("GET /$metadata", browser, false),
    ])
    func showsThePageToThoseWhoPreferHTML(line: String, accept: String, isPage: Bool) async throws {
        let (page, scratch) = try await Self.library()
        let answer = try await page.send(line, [accept])
        #expect(answer.status == 200)
        #expect(answer.has("Content-Type: text/html; charset=utf-8") == isPage)
        if !line.contains("$metadata") { #expect(answer.has("Vary: Accept")) }
        withExtendedLifetime(scratch) {}
    }

    @Test func answersTheServiceDocumentToOthers() async throws {
        let (page, scratch) = try await Self.library()
        let answer = try await page.send("GET /", ["Accept: */*"])
        #expect(
            answer.body.hasPrefix("{\"@odata.context\":\"http://127.0.0.1:\(page.port)/$metadata\"")
        )
        withExtendedLifetime(scratch) {}
    }

    @Test func protectsTheDocument() async throws {
        let (page, scratch) = try await Self.library()
        let answer = try await page.send("GET /", [Self.browser])
        let files = "http://127.0.0.1:\(page.port)/$page/"
        #expect(
            answer.has(
                "Content-Security-Policy: default-src 'none'; script-src \(files); style-src \(files);"
                    + " img-src \(files); connect-src 'self'; base-uri 'none'; form-action 'none';"
                    + " frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
            )
        )
        for field in [
            "X-Content-Type-Options: nosniff", "X-Frame-Options: DENY",
            "Cross-Origin-Opener-Policy: same-origin", "Cross-Origin-Resource-Policy: same-origin",
            "Referrer-Policy: same-origin", "Cache-Control: no-cache",
        ] {
            #expect(answer.has(field), "\(field)")
        }
        withExtendedLifetime(scratch) {}
    }

    /// The policy would refuse them, and a reader of the source must not have to look for them.
    @Test func hasNoInlineScriptOrStyle() {
        let document = String(decoding: PageFile.document.bytes, as: UTF8.self)
        #expect(document.contains("<script type=\"module\" src=\"/$page/page.js\"></script>"))
        for part in ["<style", "style=", " on", "javascript:", "http"] {
            #expect(!document.contains(part), "\(part)")
        }
    }

    @Test(arguments: PageFile.allCases.filter { $0 != .document })
    func servesItsFiles(_ file: PageFile) async throws {
        let (page, scratch) = try await Self.library()
        let answer = try await page.send("GET /$page/\(file.rawValue)")
        #expect(answer.status == 200)
        #expect(answer.body == String(decoding: file.bytes, as: UTF8.self))
        #expect(answer.has("Content-Type: \(file.contentType)"))
        #expect(answer.has("X-Content-Type-Options: nosniff"))
        #expect(answer.has("Cross-Origin-Resource-Policy: same-origin"))
        withExtendedLifetime(scratch) {}
    }

    @Test(arguments: PageFile.allCases.filter { $0.rawValue.hasSuffix(".js") })
    func putsNoTextIntoThePageAsHTML(_ file: PageFile) {
        let source = String(decoding: file.bytes, as: UTF8.self)
        for part in [
            "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(",
            "DOMParser", "createContextualFragment", "srcdoc", "setHTML",
        ] {
            #expect(!source.contains(part), "\(part)")
        }
    }

    @Test func importsOnlyItsOwnFiles() throws {
        for file in PageFile.allCases where file.rawValue.hasSuffix(".js") {
            let source = String(decoding: file.bytes, as: UTF8.self)
            for line in source.split(separator: "\n") where line.hasPrefix("import ") {
                let name = try #require(line.firstMatch(of: /from "\.\/([a-z]+\.js)";$/)?.1)
                #expect(PageFile(named: String(name)) != nil, "\(file.rawValue): \(line)")
            }
        }
    }

    @Test(arguments: [
        ("GET /$page/", 404), ("GET /$page/page.html", 404), ("GET /$page/../secret", 404),
        ("GET /$page/nothing", 404), ("POST /$page/page.js", 405), ("POST /$page/queue", 405),
        ("DELETE /$page/queue/drop", 405), ("GET /$page/queue/drop", 405),
    ])
    func refusesWhatIsNotThere(line: String, status: Int) async throws {
        let (page, scratch) = try await Self.library()
        let answer = try await page.send(line)
        #expect(answer.status == status)
        #expect(answer.body.hasPrefix("{\"error\":{\"message\":\""))
        #expect(answer.head.contains("\r\nAllow: ") == (status == 405))
        withExtendedLifetime(scratch) {}
    }

    @Test(
        arguments: [
            ("GET /", [browser, "Host: evil.example"], 421),
            ("GET /$page/status", ["Origin: https://evil.example"], 403),
            ("GET /$page/status", ["Origin: null"], 403),
            ("GET /$page/page.js", ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"], 403),
            ("GET /Books", ["Sec-Fetch-Site: same-site", "Sec-Fetch-Mode: no-cors"], 403),
            (
                "GET /",
                [
                    browser, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate",
                    "Sec-Fetch-Dest: iframe",
                ],
                403
            ),
            (
                "GET /",
                [
                    browser, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate",
                    "Sec-Fetch-Dest: document",
                ],
                200
            ),
            ("GET /$page/status", ["Sec-Fetch-Site: same-origin", "Sec-Fetch-Mode: cors"], 200),
        ] as [(String, [String], Int)]
    )
    func refusesOtherSites(line: String, fields: [String], status: Int) async throws {
        let (page, scratch) = try await Self.library()
        #expect(try await page.send(line, fields).status == status)
        withExtendedLifetime(scratch) {}
    }

    @Test func asksForTheTokenOnlyWhereThereIsData() async throws {
        let (page, scratch) = try await Self.library("--token", "secret")
        let with = ["Authorization: Bearer secret"]
        #expect(try await page.send("GET /", [Self.browser]).status == 200)
        #expect(try await page.send("GET /$page/page.js").status == 200)
        for path in ["/", "/Books", "/$page/status", "/$page/nothing", "/$page/page.html"] {
            #expect(try await page.send("GET \(path)").status == 401, "\(path)")
        }
        #expect(try await page.send("POST /$page/page.js").status == 401)
        #expect(try await page.send("GET /$page/status?token=secret").status == 401)
        #expect(try await page.send("GET /$page/status", with).status == 200)
        withExtendedLifetime(scratch) {}
    }

    /// A media stream may be a stranger's HTML or script.
    @Test func protectsAnswersOfTheService() async throws {
        let (page, scratch) = try await Self.library()
        let answer = try await page.send("GET /Books")
        #expect(
            answer.has(
                "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline';"
                    + " frame-ancestors 'none'; sandbox"
            )
        )
        #expect(answer.has("X-Content-Type-Options: nosniff"))
        withExtendedLifetime(scratch) {}
    }

    @Test func leavesAReplayWithoutPage() async throws {
        let scratch = try Scratch()
        try scratch.write(#"{"log":{"version":"1.2","entries":[]}}"#, to: "empty.har")
        let page = try await PageConnection(["--replay", scratch.path("empty.har")])
        #expect(!(try await page.send("GET /", [Self.browser]).body.contains("<html")))
    }
}
