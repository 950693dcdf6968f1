import ODataText
import ODataHTTP
import ODataService
import Testing

@testable import ODataAnswers

@Suite struct ReadTests {
    /// A request and the whole body that answers it.
    struct Exchange: Sendable, CustomTestStringConvertible {
        var url: String
        var body: String
        var testDescription: String { url }

        init(_ url: String, _ body: String) {
            self.url = url
            self.body = body.split(separator: "\n").joined()
        }
    }

    @Test(arguments: [
        Exchange(
            "",
            """
            {"@odata.context":"http://service.test/$metadata","value":[
            {"name":"Technicians","kind":"EntitySet","url":"Technicians"},
            {"name":"Customers","kind":"EntitySet","url":"Customers"},
            {"name":"Sites","kind":"EntitySet","url":"Sites"},
            {"name":"WorkOrders","kind":"EntitySet","url":"WorkOrders"},
            {"name":"Tasks","kind":"EntitySet","url":"Tasks"},
            {"name":"Parts","kind":"EntitySet","url":"Parts"},
            {"name":"TimeEntries","kind":"EntitySet","url":"TimeEntries"},
            {"name":"Attachments","kind":"EntitySet","url":"Attachments"},
            {"name":"Depot","kind":"Singleton","url":"Depot"}]}
            """
        ),
        Exchange(
            "Parts",
            """
            {"@odata.context":"http://service.test/$metadata#Parts","value":[
            {"@odata.etag":"W/\\"6\\"","Number":"P1","Name":"Bolt","Description":null,"UnitPrice":0.10,
            "InStock":5,"Barcode":9007199254740993,"Weight":null,"IsHazardous":null,
            "DiscontinuedOn":null,"Icon":"AQID"},
            {"@odata.etag":"W/\\"7\\"","Number":"P2","Name":"Nut","Description":null,"UnitPrice":0.05,
            "InStock":7,"Barcode":null,"Weight":null,"IsHazardous":null,"DiscontinuedOn":null,"Icon":null}]}
            """
        ),
        Exchange(
            "Customers('C%2F2')",
            """
            {"@odata.context":"http://service.test/$metadata#Customers/$entity","@odata.etag":"W/\\"5\\"",
            "ID":"C/2","Name":"Two's","Email":null,"Phone":null,
            "Address":{"Street":null,"PostalCode":null,"City":"Ulm","Country":"DE",
            "Location":{"Latitude":48.4,"Longitude":10}},
            "BillingAddress":{"Street":null,"PostalCode":null,"City":"Ulm","Country":"DE","Location":null},
            "CreditLimit":null,"Since":"2021-05-01","Tags":["x"],"Notes":null}
            """
        ),
        Exchange(
            "WorkOrders(2)/FieldService.EmergencyWorkOrder?$select=Hazard",
            """
            {"@odata.context":"http://service.test/$metadata#WorkOrders/FieldService.EmergencyWorkOrder(Hazard)/$entity",
            "@odata.type":"#FieldService.EmergencyWorkOrder","@odata.etag":"W/\\"9\\"","ID":2,"Hazard":"smoke"}
            """
        ),
        Exchange(
            "WorkOrders/FieldService.EmergencyWorkOrder?$select=Severity",
            """
            {"@odata.context":"http://service.test/$metadata#WorkOrders/FieldService.EmergencyWorkOrder(Severity)",
            "value":[{"@odata.type":"#FieldService.EmergencyWorkOrder","@odata.etag":"W/\\"9\\"","ID":2,"Severity":1}]}
            """
        ),
        Exchange(
            "WorkOrders?$select=Title&$expand=Tasks($select=Title),Customer($select=Name),RequiredParts($select=Name)",
            """
            {"@odata.context":"http://service.test/$metadata#WorkOrders(Title,Tasks(Title),Customer(Name),
            RequiredParts(Name))","value":[
            {"@odata.etag":"W/\\"8\\"","ID":1,"Title":"Lamp",
            "Tasks":[{"@odata.etag":"W/\\"11\\"","ID":1,"Title":"Look"},
            {"@odata.etag":"W/\\"12\\"","ID":2,"Title":"Mend"}],
            "Customer":{"@odata.etag":"W/\\"2\\"","ID":"C1","Name":"Å & Co"},
            "RequiredParts":[{"@odata.etag":"W/\\"6\\"","Number":"P1","Name":"Bolt"}]},
            {"@odata.type":"#FieldService.EmergencyWorkOrder","@odata.etag":"W/\\"9\\"","ID":2,"Title":"Fire",
            "Tasks":[],"Customer":{"@odata.etag":"W/\\"2\\"","ID":"C1","Name":"Å & Co"},"RequiredParts":[]},
            {"@odata.etag":"W/\\"10\\"","ID":3,"Title":"Door","Tasks":[],"Customer":null,"RequiredParts":[]}]}
            """
        ),
        Exchange(
            "WorkOrders(1)?$select=ID&$expand=Tasks($filter=Position eq 2;$count=true;$select=ID)",
            """
            {"@odata.context":"http://service.test/$metadata#WorkOrders(ID,Tasks(ID))/$entity",
            "@odata.etag":"W/\\"8\\"","ID":1,"Tasks@odata.count":1,
            "Tasks":[{"@odata.etag":"W/\\"12\\"","ID":2}]}
            """
        ),
        Exchange(
            "Customers('C1')/Contacts?$orderby=Name desc&$top=1",
            """
            {"@odata.context":"http://service.test/$metadata#Customers('C1')/Contacts","value":[
            {"@odata.etag":"W/\\"4\\"","ID":2,"Name":"Cy","Role":null,"Email":null,"Phone":null,"IsPrimary":true}]}
            """
        ),
        Exchange(
            "Customers('C1')/Contacts(1)?$select=Name",
            """
            {"@odata.context":"http://service.test/$metadata#Customers('C1')/Contacts(Name)/$entity",
            "@odata.etag":"W/\\"3\\"","ID":1,"Name":"Bo"}
            """
        ),
        Exchange(
            "Depot?$select=Name",
            """
            {"@odata.context":"http://service.test/$metadata#Depot(Name)","@odata.etag":"W/\\"13\\"","Name":"Main"}
            """
        ),
        Exchange(
            "Customers?$count=true&$top=1&$select=Name&$filter=Address/Country eq 'CH'",
            """
            {"@odata.context":"http://service.test/$metadata#Customers(Name)","@odata.count":1,"value":[
            {"@odata.etag":"W/\\"2\\"","ID":"C1","Name":"Å & Co"}]}
            """
        ),
        Exchange(
            "Attachments",
            #"{"@odata.context":"http://service.test/$metadata#Attachments","value":[]}"#
        ),
        Exchange(
            "WorkOrders(1)/RequiredParts/$ref",
            """
            {"@odata.context":"http://service.test/$metadata#Collection($ref)","value":[
            {"@odata.id":"http://service.test/Parts('P1')"}]}
            """
        ),
        Exchange(
            "WorkOrders(1)/Customer/$ref",
            """
            {"@odata.context":"http://service.test/$metadata#$ref","@odata.id":"http://service.test/Customers('C1')"}
            """
        ),
        Exchange(
            "Customers('C1')/Address",
            """
            {"@odata.context":"http://service.test/$metadata#Customers('C1')/Address","Street":null,
            "PostalCode":null,"City":"Bern","Country":"CH","Location":null}
            """
        ),
        Exchange(
            "Customers('C1')/Address/City",
            #"{"@odata.context":"http://service.test/$metadata#Customers('C1')/Address/City","value":"Bern"}"#
        ),
        Exchange(
            "WorkOrders(3)/Tags",
            #"{"@odata.context":"http://service.test/$metadata#WorkOrders(3)/Tags","value":["a","b"]}"#
        ),
        Exchange(
            "WorkOrders(1)/DueAt",
            """
            {"@odata.context":"http://service.test/$metadata#WorkOrders(1)/DueAt","value":"2024-06-01T10:00:00+02:00"}
            """
        ),
    ])
    func answersWithJSON(_ exchange: Exchange) async throws {
        let response = await (try SampleService.make()).get(exchange.url)
        #expect(response.status == 200)
        #expect(response.headers["Content-Type"] == "application/json;odata.metadata=minimal")
        #expect(response.headers["OData-Version"] == "4.0")
        #expect(response.text == exchange.body)
    }

