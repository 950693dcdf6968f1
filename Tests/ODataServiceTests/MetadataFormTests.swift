import FieldServiceMetadata
import ODataHTTP
import ODataModelConversion
import Testing

/// The metadata document as XML and as JSON, whichever of the two was given.
@Suite struct MetadataFormTests {
    private static let xml = FieldServiceMetadata.v1

    /// What is asked for, and whether the answer is XML; nil where it is in the form that was given.
    static let requests: [(url: String, headers: HTTPHeaders, isXML: Bool?)] = [
        ("$metadata", [:], nil), ("$metadata", ["Accept": "*/*"], nil),
        ("$metadata", ["Accept": "application/*"], nil),
        ("$metadata?$format=xml", ["Accept": "application/json"], true),
        ("$metadata?$format=application/xml", [:], true),
        ("$metadata?$format=json", ["Accept": "application/xml"], false),
        ("$metadata?$format=application/json", [:], false),
        ("$metadata", ["Accept": "application/xml"], true),
        ("$metadata", ["Accept": "application/json;q=0.5, application/xml"], true),
        ("$metadata", ["Accept": "application/json"], false),
        ("$metadata", ["Accept": "application/json", "OData-MaxVersion": "4.0"], false),
        (
            "$metadata", ["Accept": "application/json, */*;q=0.1", "OData-MaxVersion": "4.0"], nil
        ),
        ("$metadata", ["Accept": "text/html, application/xml;q=0.9, */*;q=0.8"], true),
        ("$metadata", ["Accept": "application/json", "OData-MaxVersion": "4.01"], false),
        (
            "$metadata",
            ["Accept": "application/json;metadata=minimal", "OData-MaxVersion": "4.01"],
            false
        ),
        (
            "$metadata", ["Accept": "application/json, */*;q=0.1", "OData-MaxVersion": "4.01"],
            false
        ),
        ("$metadata", ["Accept": "application/json, */*", "OData-MaxVersion": "4.01"], nil),
    ]

    @Test(arguments: requests, [true, false])
    func answersAsAsked(
        _ request: (url: String, headers: HTTPHeaders, isXML: Bool?),
        _ isXMLGiven: Bool
    ) async throws {
        let json = try CSDLJSONConverter.json(ofXML: Self.xml)
        let service = try await TestService(metadata: isXMLGiven ? Self.xml : json)
        let response = await service.get(request.url, request.headers)
        let isXML = request.isXML ?? isXMLGiven
        #expect(response.status == 200)
        #expect(response.headers["Content-Type"] == "application/" + (isXML ? "xml" : "json"))
        #expect(response.headers["Vary"] == "Accept, OData-MaxVersion")
        #expect(response.text.hasPrefix(isXML ? "<" : "{"), "\(response.text.prefix(80))")
    }

    @Test(arguments: [
        ("$metadata", "text/html", 406), ("$metadata", "application/json;q=0", 406),
        ("$metadata?$format=atom", "*/*", 406), ("$metadata?$filter=true", "*/*", 400),
        ("$metadata?Select=Name", "*/*", 400), ("$metadata?$format=xml&x=1", "*/*", 200),
        ("$metadata?$schemaversion=*", "*/*", 200),
    ])
    func refusesOtherFormsAndOptions(_ url: String, _ accept: String, _ status: Int) async throws {
        let service = try await TestService(metadata: Self.xml)
        let response = await service.get(url, ["Accept": accept])
        #expect(response.status == status, "\(response.text.prefix(300))")
    }

    @Test(arguments: [true, false])
    func tellsTheFormsApartByTheirETags(_ isXMLGiven: Bool) async throws {
        let json = try CSDLJSONConverter.json(ofXML: Self.xml)
        let service = try await TestService(metadata: isXMLGiven ? Self.xml : json)
        let asXML = await service.get("$metadata?$format=xml")
        let asJSON = await service.get("$metadata?$format=json")
        let tag = try #require(asXML.headers["ETag"])
        #expect(tag != asJSON.headers["ETag"])
        let again = await service.get("$metadata?$format=xml", ["If-None-Match": tag])
        #expect(again.status == 304)
        let other = await service.get("$metadata?$format=json", ["If-None-Match": tag])
        #expect(other.status == 200)
    }

    @Test func knowsJSONBehindAByteOrderMark() async throws {
        let json = try [0xEF, 0xBB, 0xBF] + CSDLJSONConverter.json(ofXML: Self.xml)
        let service = try await TestService(metadata: json)
        #expect(await service.get("$metadata").headers["Content-Type"] == "application/json")
        #expect(await service.get("$metadata?$format=xml").text.hasPrefix("<?xml"))
    }

    @Test(arguments: [
        (
            """
            <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
            <edmx:DataServices m:DataServiceVersion="2.0" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
            <Schema Namespace="N" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
            <EntityType Name="A"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
            <EntityContainer Name="C"><EntitySet Name="As" EntityType="N.A"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
            """, "json", "XML only"
        ),
        (
            #"""
            {"$Version":"2.0","$EntityContainer":"N.C","N":{"A":{"$Kind":"EntityType","$Key":["ID"],"ID":{"$Type":"Edm.Int32"}},
            "C":{"$Kind":"EntityContainer","As":{"$Collection":true,"$Type":"N.A"}}}}
            """#, "xml", "JSON only"
        ),
    ])
    func refusesTheOtherFormOfOlderVersions(_ text: String, _ form: String, _ words: String)
        async throws
    {
        let service = try await TestService(metadata: Array(text.utf8))
        #expect(await service.get("$metadata").status == 200)
        let refused = await service.get("$metadata?$format=" + form)
        #expect(refused.status == 406)
        #expect(refused.text.contains(words), "\(refused.text)")
    }
}
