import ODataText
import ODataHTTP
import Testing

@testable import ODataAnswers
import ODataService

@Suite struct WriteTests {
    // MARK: Create

    @Test func createsWithReferencesAndInlineEntities() async throws {
        let service = try await SampleService.make()
        let response = await service.send(
            "POST",
            "WorkOrders",
            [:],
            #"{"Title":"New","ID":77,"Customer@odata.bind":"Customers('C1')","Tasks":[{"Title":"T1"},{"Title":"T2"}],"#
                + #""RequiredParts@odata.bind":["http://service.test/Parts('P1')","Parts('P2')"]}"#
        )
        #expect(response.status == 201)
        #expect(response.headers["Location"] == "http://service.test/WorkOrders(4)")
        #expect(response.headers["ETag"] == "W/\"14\"")
        #expect(
            response.text
                == #"{"@odata.context":"http://service.test/$metadata#WorkOrders/$entity","#
                + #""@odata.etag":"W/\"14\"","#
                + #""ID":4,"Title":"New","Description":null,"Priority":"Normal","Status":"Open","CustomerID":"C1","#
                + #""SiteID":null,"AssignedToID":null,"RequestedAt":null,"DueAt":null,"ScheduledOn":null,"#
                + #""EstimatedEffort":null,"Price":null,"Discount":null,"IsBillable":true,"ExternalReference":null,"#
                + #""Tags":[],"ChangedAt":"2024-05-01T08:00:00Z","Tasks":[{"@odata.etag":"W/\"17\"","ID":3,"#
                + #""WorkOrderID":4,"Position":1,"Title":"T1","Notes":null,"IsDone":false,"DoneAt":null,"Effort":null},"#
                + #"{"@odata.etag":"W/\"18\"","ID":4,"WorkOrderID":4,"Position":1,"Title":"T2","Notes":null,"#
                + #""IsDone":false,"DoneAt":null,"Effort":null}]}"#
        )
        let related = await service.get(
            "WorkOrders(4)?$select=ID&$expand=Tasks($select=Title),RequiredParts($select=Name)"
        )
        #expect(
            related.text
                == #"{"@odata.context":"http://service.test/$metadata#WorkOrders(ID,Tasks(Title),RequiredParts(Name))/$entity","#
                + #""@odata.etag":"W/\"14\"","ID":4,"Tasks":[{"@odata.etag":"W/\"17\"","ID":3,"Title":"T1"},"#
                + #"{"@odata.etag":"W/\"18\"","ID":4,"Title":"T2"}],"RequiredParts":[{"@odata.etag":"W/\"15\"","#
                + #""Number":"P1","Name":"Bolt"},{"@odata.etag":"W/\"16\"","Number":"P2","Name":"Nut"}]}"#
        )
    }

    @Test func createsWithoutRepresentation() async throws {
        let response = await (try SampleService.make()).send(
            "POST",
            "WorkOrders",
            ["Prefer": "return=minimal"],
            #"{"Title":"New"}"#
        )
        #expect(response.status == 204)
        #expect(response.body.isEmpty)
        #expect(response.headers["Location"] == "http://service.test/WorkOrders(4)")
        #expect(response.headers["OData-EntityId"] == "http://service.test/WorkOrders(4)")
        #expect(response.headers["Preference-Applied"] == "return=minimal")
    }

    @Test(arguments: [
        ("WorkOrders(1)/Tasks", #"{"Title":"Sub"}"#, "http://service.test/Tasks(3)"),
        (
            "Customers('C1')/Contacts", #"{"Name":"Di"}"#,
            "http://service.test/Customers('C1')/Contacts(3)"
        ),
        (
            "Customers",
            #"{"ID":"a b/'é","Name":"x","Address":{"City":"a","Country":"b"},"Since":"2020-01-01"}"#,
            "http://service.test/Customers('a%20b%2F''%C3%A9')"
        ),
        (
            "WorkOrders/FieldService.EmergencyWorkOrder", #"{"Title":"Sub"}"#,
            "http://service.test/WorkOrders(4)"
        ),
    ])
    func namesWhatItCreated(url: String, body: String, location: String) async throws {
        let service = try await SampleService.make()
        let response = await service.send("POST", url, [:], body)
        #expect(response.status == 201, "\(response.text)")
        #expect(response.headers["Location"] == location)
        #expect(await service.get(TestService.relative(location)).status == 200)
    }

    @Test func createsWithRandomGuidsAndTexts() async throws {
        let service = try await SampleService.make()
        let technician = await service.send(
            "POST",
            "Technicians",
            [:],
            #"{"Name":"Eve","HiredOn":"2024-01-01","HourlyRate":1,"Skills":"None"}"#
        )
        let id = try #require(JSONTree(technician.body)?.string("ID"))
        #expect(id.utf8.count == 36)
        let part = await service.send(
            "POST",
            "Parts",
            [:],
            #"{"Name":"Pin","UnitPrice":1,"InStock":1}"#
        )
        #expect(JSONTree(part.body)?.string("Number")?.isEmpty == false)
    }

    @Test func neverGivesAKeyTwice() async throws {
        let service = try await SampleService.make()
        _ = await service.send("POST", "WorkOrders", [:], #"{"Title":"A"}"#)
        _ = await service.send("DELETE", "WorkOrders(4)", ["If-Match": "*"])
        let response = await service.send("POST", "WorkOrders", [:], #"{"Title":"B"}"#)
        #expect(response.headers["Location"] == "http://service.test/WorkOrders(5)")
    }

    @Test(arguments: [
        ("WorkOrders", #"{"Titl":"x","Title":"x"}"#, 400), ("WorkOrders", #"{}"#, 400),
        ("WorkOrders", #"{"Title":null}"#, 400), ("WorkOrders", #"{"Title":5}"#, 400),
        ("WorkOrders", #"{"Title":"x","#, 400), ("WorkOrders", "[]", 400), ("WorkOrders", "", 400),
        ("WorkOrders", #"{"Title":"x","Priority":"Highest"}"#, 400),
        ("WorkOrders", #"{"Title":"x","Customer@odata.bind":"Customers('C9')"}"#, 400),
        (
            "WorkOrders",
            #"{"Title":"x","Customer@odata.bind":"http://other.test/Customers('C1')"}"#, 400
        ),
        (
            "Customers",
            #"{"ID":"12345678901","Name":"x","Address":{"City":"a","Country":"b"},"Since":"2020-01-01"}"#,
            400
        ),
        ("Customers", #"{"ID":"C3","Name":"x","Address":{"City":"a"},"Since":"2020-01-01"}"#, 400),
        (
            "Customers",
            #"{"ID":"C1","Name":"x","Address":{"City":"a","Country":"b"},"Since":"2020-01-01"}"#,
            409
        ),
        ("WorkOrders(9)/Tasks", #"{"Title":"x"}"#, 404), ("WorkOrders(1)", #"{"Title":"x"}"#, 405),
        ("$metadata", "{}", 405), ("Nope", "{}", 404),
    ])
    func refusesToCreate(url: String, body: String, status: Int) async throws {
        let service = try await SampleService.make()
        let response = await service.send("POST", url, [:], body)
        #expect(response.status == status, "\(response.text)")
        #expect(await service.get("WorkOrders/$count").text == "3")
        #expect(await service.get("Customers/$count").text == "2")
    }

    @Test func refusesBodiesOfOtherTypes() async throws {
        let response = await (try SampleService.make()).send(
            "POST",
            "WorkOrders",
            ["Content-Type": "application/xml"],
            "<x/>"
        )
        #expect(response.status == 415)
    }

    @Test func refusesLargeBodies() async throws {
        var options = StandaloneOptions()
        options.service.limits.bodyBytes = 20
        let service = try await SampleService.make(options)
        #expect(
            await service.send("POST", "WorkOrders", [:], #"{"Title":"12345678"}"#).status == 201
        )
        #expect(
            await service.send("POST", "WorkOrders", [:], #"{"Title":"123456789"}"#).status == 413
        )
    }

    // MARK: Update

    @Test func mergesWhatThePatchMentions() async throws {
        let service = try await SampleService.make()
        let response = await service.send(
            "PATCH",
            "Customers('C1')",
            ["If-Match": "W/\"2\"", "Prefer": "return=representation"],
            #"{"ID":"other","Notes":"n","Address":{"City":"Basel"}}"#
        )
        #expect(response.status == 200)
        #expect(response.headers["Preference-Applied"] == "return=representation")
        #expect(
            response.text
                == #"{"@odata.context":"http://service.test/$metadata#Customers/$entity","@odata.etag":"W/\"14\"","#
                + #""ID":"C1","Name":"Å & Co","Email":null,"Phone":null,"Address":{"Street":null,"PostalCode":null,"#
                + #""City":"Basel","Country":"CH","Location":null},"BillingAddress":null,"CreditLimit":1000.00,"#
                + #""Since":"2020-05-01","Tags":[],"Notes":"n"}"#
        )
    }

    @Test func ignoresWhatOnlyTheServiceSets() async throws {
        let service = try await SampleService.make()
        _ = await service.send(
            "PATCH",
            "WorkOrders(1)",
            ["If-Match": "*"],
            #"{"RequestedAt":"2024-01-01T00:00:00Z","ChangedAt":"2000-01-01T00:00:00Z"}"#
        )
        let response = await service.get("WorkOrders(1)?$select=RequestedAt,ChangedAt")
        #expect(
            response.text
                == #"{"@odata.context":"http://service.test/$metadata#WorkOrders(RequestedAt,ChangedAt)/$entity","#
                + #""@odata.etag":"W/\"14\"","ID":1,"RequestedAt":null,"ChangedAt":"2024-05-01T08:00:00Z"}"#
        )
    }

    @Test func replacesAllThatThePutLeavesOut() async throws {
        let service = try await SampleService.make()
        let response = await service.send(
            "PUT",
            "Parts('P1')",
            ["Prefer": "return=representation"],
            #"{"Name":"Screw","UnitPrice":0.20,"InStock":1}"#
        )
        #expect(
            response.text
                == #"{"@odata.context":"http://service.test/$metadata#Parts/$entity","@odata.etag":"W/\"14\"","#
                + #""Number":"P1","Name":"Screw","Description":null,"UnitPrice":0.20,"InStock":1,"Barcode":null,"#
                + #""Weight":null,"IsHazardous":null,"DiscontinuedOn":null,"Icon":null}"#
        )
    }

    @Test func movesByAReference() async throws {
        let service = try await SampleService.make()
        let response = await service.send(
            "PATCH",
            "WorkOrders(1)",
            ["If-Match": "*"],
            #"{"Customer@odata.bind":"Customers('C%2F2')"}"#
        )
        #expect(response.status == 204)
        #expect(await service.get("WorkOrders(1)/CustomerID/$value").text == "C/2")
    }

    @Test func takesTunnelledMethods() async throws {
        let service = try await SampleService.make()
        let response = await service.send(
            "POST",
            "Parts('P1')",
            ["X-HTTP-Method": "MERGE"],
            #"{"InStock":9}"#
        )
        #expect(response.status == 204)
        #expect(await service.get("Parts('P1')/InStock/$value").text == "9")
    }

    @Test func createsByUpsertWhereTheClientMakesKeys() async throws {
        let service = try await SampleService.make()
        let body = #"{"Name":"Pin","UnitPrice":1,"InStock":1}"#
        let response = await service.send("PUT", "Parts('P9')", [:], body)
        #expect(response.status == 201)
        #expect(response.headers["Location"] == "http://service.test/Parts('P9')")
        #expect(await service.send("PATCH", "Parts('P8')", [:], body).status == 201)
        #expect(await service.send("PATCH", "Parts('P7')", ["If-Match": "*"], body).status == 412)
        #expect(await service.send("PATCH", "WorkOrders(9)", [:], #"{"Title":"x"}"#).status == 404)
    }

    @Test func refusesUpsertsWhereItIsToldTo() async throws {
        var options = StandaloneOptions()
        options.service.allowsUpsert = false
        let service = try await SampleService.make(options)
        #expect(await service.send("PUT", "Parts('P9')", [:], "{}").status == 404)
    }

    // MARK: Delete

    @Test func deletesWithWhatHangsOnIt() async throws {
        let service = try await SampleService.make()
        #expect(
            await service.send("DELETE", "WorkOrders(1)", ["If-Match": "W/\"8\""]).status == 204
        )
        #expect(await service.get("WorkOrders(1)").status == 404)
        #expect(await service.get("Tasks/$count").text == "0")
        #expect(await service.get("Parts/$count").text == "2")
        #expect(await service.send("DELETE", "WorkOrders(1)", ["If-Match": "*"]).status == 404)
        #expect(await service.send("DELETE", "WorkOrders").status == 405)
    }

    // MARK: Preconditions

    @Test(arguments: [
        ("PATCH", nil, 428), ("PATCH", "W/\"8\"", 204), ("PATCH", "\"8\"", 204),
        ("PATCH", "*", 204),
        ("PATCH", "W/\"7\"", 412), ("PATCH", "W/\"7\", W/\"8\"", 204), ("PATCH", "nonsense", 400),
        ("PUT", nil, 428), ("PUT", "W/\"7\"", 412), ("DELETE", nil, 428),
        ("DELETE", "W/\"7\"", 412),
        ("DELETE", "W/\"8\"", 204),
    ])
    func demandsAMatch(method: String, tags: String?, status: Int) async throws {
        var headers: HTTPHeaders = [:]
        headers["If-Match"] = tags
        let response = await (try SampleService.make()).send(
            method,
            "WorkOrders(1)",
            headers,
            method == "DELETE" ? nil : #"{"Title":"x"}"#
        )
        #expect(response.status == status, "\(response.text)")
    }

    @Test func changesTheETagOnEveryChange() async throws {
        let service = try await SampleService.make()
        let first = await service.send(
            "PATCH",
            "WorkOrders(1)",
            ["If-Match": "W/\"8\""],
            #"{"Title":"x"}"#
        )
        #expect(first.headers["ETag"] == "W/\"14\"")
        let second = await service.send(
            "PATCH",
            "WorkOrders(1)",
            ["If-Match": "W/\"8\""],
            #"{"Title":"y"}"#
        )
        #expect(second.status == 412)
        #expect(await service.get("WorkOrders(1)/Title/$value").text == "x")
    }

    @Test func createsOnlyWhereThereIsNothing() async throws {
        let response = await (try SampleService.make()).send(
            "PUT",
            "Parts('P1')",
            ["If-None-Match": "*"],
            #"{"Name":"x","UnitPrice":1,"InStock":1}"#
        )
        #expect(response.status == 412)
    }

    // MARK: Links

    @Test func linksAndUnlinks() async throws {
        let service = try await SampleService.make()
        func parts() async -> String {
            await service.get(
                "WorkOrders(1)/RequiredParts?$select=Name&$format=application/json;odata.metadata=none"
            ).text
        }
        #expect(
            await service.send(
                "POST",
                "WorkOrders(1)/RequiredParts/$ref",
                [:],
                #"{"@odata.id":"Parts('P2')"}"#
            )
            .status == 204
        )
        #expect(
            await parts()
                == #"{"value":[{"Number":"P1","Name":"Bolt"},{"Number":"P2","Name":"Nut"}]}"#
        )
        #expect(await service.get("Parts('P2')/WorkOrders/$count").text == "1")
        let url = "WorkOrders(1)/RequiredParts/$ref?$id=http%3A%2F%2Fservice.test%2FParts('P1')"
        let any: HTTPHeaders = ["If-Match": "*"]
        #expect(await service.send("DELETE", url, any).status == 204)
        let links = "WorkOrders(1)/RequiredParts"
        #expect(await service.send("DELETE", links + "('P2')/$ref", any).status == 204)
        #expect(await parts() == #"{"value":[]}"#)
        #expect(await service.send("DELETE", links + "/$ref", any).status == 400)
    }

    /// A relative `$id` with dots is held against the URL of the request.
    @Test func unlinksByARelativeID() async throws {
        let service = try await SampleService.make()
        let links = "WorkOrders(1)/RequiredParts/$ref"
        let any: HTTPHeaders = ["If-Match": "*"]
        #expect(await service.send("DELETE", links + "?$id=../Parts('P1')", any).status == 400)
        #expect(await service.send("DELETE", links + "?$id=../../Parts('P1')", any).status == 204)
        #expect(await service.get("WorkOrders(1)/RequiredParts/$count").text == "0")
    }

    @Test func linksBySettingTheForeignKey() async throws {
        let service = try await SampleService.make()
        let any: HTTPHeaders = ["If-Match": "*"]
        let body = #"{"@id":"http://service.test/Customers('C%2F2')"}"#
        #expect(await service.send("PUT", "WorkOrders(1)/Customer/$ref", any, body).status == 204)
        #expect(await service.get("WorkOrders(1)/CustomerID/$value").text == "C/2")
        #expect(await service.send("DELETE", "WorkOrders(1)/Customer/$ref", any).status == 204)
        #expect(await service.get("WorkOrders(1)/Customer").status == 204)
        #expect(await service.send("POST", "WorkOrders(1)/Customer/$ref", any, body).status == 405)
        #expect(await service.send("PUT", "WorkOrders(1)/Customer/$ref", any, "{}").status == 400)
    }

    // MARK: Properties

    @Test func changesSingleProperties() async throws {
        let service = try await SampleService.make()
        let any: HTTPHeaders = ["If-Match": "*"]
        #expect(
            await service.send("PUT", "Customers('C1')/Name", any, #"{"value":"Neu"}"#).status
                == 204
        )
        #expect(await service.get("Customers('C1')/Name/$value").text == "Neu")
        let raw: HTTPHeaders = ["If-Match": "*", "Content-Type": "text/plain"]
        #expect(
            await service.send("PUT", "Customers('C1')/Address/City/$value", raw, "Thun \"1\"")
                .status == 204
        )
        #expect(await service.get("Customers('C1')/Address/City/$value").text == "Thun \"1\"")
        #expect(
            await service.send("PATCH", "Customers('C1')/Address", any, #"{"Street":"S"}"#).status
                == 204
        )
        #expect(await service.get("Customers('C1')/Address/City/$value").text == "Thun \"1\"")
        #expect(
            await service.send(
                "PUT",
                "Customers('C1')/Address",
                any,
                #"{"City":"X","Country":"CH"}"#
            ).status == 204
        )
        #expect(await service.get("Customers('C1')/Address/Street").status == 204)
        #expect(await service.send("DELETE", "Customers('C1')/CreditLimit", any).status == 204)
        #expect(await service.get("Customers('C1')/CreditLimit").status == 204)
        #expect(await service.send("DELETE", "Customers('C1')/Name", any).status == 400)
        #expect(
            await service.send("PUT", "Customers('C1')/Name", [:], #"{"value":"Neu"}"#).status
                == 428
        )
        #expect(await service.send("POST", "Customers('C1')/Name", any, "{}").status == 405)
    }

    // MARK: Streams

    /// A part of a stream would take the place of the whole (RFC 9110 § 14.5).
    @Test func refusesAPartOfAStream() async throws {
        let service = try await SampleService.make()
        let created = await service.send(
            "POST",
            "Attachments",
            ["Content-Type": "text/plain"],
            "whole"
        )
        let url = TestService.relative(try #require(created.headers["Location"])) + "/$value"
        let put = await service.send(
            "PUT",
            url,
            ["Content-Type": "text/plain", "If-Match": "*", "Content-Range": "bytes 0-1/5"],
            "AB"
        )
        #expect(put.status == 400)
        #expect(await service.get(url).text == "whole")
    }

    @Test func keepsStreamsOfMediaEntities() async throws {
        let service = try await SampleService.make()
        let created = await service.send(
            "POST",
            "Attachments",
            ["Content-Type": "image/png"],
            "PNG"
        )
        #expect(created.status == 201)
        let location = try #require(created.headers["Location"])
        let url = TestService.relative(location)
        let first = await service.get(url + "/$value")
        #expect(first.text == "PNG")
        #expect(first.headers["Content-Type"] == "image/png")
        let etag = try #require(first.headers["ETag"])
        #expect(await service.get(url + "/$value", ["If-None-Match": etag]).status == 304)
        let large = String(repeating: "0123456789abcdef", count: 40_000)
        let put = await service.send(
            "PUT",
            url + "/$value",
            ["Content-Type": "text/plain", "If-Match": etag],
            large
        )
        #expect(put.status == 204)
        #expect(put.headers["ETag"] != etag)
        #expect(await service.get(url + "/$value").text == large)
        let stale = await service.send(
            "PUT",
            url + "/$value",
            ["Content-Type": "text/plain", "If-Match": etag],
            "x"
        )
        #expect(stale.status == 412)
        #expect(await service.send("DELETE", url + "/$value").status == 204)
        #expect(await service.get(url).status == 404)
        #expect(await service.get("Parts('P1')/$value").status == 400)
    }
}