    @Test(arguments: [
        Exchange("Customers/$count", "2"),
        Exchange("WorkOrders/$count?$filter=Priority eq 'Urgent'", "1"),
        Exchange("WorkOrders(1)/Tasks/$count", "2"), Exchange("WorkOrders(3)/Tags/$count", "2"),
        Exchange("Customers('C1')/Address/City/$value", "Bern"),
        Exchange("WorkOrders(1)/Price/$value", "10.00"),
        Exchange("WorkOrders(1)/IsBillable/$value", "true"),
    ])
    func answersWithText(_ exchange: Exchange) async throws {
        let response = await (try SampleService.make()).get(exchange.url)
        #expect(response.status == 200)
        #expect(response.headers["Content-Type"] == "text/plain;charset=utf-8")
        #expect(response.text == exchange.body)
    }

    @Test func answersBinaryAsBytes() async throws {
        let response = await (try SampleService.make()).get("Parts('P1')/Icon/$value")
        #expect(response.headers["Content-Type"] == "application/octet-stream")
        #expect(response.body == [1, 2, 3])
    }

    @Test(arguments: [
        "WorkOrders(3)/Customer", "WorkOrders(3)/Customer/$ref", "Customers('C1')/BillingAddress",
    ])
    func answersNullWithNoContent(_ url: String) async throws {
        let response = await (try SampleService.make()).get(url)
        #expect(response.status == 204)
        #expect(response.body.isEmpty)
    }

