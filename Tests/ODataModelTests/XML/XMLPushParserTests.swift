import Testing

@testable import ODataModel

/// The push parser of payloads: what it says of a document, in pieces of any size.
@Suite struct XMLPushParserTests {
    /// What the events say, in one line.
    private func text(_ pieces: [String], maximumDepth: Int = 10) throws -> String {
        let parser = try #require(XMLPushParser(maximumDepth: maximumDepth))
        var events: [XMLEvent] = []
        for piece in pieces { events += try parser.feed(Array(piece.utf8).span) }
        events += try parser.finish()
        return events.reduce(into: "") { text, event in
            switch event {
            case .start(let tag):
                text += "<{\(tag.namespace)}\(tag.name)"
                for attribute in tag.attributes {
                    text += " {\(attribute.namespace)}\(attribute.name)=\(attribute.value)"
                }
                text += ">"
            case .text(let bytes): text += String(decoding: bytes, as: UTF8.self)
            case .end: text += "</>"
            }
        }
    }

    @Test func resolvesNamesToNamespaces() throws {
        #expect(
            try text([
                #"<a xmlns="u" xmlns:p="v" q="1" p:r="2"><p:b xmlns:p="w"/><c xmlns=""/></a>"#
            ])
                == "<{u}a {}q=1 {v}r=2><{w}b></><{}c></></>"
        )
    }

    @Test func readsTextReferencesAndCharacterData() throws {
        #expect(
            try text(["<a> x&amp;&#65;<![CDATA[<y>]]><!-- no --><?no no?></a>"])
                == "<{}a> x&A<y></>"
        )
    }

    @Test(arguments: 1...9) func readsPieces(_ size: Int) throws {
        let document = Array("<a p='ä'>\n<b>é&lt;</b></a>\n")
        let pieces = stride(from: 0, to: document.count, by: size).map {
            String(document[$0..<min(document.count, $0 + size)])
        }
        #expect(try text(pieces) == "<{}a {}p=ä>\n<{}b>é<</></>")
    }

    private func fault(_ document: String, maximumDepth: Int = 10) throws -> XMLFault {
        try #require(throws: XMLFault.self) { try text([document], maximumDepth: maximumDepth) }
    }

    @Test func namesTheLine() throws {
        let found = try fault("<a>\n<b>\n</a>")
        #expect(found.code == .malformed)
        #expect(found.line == 3)
    }

    @Test(arguments: ["", "<a>", "<a", "<a><b/>"]) func knowsWhatIsCutOff(_ document: String) throws
    {
        #expect(try fault(document).code == .truncated)
    }

    @Test(arguments: ["<!DOCTYPE a><a/>", "<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>"])
    func refusesADocumentType(_ document: String) throws {
        #expect(try fault(document).code == .documentType)
    }

    @Test func limitsTheDepth() throws {
        #expect(try text(["<a><a><a/></a></a>"], maximumDepth: 3).count > 0)
        #expect(try fault("<a><a><a/></a></a>", maximumDepth: 2).code == .limitExceeded)
    }

    @Test func limitsTheAttributes() throws {
        let attributes = { (count: Int) in (0..<count).map { " a\($0)=''" }.joined() }
        _ = try text(["<a\(attributes(250))/>"])
        #expect(try fault("<a\(attributes(251))/>").code == .limitExceeded)
    }

    @Test(arguments: ["<p:a/>", "<a/><b/>", "<a>&nothing;</a>", "<a b='1' b='2'/>", "<a>\u{1}</a>"])
    func refusesWhatIsNotWellFormed(_ document: String) throws {
        #expect(try fault(document).code == .malformed)
    }
}
