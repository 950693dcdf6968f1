import Testing

@testable import ODataPayload

/// Atom that must be refused, with its place.
@Suite struct HostileAtomTests {
    private func error(_ text: String) throws -> PayloadError {
        try #require(throws: PayloadError.self) { try AtomDocument.json(text) }
    }

    @Test func namesTheLineOfWhatIsNotWellFormed() throws {
        let found = try error("<feed \(AtomDocument.names)>\n<entry>\n</feed>")
        #expect(found.code == .malformed)
        #expect(found.line == 3)
        #expect(found.message.contains("mismatch"), "\(found.message)")
    }

    @Test(arguments: [0, 1, 60, 120, 300])
    func refusesWhatIsCutOff(_ count: Int) throws {
        let whole = AtomDocument.entry("<d:A>abc</d:A>")
        let found = try error(String(whole.prefix(min(count, whole.count - 1))))
        #expect(found.code == .truncated, "\(found)")
    }

    @Test(arguments: [
        "<!DOCTYPE feed [<!ENTITY a \"x\"><!ENTITY b \"&a;&a;&a;\">]>", "<!DOCTYPE feed>",
        "<!DOCTYPE feed SYSTEM \"file:///etc/passwd\">",
        "<!DOCTYPE feed [<!ENTITY a SYSTEM \"file:///etc/passwd\">]>",
    ])
    func refusesADocumentType(_ declaration: String) throws {
        let found = try error(declaration + "\n" + AtomDocument.entry("<d:A>&b;</d:A>"))
        #expect(found.message.contains("DOCTYPE"), "\(found.message)")
        #expect(found.line == 1)
    }

    @Test(arguments: [
        "<d:A>a<b/>c</d:A>", "<d:A>a<x:b xmlns:x=\"urn:x\">1</x:b></d:A>",
        "<d:A m:type=\"Edm.Int32\">5<b/></d:A>",
    ])
    func refusesAnElementInsideAPrimitiveValue(_ property: String) throws {
        let found = try error(AtomDocument.entry(property))
        #expect(found.code == .unexpectedContent)
        #expect(found.message.contains("an element inside"), "\(found.message)")
    }

    @Test func refusesAnUndeclaredEntity() throws {
        let found = try error(AtomDocument.entry("<d:A>&nbsp;</d:A>"))
        #expect(found.code == .malformed)
        #expect(found.message.contains("nbsp"))
    }

    @Test(arguments: [
        ("<feed/>", "feed of no namespace"), ("<feed xmlns=\"urn:x\"/>", "feed of urn:x"),
        ("<html><body/></html>", "html of no namespace"),
        (
            "<service xmlns=\"http://www.w3.org/2007/app\"/>",
            "service of http://www.w3.org/2007/app"
        ),
        ("<title xmlns=\"http://www.w3.org/2005/Atom\"/>", "title of http://www.w3.org/2005/Atom"),
    ])
    func namesAnotherRoot(_ text: String, _ name: String) throws {
        let found = try error(text)
        #expect(found.code == .unexpectedContent)
        #expect(found.message.contains(name), "\(found.message)")
    }

    @Test func namesAnUnboundPrefix() throws {
        let found = try error("<a:feed>\n</a:feed>")
        #expect(found.message.contains("a:feed"))
    }

    @Test func refusesDeepNesting() throws {
        let depth = 190
        let start = String(repeating: "<d:A>", count: depth)
        let end = String(repeating: "</d:A>", count: depth)
        _ = try AtomDocument.json(AtomDocument.entry(start + end))
        let deeper = String(repeating: "<d:A>", count: 198)
        let found = try error(AtomDocument.entry(deeper + String(repeating: "</d:A>", count: 198)))
        #expect(found.code == .limitExceeded)
    }

    @Test(arguments: [true, false])
    func refusesALongEntry(_ isOneText: Bool) throws {
        var limits = PayloadLimits()
        limits.maximumItemBytes = 10_000
        let one = isOneText ? String(repeating: "x", count: 10_001) : "x"
        let text = String(repeating: "<d:A>\(one)</d:A>", count: isOneText ? 1 : 1_700)
        let document = Array(AtomDocument.entry(text).utf8)
        let found = try #require(throws: PayloadError.self) {
            try AtomConverter.json(document, limits: limits)
        }
        #expect(found.code == .limitExceeded)
        #expect(try !AtomConverter.json(document).isEmpty)
    }

    @Test func refusesShapesThatAreNotRead() throws {
        let found = try error(
            AtomDocument.entry(
                "<d:A m:type=\"Edm.GeographyPoint\"><g:Point xmlns:g=\"http://www.opengis.net/gml\"/></d:A>"
            )
        )
        #expect(found.message.contains("Edm.GeographyPoint"))
    }

    @Test func reportsAnErrorInTheMiddleOfAFeed() throws {
        let json = try AtomDocument.json(
            "<feed \(AtomDocument.names)><entry/><m:error><m:code>9</m:code><m:message>gone</m:message></m:error></feed>"
        )
        #expect(
            json
                == #"{"d":{"results":[{"__metadata":{}}],"error":{"code":"9","message":{"value":"gone"}}}}"#
        )
    }
}