    @Test func answersHeadWithoutBody() async throws {
        let response = await (try SampleService.make()).send("HEAD", "Parts('P1')")
        #expect(response.status == 200)
        #expect(response.headers["ETag"] == "W/\"6\"")
        #expect(response.body.isEmpty)
    }

    @Test func answersQueryInBody() async throws {
        let response = await (try SampleService.make()).send(
            "POST",
            "Parts/$query",
            ["Content-Type": "text/plain"],
            "$filter=InStock gt 5&$select=Name"
        )
        #expect(
            response.text
                == #"{"@odata.context":"http://service.test/$metadata#Parts(Name)","value":["#
                + #"{"@odata.etag":"W/\"7\"","Number":"P2","Name":"Nut"}]}"#
        )
    }

    @Test func linksToFurtherPagesOfAQueryInABody() async throws {
        var options = StandaloneOptions()
        options.service.pageSize = 1
        let service = try await SampleService.make(options)
        let first = await service.send(
            "POST",
            "Parts/$query",
            ["Content-Type": "text/plain"],
            "$filter=InStock gt 0&$select=Name"
        )
        let tree = try #require(JSONTree(first.body))
        let link = try #require(tree.string("@odata.nextLink"))
        #expect(link.contains("$filter=InStock%20gt%200"))
        #expect(await service.get(TestService.relative(link)).status == 200)
    }

    @Test(arguments: [
        ("Nope", 404), ("WorkOrders(9)", 404), ("WorkOrders(9)/Tasks", 404),
        ("WorkOrders(9)/Customer", 404),
        ("Customers('C1')/Nope", 404), ("WorkOrders?$filter=Nope eq 1", 400),
        ("WorkOrders?$filter=", 400),
        ("WorkOrders('x')", 400), ("WorkOrders?$top=-1", 400), ("Parts?$skiptoken=abc", 400),
        ("Parts?$format=atom", 406), ("$batch", 405),
    ])
    func answersWrongReadsWithStatusAndError(url: String, status: Int) async throws {
        let response = await (try SampleService.make()).get(url)
        #expect(response.status == status, "\(response.text)")
        let tree = try #require(JSONTree(response.body))
        let error = try #require(tree.member("error"))
        #expect(tree.string("code", of: error)?.isEmpty == false)
        #expect(tree.string("message", of: error)?.isEmpty == false)
    }

    // MARK: Metadata

    @Test(
        arguments: [
            ("$metadata", [:], true), ("$metadata?$format=xml", [:], true),
            ("$metadata?$format=json", [:], false),
            ("$metadata?$format=application/json", [:], false),
            ("$metadata", ["Accept": "application/json"], false),
            // Clients of version 4.0 mean their other requests where they take XML, too.
            ("$metadata", ["Accept": "application/json, application/xml;q=0.5"], true),
            ("$metadata", ["Accept": "application/json", "OData-MaxVersion": "4.01"], false),
            ("$metadata", ["Accept": "application/json, */*", "OData-MaxVersion": "4.01"], true),
            ("$metadata", ["Accept": "application/xml", "OData-MaxVersion": "4.01"], true),
        ] as [(String, HTTPHeaders, Bool)]
    )
    func answersTheMetadataAsCSDLJSON(_ url: String, _ headers: HTTPHeaders, _ isXML: Bool)
        async throws
    {
        let service = try await SampleService.make()
        let response = await service.get(url, headers)
        #expect(response.status == 200)
        #expect(
            response.headers["Content-Type"] == (isXML ? "application/xml" : "application/json")
        )
        #expect(
            response.text.hasPrefix(isXML ? "<" : #"{"$Version":"4"#),
            "\(response.text.prefix(80))"
        )
        let other = await service.get("$metadata?$format=" + (isXML ? "json" : "xml"))
        #expect(other.headers["ETag"] != response.headers["ETag"])
    }

    // MARK: Conditional reads

    @Test(arguments: [
        ("Parts('P1')", "W/\"6\"", 304), ("Parts('P1')", "\"6\"", 304), ("Parts('P1')", "*", 304),
        ("Parts('P1')", "W/\"5\", W/\"6\"", 304), ("Parts('P1')", "W/\"7\"", 200),
    ])
    func comparesETags(url: String, tags: String, status: Int) async throws {
        let response = await (try SampleService.make()).get(url, ["If-None-Match": tags])
        #expect(response.status == status)
        #expect(response.headers["ETag"] == "W/\"6\"")
    }

    @Test func comparesTheETagOfTheMetadata() async throws {
        let service = try await SampleService.make()
        let first = await service.get("$metadata")
        #expect(first.headers["Content-Type"] == "application/xml")
        let etag = try #require(first.headers["ETag"])
        #expect(await service.get("$metadata", ["If-None-Match": etag]).status == 304)
    }
}

