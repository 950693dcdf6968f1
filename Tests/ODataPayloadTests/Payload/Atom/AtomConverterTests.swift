import Testing

@testable import ODataPayload

/// What Atom means, as the verbose JSON of the same data (OData 2.0 Atom Format against OData JSON Verbose Format).
@Suite struct AtomConverterTests {
    private let rel = "http://schemas.microsoft.com/ado/2007/08/dataservices/related/"

    @Test(arguments: [
        ("<d:A>x</d:A>", #""A":"x""#), ("<d:A/>", #""A":"""#),
        (#"<d:A m:null="true"/>"#, #""A":null"#), (#"<d:A m:null="1"></d:A>"#, #""A":null"#),
        (#"<d:A m:null="false">x</d:A>"#, #""A":"x""#),
        (#"<d:A m:null=" true "/>"#, #""A":null"#), ("<d:A m:null=\" 1\t\"/>", #""A":null"#),
        ("<d:A> a  b </d:A>", #""A":" a  b ""#),
        ("<d:A>&lt;&amp;&quot;&#233;</d:A>", #""A":"<&\"é""#),
        ("<d:A><![CDATA[<b>]]></d:A>", #""A":"<b>""#),
        (#"<d:A m:type="Edm.Int32"> 5 </d:A>"#, #""A":5"#),
        (#"<d:A m:type="Edm.Int32">+5</d:A>"#, #""A":"+5""#),
        (#"<d:A m:type="Edm.Int64">9007199254740993</d:A>"#, #""A":9007199254740993"#),
        (#"<d:A m:type="Edm.Decimal">1.50</d:A>"#, #""A":1.50"#),
        (#"<d:A m:type="Edm.Double">-1.5E-7</d:A>"#, #""A":-1.5E-7"#),
        (#"<d:A m:type="Edm.Double">INF</d:A>"#, #""A":"INF""#),
        (#"<d:A m:type="Edm.Double">01</d:A>"#, #""A":"01""#),
        (#"<d:A m:type="Edm.Boolean">1</d:A>"#, #""A":true"#),
        (#"<d:A m:type="Edm.Boolean">false</d:A>"#, #""A":false"#),
        (#"<d:A m:type="Edm.Boolean">no</d:A>"#, #""A":"no""#),
        (#"<d:A m:type="Edm.DateTime">2012-01-01T00:00:00</d:A>"#, #""A":"2012-01-01T00:00:00""#),
        (#"<d:A m:type="Edm.Time">PT13H20M</d:A>"#, #""A":"PT13H20M""#),
        ("<d:A m:type=\"Edm.Binary\">AQ\n ID</d:A>", #""A":"AQID""#),
        (#"<d:A m:type="N.C"><d:X>1</d:X><d:Y m:null="true"/></d:A>"#, #""A":{"X":"1","Y":null}"#),
        ("<d:A><d:X><d:Y>1</d:Y></d:X></d:A>", #""A":{"X":{"Y":"1"}}"#),
        (#"<d:A m:type="N.C"/>"#, #""A":{}"#),
        ("<d:A>\n  <d:X>1</d:X>\n</d:A>", "\"A\":{\n\"X\":\"1\"}"),
        (
            #"<d:A m:type="Collection(Edm.Int32)"><d:element>1</d:element><d:element>2</d:element></d:A>"#,
            #""A":[1,2]"#
        ),
        (#"<d:A m:type="Collection(Edm.String)"/>"#, #""A":[]"#),
        ("<d:A><d:element>x</d:element></d:A>", #""A":["x"]"#),
        (
            #"<d:A m:type="Collection(N.C)"><d:element><d:X m:type="Edm.Boolean">true</d:X></d:element><d:element/></d:A>"#,
            #""A":[{"X":true},{}]"#
        ),
        (#"<d:A>x</d:A><x:B xmlns:x="urn:x"><d:C>1</d:C></x:B>"#, #""A":"x""#),
    ])
    func readsValues(_ properties: String, _ members: String) throws {
        #expect(try AtomDocument.members(properties) == members)
    }

    /// RFC 4287 § 4.2.7.2: the long form of a registered relation means the same.
    @Test func readsRegisteredRelationsInTheirLongForm() throws {
        let long = "http://www.iana.org/assignments/relation/"
        let feed = try AtomDocument.json(
            "<feed \(AtomDocument.names)><link rel=\"\(long)next\" href=\"Orders?page=2\"/></feed>"
        )
        #expect(feed == #"{"d":{"results":[],"__next":"http://service.test/odata/Orders?page=2"}}"#)
        let entry = try AtomDocument.json(
            AtomDocument.entry("", "<link rel=\"\(long)edit\" href=\"Orders(7)\"/>")
        )
        #expect(entry.contains(#""uri":"http://service.test/odata/Orders(7)""#), "\(entry)")
    }

    @Test func describesAnEntityWhereverItsDescriptionStands() throws {
        let json = try AtomDocument.json(
            """
            <a:entry xmlns:a="http://www.w3.org/2005/Atom" xmlns:p="http://schemas.microsoft.com/ado/2007/08/dataservices" \
            xmlns:q="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" \
            xml:base="http://service.test/odata/" q:etag="W/&quot;7&quot;">\
            <a:content type="image/png" src="Orders(1)/$value"/>\
            <q:properties><p:ID>1</p:ID></q:properties>\
            <a:link rel="edit-media" href="Orders(1)/$value" q:etag="&quot;m&quot;"/>\
            <a:link rel="edit" title="Order" href="Orders(1)/Shop.Special"/>\
            <a:category term="Shop.Special" scheme="http://schemas.microsoft.com/ado/2007/08/dataservices/scheme"/>\
            <a:category term="other" scheme="urn:other"/><q:action metadata="x"/>\
            <a:id>http://service.test/odata/Orders(1)</a:id></a:entry>
            """
        )
        #expect(
            json
                == #"{"d":{"__metadata":{"id":"http://service.test/odata/Orders(1)","uri":"http://service.test/odata/Orders(1)/Shop.Special","etag":"W/\"7\"","type":"Shop.Special","media_src":"http://service.test/odata/Orders(1)/$value","edit_media":"http://service.test/odata/Orders(1)/$value","content_type":"image/png","media_etag":"\"m\""},"ID":"1"}}"#
        )
    }

    @Test(arguments: [
        (
            " type=\"application/atom+xml;type=feed\"", "",
            #"{"__deferred":{"uri":"http://service.test/odata/Orders(1)/N"}}"#
        ),
        (" type=\"application/atom+xml;type=feed\"", "<m:inline/>", #"{"results":[]}"#),
        (" type=\"application/atom+xml; type=entry\"", "<m:inline/>", "null"),
        (" type=\"Application/Atom+XML; Type = Feed\"", "<m:inline/>", #"{"results":[]}"#),
        (
            " type=\"application/atom+xml;type=entry\"",
            "<m:inline><entry><id>x</id></entry><entry><id>y</id></entry></m:inline>",
            #"{"__metadata":{"uri":"x"}}"#
        ),
        ("", "<m:inline></m:inline>", "null"),
        (
            " type=\"application/atom+xml;type=entry\"",
            "<m:inline><entry><id>x</id><m:properties><d:A>1</d:A></m:properties></entry></m:inline>",
            #"{"__metadata":{"uri":"x"},"A":"1"}"#
        ),
        (
            " type=\"application/atom+xml;type=feed\"",
            "<m:inline><feed><m:count>3</m:count><entry/><entry/><link rel=\"next\" href=\"N?$skip=2\"/></feed></m:inline>",
            #"{"results":[{"__metadata":{}},{"__metadata":{}}],"__count":"3","__next":"http://service.test/odata/N?$skip=2"}"#
        ),
    ])
    func readsLinks(_ type: String, _ inline: String, _ value: String) throws {
        let link = "<link rel=\"\(rel)N\"\(type) href=\"Orders(1)/N\">\(inline)</link>"
        let json = try AtomDocument.json(AtomDocument.entry("<d:ID>1</d:ID>", link))
        #expect(
            json
                == #"{"d":{"__metadata":{"uri":"http://service.test/odata/Orders(1)"},"N":\#(value),"ID":"1"}}"#
        )
    }

    @Test func readsFeeds() throws {
        let json = try AtomDocument.json(
            """
            <feed \(AtomDocument.names) xmlns:at="http://purl.org/atompub/tombstones/1.0"><m:count>9</m:count><title>x</title>\
            <entry><id>a</id></entry><at:deleted-entry ref="Orders(2)" when="2012-01-01T00:00:00Z"/>\
            <link rel="self" href="Orders"/><link rel="next" href="Orders?$skiptoken=1"/>\
            <link rel="delta" href="/odata/Orders?!deltatoken=2"/></feed>
            """
        )
        #expect(
            json
                == ##"{"d":{"results":[{"__metadata":{"uri":"a"}},{"@odata.context":"#/$deletedEntity","id":"http://service.test/odata/Orders(2)"}],"__count":"9","__next":"http://service.test/odata/Orders?$skiptoken=1","__delta":"http://service.test/odata/Orders?!deltatoken=2"}}"##
        )
    }

    @Test(arguments: [
        (#"<d:Name \#(AtomDocument.names)>x</d:Name>"#, #"{"d":{"Name":"x"}}"#),
        (#"<d:Name \#(AtomDocument.names) m:null="true"/>"#, #"{"d":{"Name":null}}"#),
        (
            #"<d:F \#(AtomDocument.names)><d:element m:type="Edm.Int32">1</d:element></d:F>"#,
            #"{"d":{"F":[1]}}"#
        ),
        (
            #"<uri xmlns="http://schemas.microsoft.com/ado/2007/08/dataservices"> http://x/A(1) </uri>"#,
            #"{"d":{"uri":"http://x/A(1)"}}"#
        ),
        (
            #"<links xmlns="http://schemas.microsoft.com/ado/2007/08/dataservices"><uri>A(1)</uri><uri>A(2)</uri><next>n</next></links>"#,
            #"{"d":{"results":[{"uri":"A(1)"},{"uri":"A(2)"}],"__next":"n"}}"#
        ),
        (
            #"<m:error \#(AtomDocument.names)><m:code>c</m:code><m:message xml:lang="en">no</m:message><m:innererror><m:message>z</m:message></m:innererror></m:error>"#,
            #"{"error":{"code":"c","message":{"value":"no"}}}"#
        ),
    ])
    func readsWhatIsNoEntity(_ xml: String, _ expected: String) throws {
        #expect(try AtomDocument.json(xml) == expected)
    }

    @Test(arguments: [1, 2, 7, 64])
    func readsPiecesOfAnySize(_ size: Int) throws {
        let link =
            "<link rel=\"\(rel)N\" href=\"N\"><m:inline><feed><entry><id>é</id></entry></feed></m:inline></link>"
        let text =
            "\u{FEFF}<?xml version=\"1.0\"?>\n" + AtomDocument.entry("<d:A>ä€😀&amp;</d:A>", link)
        #expect(try AtomDocument.json(text, pieceSize: size) == AtomDocument.json(text))
    }

    @Test func readsOtherEncodings() throws {
        let text = AtomDocument.entry("<d:A>\u{E4}</d:A>")
        let head = Array(#"<?xml version="1.0" encoding="ISO-8859-1"?>"#.utf8)
        let json = try AtomConverter.json(head + text.unicodeScalars.map { UInt8($0.value) })
        #expect(String(decoding: json, as: UTF8.self).contains(#""A":"ä""#))
    }

    @Test func breaksLinesWhereTheXMLDoes() throws {
        let json = try AtomDocument.json(
            """
            <feed \(AtomDocument.names)>
            <entry>
            <content><m:properties>
            <d:A>1
            2</d:A>
            <d:B>2</d:B></m:properties></content></entry>
            <entry/></feed>
            """
        )
        let lines = json.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.firstIndex { $0.contains("\"B\"") } == 5)
        #expect(lines.count == 7)
    }
}
