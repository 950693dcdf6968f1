import ODataText
import ODataHTTP
import Testing

@testable import ODataAnswers
@testable import ODataService

@Suite struct DeltaTests {
    private static let tracking: HTTPHeaders = ["Prefer": "odata.track-changes"]
    private static let newest: HTTPHeaders = [
        "Prefer": "track-changes", "OData-MaxVersion": "4.01", "Accept": "application/json",
    ]

    private func service(_ change: (inout StandaloneOptions) -> Void = { _ in }) async throws
        -> TestService
    {
        var options = StandaloneOptions()
        options.tracksChanges = true
        change(&options)
        return try await SampleService.make(options)
    }

    /// Asks for a result with change tracking and answers its delta link.
    private func link(_ service: TestService, _ url: String) async throws -> String {
        let response = await service.get(url, Self.tracking)
        #expect(response.headers["Preference-Applied"] == "odata.track-changes")
        return try deltaLink(response)
    }

    private func deltaLink(_ response: HTTPResponse) throws -> String {
        let link = try #require(
            JSONTree(response.body)?.string("@odata.deltaLink"),
            "\(response.text)"
        )
        return TestService.relative(link)
    }

    /// The items of a delta answer, without context and links.
    private func items(_ response: HTTPResponse) throws -> String {
        let tree = try #require(JSONTree(response.body))
        let node = try #require(tree.member("value"), "\(response.text)")
        return String(decoding: tree.text(node), as: UTF8.self)
    }

    @Test func tellsNothingWhileNothingChanges() async throws {
        let service = try await service()
        let link = try await link(service, "Parts?$select=Name")
        let response = await service.get(link)
        #expect(
            response.text.hasPrefix(
                #"{"@odata.context":"http://service.test/$metadata#Parts(Name)/$delta","value":[],"@odata.deltaLink":"#
            )
        )
        #expect(try items(await service.get(try deltaLink(response))) == "[]")
    }

    /// `/$count` on a delta link asks for the number of changes (OData 4.01 Part 1 § 11.3.2).
    @Test func countsChanges() async throws {
        let service = try await service()
        let link = try await link(service, "Parts?$select=Name")
        let count = link.replacing("Parts?", with: "Parts/$count?")
        #expect(await service.get(count).text == "0")
        _ = await service.send("PATCH", "Parts('P1')", [:], #"{"Name":"Screw"}"#)
        _ = await service.send("DELETE", "Parts('P2')")
        let answer = await service.get(count, ["Accept": "text/plain"])
        #expect(answer.status == 200 && answer.text == "2")
        #expect(await service.get(link).status == 200)
    }

    @Test func tellsChangesInTheFormOfVersion40() async throws {
        let service = try await service()
        let link = try await link(service, "Parts?$select=Name")
        _ = await service.send(
            "POST",
            "Parts",
            [:],
            #"{"Number":"P3","Name":"Pin","UnitPrice":1,"InStock":1}"#
        )
        _ = await service.send("PATCH", "Parts('P1')", [:], #"{"Name":"Screw"}"#)
        _ = await service.send("DELETE", "Parts('P2')")
        let response = await service.get(link)
        #expect(
            try items(response)
                == #"[{"@odata.context":"http://service.test/$metadata#Parts/$deletedEntity","#
                + #""id":"http://service.test/Parts('P2')","reason":"deleted"},"#
                + #"{"@odata.etag":"W/\"15\"","Number":"P1","Name":"Screw"},"#
                + #"{"@odata.etag":"W/\"14\"","Number":"P3","Name":"Pin"}]"#
        )
        #expect(try items(await service.get(try deltaLink(response))) == "[]")
    }

    @Test func tellsWhoLosesALinkWithWhatIsDeleted() async throws {
        let service = try await service()
        let added = await service.send(
            "POST",
            "WorkOrders(1)/RequiredParts/$ref",
            [:],
            #"{"@odata.id":"http://service.test/Parts('P2')"}"#
        )
        #expect(added.status == 204)
        let first = await service.get(
            "WorkOrders?$select=Title&$expand=RequiredParts($select=Name)",
            Self.newest
        )
        let link = try #require(JSONTree(first.body)?.string("@odata.deltaLink"))
        _ = await service.send("DELETE", "Parts('P2')")
        let changes = try items(await service.get(TestService.relative(link), Self.newest))
        #expect(changes.contains(#""ID":1,"#) && changes.contains(#""RequiredParts":["#))
        #expect(!changes.contains("P2"), "\(changes)")
    }

    @Test func tellsChangesInTheFormOfVersion401() async throws {
        let service = try await service()
        let link = try await link(service, "WorkOrders?$select=Title&$expand=Tasks($select=Title)")
        _ = await service.send("POST", "WorkOrders(1)/Tasks", [:], #"{"Title":"Sub"}"#)
        _ = await service.send("DELETE", "Tasks(2)", ["If-Match": "*"])
        _ = await service.send("PATCH", "Tasks(1)", ["If-Match": "*"], #"{"Title":"Peer"}"#)
        _ = await service.send("DELETE", "WorkOrders(3)", ["If-Match": "*"])
        let response = await service.get(link, Self.newest)
        #expect(response.headers["OData-Version"] == "4.01")
        #expect(
            try items(response)
                == #"[{"@removed":{"reason":"deleted"},"@id":"http://service.test/WorkOrders(3)"},"#
                + #"{"@odata.etag":"W/\"8\"","ID":1,"Title":"Lamp","Tasks":[{"@odata.etag":"W/\"15\"","#
                + #""ID":1,"Title":"Peer"},{"@odata.etag":"W/\"14\"","ID":3,"Title":"Sub"}]}]"#
        )
    }

    @Test func tellsWhatIsBelowWithLinksInVersion40() async throws {
        let service = try await service()
        let link = try await link(service, "WorkOrders?$select=Title&$expand=Tasks")
        _ = await service.send("PATCH", "Tasks(1)", ["If-Match": "*"], #"{"WorkOrderID":3}"#)
        _ = await service.send("DELETE", "Tasks(2)", ["If-Match": "*"])
        #expect(
            try items(await service.get(link))
                == #"[{"@odata.context":"http://service.test/$metadata#Tasks/$deletedEntity","#
                + #""id":"http://service.test/Tasks(2)","reason":"deleted"},"#
                + #"{"@odata.context":"http://service.test/$metadata#Tasks/$entity","@odata.etag":"W/\"14\"","#
                + #""ID":1,"WorkOrderID":3,"Position":1,"Title":"Look","Notes":null,"IsDone":false,"DoneAt":null,"#
                + #""Effort":null},"#
                + #"{"@odata.context":"http://service.test/$metadata#WorkOrders/$deletedLink","#
                + #""source":"http://service.test/WorkOrders(1)","relationship":"Tasks","target":"http://service.test/Tasks(1)"},"#
                + #"{"@odata.context":"http://service.test/$metadata#WorkOrders/$link","#
                + #""source":"http://service.test/WorkOrders(3)","relationship":"Tasks","target":"http://service.test/Tasks(1)"},"#
                + #"{"@odata.context":"http://service.test/$metadata#WorkOrders/$deletedLink","#
                + #""source":"http://service.test/WorkOrders(1)","relationship":"Tasks","target":"http://service.test/Tasks(2)"}]"#
        )
    }

    @Test func tellsLinksOfManyToMany() async throws {
        let service = try await service()
        let link = try await link(
            service,
            "WorkOrders?$select=Title&$expand=RequiredParts($select=Name)"
        )
        _ = await service.send(
            "POST",
            "WorkOrders(3)/RequiredParts/$ref",
            [:],
            #"{"@odata.id":"Parts('P2')"}"#
        )
        let newest = try items(await service.get(link, Self.newest))
        #expect(
            newest
                == #"[{"@odata.etag":"W/\"15\"","ID":3,"Title":"Door","#
                + #""RequiredParts":[{"@odata.etag":"W/\"14\"","Number":"P2","Name":"Nut"}]}]"#,
            "\(newest)"
        )
        let first = try items(await service.get(link))
        #expect(
            first
                == #"[{"@odata.etag":"W/\"15\"","ID":3,"Title":"Door"},"#
                + #"{"@odata.context":"http://service.test/$metadata#Parts/$entity","@odata.etag":"W/\"14\"","#
                + #""Number":"P2","Name":"Nut"},"#
                + #"{"@odata.context":"http://service.test/$metadata#WorkOrders/$link","#
                + #""source":"http://service.test/WorkOrders(3)","relationship":"RequiredParts","#
                + #""target":"http://service.test/Parts('P2')"}]"#,
            "\(first)"
        )
    }

    @Test func tellsChangesOfContainedEntitiesWithTheirParent() async throws {
        let service = try await service()
        let link = try await link(service, "Customers?$select=Name&$expand=Contacts($select=Name)")
        _ = await service.send("PATCH", "Customers('C1')/Contacts(1)", [:], #"{"Name":"Bob"}"#)
        _ = await service.send("DELETE", "Customers('C1')/Contacts(2)")
        let expected =
            #"[{"@odata.etag":"W/\"2\"","ID":"C1","Name":"Å & Co","Contacts":["#
            + #"{"@odata.etag":"W/\"14\"","ID":1,"Name":"Bob"}]}]"#
        #expect(try items(await service.get(link)) == expected)
        #expect(try items(await service.get(link, Self.newest)) == expected)
    }

    @Test func tellsWhatLeftTheResult() async throws {
        let service = try await service()
        let link = try await link(service, "Parts?$filter=InStock gt 5&$select=Name")
        _ = await service.send("PATCH", "Parts('P2')", [:], #"{"InStock":1}"#)
        _ = await service.send("PATCH", "Parts('P1')", [:], #"{"InStock":6}"#)
        #expect(
            try items(await service.get(link, Self.newest))
                == #"[{"@removed":{"reason":"changed"},"@id":"http://service.test/Parts('P2')"},"#
                + #"{"@odata.etag":"W/\"15\"","Number":"P1","Name":"Bolt"}]"#
        )
    }

    @Test func pagesChanges() async throws {
        let service = try await service { $0.service.pageSize = 2 }
        let first = await service.get("Parts?$select=Name", Self.tracking)
        var link = try deltaLink(first)
        for number in 3...7 {
            _ = await service.send(
                "POST",
                "Parts",
                [:],
                #"{"Number":"P\#(number)","Name":"x","UnitPrice":1,"InStock":1}"#
            )
        }
        var counts: [Int] = []
        while counts.count < 10 {
            let tree = try #require(JSONTree(await service.get(link).body))
            guard let items = tree.member("value")?.items else { break }
            counts.append(items.count)
            guard let next = tree.string("@odata.nextLink") else { break }
            link = TestService.relative(next)
        }
        #expect(counts == [2, 2, 1])
    }

    @Test func beginsAtTheFirstPage() async throws {
        let service = try await service { $0.service.pageSize = 1 }
        let first = await service.get("Parts?$select=Name", Self.tracking)
        let next = try #require(JSONTree(first.body)?.string("@odata.nextLink"))
        _ = await service.send("PATCH", "Parts('P1')", [:], #"{"Name":"Screw"}"#)
        let second = await service.get(TestService.relative(next))
        #expect(
            try items(await service.get(try deltaLink(second)))
                == #"[{"@odata.etag":"W/\"14\"","Number":"P1","Name":"Screw"}]"#
        )
    }

    @Test func forgetsOldChanges() async throws {
        var settings = TableStoreSettings()
        settings.changeLogLimit = 2
        var options = StandaloneOptions()
        options.tracksChanges = true
        let service = try await SampleService.make(options, settings: settings)
        let link = try await link(service, "Parts")
        for _ in 0..<2 { _ = await service.send("PATCH", "Parts('P1')", [:], #"{"InStock":1}"#) }
        #expect(await service.get(link).status == 200)
        _ = await service.send("PATCH", "Parts('P1')", [:], #"{"InStock":1}"#)
        #expect(await service.get(link).status == 410)
    }

    @Test func refusesTokensOfOtherRequests() async throws {
        let service = try await service()
        let link = try await link(service, "Parts")
        #expect(
            await service.get(link.replacing("Parts?", with: "Parts?$filter=InStock eq 1&")).status
                == 400
        )
        #expect(await service.get("Parts?$deltatoken=abc").status == 400)
    }

    @Test func givesNoLinkWhereNothingIsTracked() async throws {
        let service = try await SampleService.make()
        let response = await service.get("Parts", Self.tracking)
        #expect(response.headers["Preference-Applied"] == nil)
        #expect(JSONTree(response.body)?.string("@odata.deltaLink") == nil)
        #expect(await service.get("Parts?$deltatoken=abc").status == 501)
    }

    /// Where related entities decide what belongs to the result, or rows are no entities, there is no delta link rather than a wrong one.
    @Test(arguments: [
        ("WorkOrders?$filter=Customer/Name eq 'x'", false),
        ("WorkOrders?$filter=Tasks/any()", false),
        ("WorkOrders?$filter=Tasks/$count gt 1", false),
        ("WorkOrders?$filter=not (ID in (1,2) and Tasks/any(t:t/Title eq 'x'))", false),
        ("WorkOrders?$compute=Customer/Name as X&$select=ID,X", false),
        ("WorkOrders?$apply=groupby((CustomerID))", false),
        ("WorkOrders?$expand=Tasks($filter=Title eq 'x')", false),
        ("WorkOrders?$filter=Title eq 'x'&$expand=Tasks", false),
        ("WorkOrders?$expand=Tasks($top=1)", false), ("WorkOrders?$expand=Tasks($search=x)", false),
        ("WorkOrders?$filter=Title eq 'x' and Tags/any(t:t eq 'a')", true),
        ("WorkOrders?$compute=ID add 1 as X&$filter=X gt 2", true),
        ("WorkOrders?$expand=Tasks($select=Title)", true),
    ])
    func tracksWhatItCanTell(_ url: String, _ isTracked: Bool) async throws {
        let response = await (try service()).get(url, Self.tracking)
        #expect(response.status == 200, "\(response.text)")
        let link = JSONTree(response.body)?.string("@odata.deltaLink")
        #expect((link != nil) == isTracked)
    }
}

extension String {
    /// Returns the text with the first occurrence of a part replaced.
    fileprivate func replacing(_ part: String, with other: String) -> String {
        guard hasPrefix(part) else { return self }
        return other + dropFirst(part.count)
    }
}