/// Full control information (OData JSON 4.01 § 3.1.2).
@Suite struct FullMetadataTests {
    @Test func tellsTypesAndLinks() async throws {
        let response = await (try SampleService.make()).get(
            "Tasks(1)",
            ["Accept": "application/json;odata.metadata=full"]
        )
        #expect(
            response.text
                == ##"{"@odata.context":"http://service.test/$metadata#Tasks/$entity","@odata.type":"#FieldService.Task","##
                + ##""@odata.etag":"W/\"11\"","@odata.id":"http://service.test/Tasks(1)","@odata.editLink":"Tasks(1)","##
                + ##""ID@odata.type":"#Int32","ID":1,"WorkOrderID@odata.type":"#Int32","WorkOrderID":1,"##
                + ##""Position@odata.type":"#Int16","Position":1,"Title":"Look","Notes":null,"IsDone":false,"##
                + ##""DoneAt@odata.type":"#DateTimeOffset","DoneAt":null,"Effort@odata.type":"#Duration","Effort":null,"##
                + ##""WorkOrder@odata.associationLink":"http://service.test/Tasks(1)/WorkOrder/$ref","##
                + ##""WorkOrder@odata.navigationLink":"http://service.test/Tasks(1)/WorkOrder"}"##
        )
    }

    @Test func tellsLinksOfContainedEntities() async throws {
        let response = await (try SampleService.make()).get(
            "Customers('C1')/Contacts(1)?$select=Name",
            ["Accept": "application/json;odata.metadata=full"]
        )
        #expect(
            response.text.contains(
                #""@odata.id":"http://service.test/Customers('C1')/Contacts(1)""#
            )
        )
    }
}
