import OfflineOData
import ODataHTTP
import Testing

/// Pages that the client cuts by the key: what is asked for, byte for byte, and what comes of the answers.
@Suite struct ClientDrivenPagingTests {
    private static func metadata(_ types: String, version: String = "4.0") -> String {
        let namespace =
            version == "4.0"
            ? "http://docs.oasis-open.org/odata/ns/edm"
            : "http://schemas.microsoft.com/ado/2008/09/edm"
        let wrapper =
            version == "4.0"
            ? "http://docs.oasis-open.org/odata/ns/edmx"
            : "http://schemas.microsoft.com/ado/2007/06/edmx"
        return """
            <edmx:Edmx Version="\(version)" xmlns:edmx="\(wrapper)"><edmx:DataServices
            xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" m:DataServiceVersion="2.0">
            <Schema Namespace="M" xmlns="\(namespace)">\(types)</Schema></edmx:DataServices></edmx:Edmx>
            """
    }

    private static let orders = metadata(
        """
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Title" Type="Edm.String"/>
        <NavigationProperty Name="Items" Type="Collection(M.Order)"/>
        </EntityType><EntityContainer Name="C"><EntitySet Name="Orders" EntityType="M.Order"/>
        </EntityContainer>
        """
    )

    private func provider(
        _ service: RecordedService,
        _ query: String,
        size: Int = 2
    ) throws -> OfflineODataProvider {
        let provider = try service.provider { $0.clientDrivenPageSize = size }
        try provider.add(definingQuery: OfflineODataDefiningQuery(name: "Q", query: query))
        return provider
    }

    private func page(_ ids: Int..., rest: String = "") -> HTTPResponse {
        let list = ids.map { "{\"ID\":\($0),\"Title\":\"t\($0)\"}" }.joined(separator: ",")
        return RecordedService.json("{\"value\":[\(list)]\(rest)}")
    }

    private func asked(_ service: RecordedService) -> [String] {
        service.requests.filter { !$0.hasPrefix("GET $metadata") }
    }

    @Test func asksForWhatStandsBehindTheLastKey() async throws {
        let service = try RecordedService(metadata: Self.orders)
        service.set("GET Orders?$orderby=ID&$top=2", page(1, 4))
        service.set("GET Orders?$orderby=ID&$top=2&$filter=ID%20gt%204", page(7))
        service.set("GET Orders?$orderby=ID&$top=2&$filter=ID%20gt%207", page())
        let provider = try provider(service, "Orders")
        try await provider.open()
        #expect(
            asked(service) == [
                "GET Orders?$orderby=ID&$top=2",
                "GET Orders?$orderby=ID&$top=2&$filter=ID%20gt%204",
                // A short page is no end: some services bring less than they are asked for.
                "GET Orders?$orderby=ID&$top=2&$filter=ID%20gt%207",
            ]
        )
        #expect(try await provider.executeQuery("Orders?$orderby=ID").count == 3)
    }

    /// Entities inside of others have keys too, which say nothing of the next page.
    @Test func asksForWhatStandsBehindTheOuterKey() async throws {
        let service = try RecordedService(metadata: Self.orders)
        let first = "GET Orders?$expand=Items&$orderby=ID&$top=2"
        service.set(
            first,
            RecordedService.json(#"{"value":[{"ID":1,"Items":[]},{"ID":4,"Items":[{"ID":9}]}]}"#)
        )
        service.set(first + "&$filter=ID%20gt%204", page())
        let provider = try provider(service, "Orders?$expand=Items")
        try await provider.open()
        #expect(asked(service) == [first, first + "&$filter=ID%20gt%204"])
    }

    /// What the query says itself stays, but its order, which a store does not keep.
    @Test func keepsTheOptionsOfTheQuery() async throws {
        let service = try RecordedService(metadata: Self.orders)
        let start = "GET Orders?$select=ID,Title&$orderby=ID&$top=2&$filter="
        service.set(start + "Title%20ne%20null%20or%20ID%20eq%201", page(1))
        service.set(start + "(Title%20ne%20null%20or%20ID%20eq%201)%20and%20(ID%20gt%201)", page())
        let provider = try provider(
            service,
            "Orders?$filter=Title ne null or ID eq 1&$select=ID,Title&$orderby=Title desc"
        )
        try await provider.open()
        #expect(asked(service).count == 2)
        #expect(try await provider.executeQuery("Orders").count == 1)
    }

    /// A service that cuts pages all the same is followed; only where it ends is more asked for.
    @Test func followsTheLinksOfTheService() async throws {
        let service = try RecordedService(metadata: Self.orders)
        service.set(
            "GET Orders?$orderby=ID&$top=2",
            page(1, rest: ",\"@odata.nextLink\":\"Orders?$skiptoken=a\"")
        )
        service.set("GET Orders?$skiptoken=a", page(2))
        service.set("GET Orders?$orderby=ID&$top=2&$filter=ID%20gt%202", page(3, 4))
        service.set("GET Orders?$orderby=ID&$top=2&$filter=ID%20gt%204", page())
        let provider = try provider(service, "Orders")
        try await provider.open()
        #expect(asked(service).count == 4)
        #expect(try await provider.executeQuery("Orders").count == 4)
    }

    /// A load that was cut goes on as it was begun, whatever is asked for then: behind the client's own page there is more.
    @Test(arguments: [true, false], [nil, 2] as [Int?])
    func goesOnAsItWasBegun(_ isFirst: Bool, size: Int?) async throws {
        let service = try RecordedService(metadata: Self.orders)
        let start = "GET Orders?$orderby=ID&$top=2"
        let failing = HTTPResponse(status: 504)
        service.set(start, page(1, 2))
        service.set(start + "&$filter=ID%20gt%202", page(3, 4))
        service.set(start + "&$filter=ID%20gt%204", isFirst ? failing : page())
        let first = try service.provider {
            $0.clientDrivenPageSize = 2
            $0.enableBackgroundDataTransfer = true
        }
        try first.add(definingQuery: OfflineODataDefiningQuery(name: "Q", query: "Orders"))
        if isFirst {
            await #expect(throws: OfflineODataError.self) { try await first.open() }
        } else {
            try await first.open()
            service.set(start + "&$filter=ID%20gt%204", failing)
            await #expect(throws: OfflineODataError.self) { try await first.download() }
        }
        try await first.close()
        service.set(start + "&$filter=ID%20gt%204", page(5, 6))
        service.set(start + "&$filter=ID%20gt%206", page(7))
        service.set(start + "&$filter=ID%20gt%207", page())
        let second = try service.provider {
            $0.clientDrivenPageSize = size
            $0.enableBackgroundDataTransfer = true
        }
        service.clearLog()
        if isFirst { try await second.open() } else { try await second.download() }
        #expect(try await second.executeQuery("Orders").count == 7)
        #expect(asked(service).first == start + "&$filter=ID%20gt%204")
    }

    @Test func readsKeysOfSeveralProperties() async throws {
        let service = try RecordedService(
            metadata: Self.metadata(
                """
                <EntityType Name="Line"><Key><PropertyRef Name="Order"/><PropertyRef Name="Code"/>
                <PropertyRef Name="No"/></Key><Property Name="Order" Type="Edm.Int64" Nullable="false"/>
                <Property Name="Code" Type="Edm.String" Nullable="false"/>
                <Property Name="No" Type="Edm.Guid" Nullable="false"/></EntityType>
                <EntityContainer Name="C"><EntitySet Name="Lines" EntityType="M.Line"/></EntityContainer>
                """
            )
        )
        let first = "GET Lines?$orderby=Order,Code,No&$top=5"
        let id = "01234567-89ab-cdef-0123-456789abcdef"
        service.set(
            first,
            RecordedService.json(
                "{\"value\":[{\"Order\":9007199254740993,\"Code\":\"O'Neil & ü/#\",\"No\":\"\(id)\"}]}"
            )
        )
        let code = "'O''Neil%20%26%20%C3%BC%2F%23'"
        let next =
            first + "&$filter=(Order%20gt%209007199254740993)"
            + "%20or%20(Order%20eq%209007199254740993%20and%20Code%20gt%20\(code))"
            + "%20or%20(Order%20eq%209007199254740993%20and%20Code%20eq%20\(code)%20and%20No%20gt%20\(id))"
        service.set(next, RecordedService.json("{\"value\":[]}"))
        let provider = try provider(service, "Lines", size: 5)
        try await provider.open()
        #expect(asked(service) == [first, next])
    }

    /// Versions 1 to 3 write literals of their own.
    @Test func speaksOlderVersions() async throws {
        let service = try RecordedService(
            metadata: Self.metadata(
                """
                <EntityType Name="Visit"><Key><PropertyRef Name="At"/><PropertyRef Name="No"/></Key>
                <Property Name="At" Type="Edm.DateTime" Nullable="false"/>
                <Property Name="No" Type="Edm.Int64" Nullable="false"/></EntityType>
                <EntityContainer Name="C" m:IsDefaultEntityContainer="true"
                xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
                <EntitySet Name="Visits" EntityType="M.Visit"/></EntityContainer>
                """,
                version: "1.0"
            )
        )
        let first = "GET Visits?$orderby=At,No&$top=2"
        service.set(
            first,
            RecordedService.json(
                #"{"d":{"results":[{"At":"\/Date(1700000000000)\/","No":"12"}]}}"#
            )
        )
        let at = "datetime'2023-11-14T22:13:20'"
        let next =
            first + "&$filter=(At%20gt%20\(at))%20or%20(At%20eq%20\(at)%20and%20No%20gt%2012L)"
        service.set(next, RecordedService.json(#"{"d":{"results":[]}}"#))
        let provider = try provider(service, "Visits")
        try await provider.open()
        #expect(asked(service) == [first, next])
        #expect(try await provider.executeQuery("Visits").count == 1)
    }

    /// Results that the query cuts itself, and single entities, are asked for as they are.
    @Test(arguments: ["Orders?$top=3", "Orders?$skip=1", "Orders(1)/Items?$top=1"])
    func leavesQueriesAloneThatAreCutAlready(query: String) async throws {
        let service = try RecordedService(metadata: Self.orders)
        service.set("GET \(query)", page(1))
        let provider = try provider(service, query)
        try await provider.open()
        #expect(asked(service) == ["GET \(query)"])
    }

    /// Collections below an entity are paged at their own address.
    @Test func pagesCollectionsOfAnEntity() async throws {
        let service = try RecordedService(metadata: Self.orders)
        let first = "GET Orders(1)/Items?$orderby=ID&$top=2"
        service.set(first, page(5, 6))
        service.set(first + "&$filter=ID%20gt%206", page())
        let provider = try provider(service, "Orders(1)/Items")
        try await provider.open()
        #expect(asked(service) == [first, first + "&$filter=ID%20gt%206"])
    }

    /// The link of one page would tell of the changes of its entities only.
    @Test func reliesOnNoDeltaLinkOfAPage() async throws {
        let service = try RecordedService(metadata: Self.orders)
        let link = ",\"@odata.deltaLink\":\"Orders?$deltatoken=1\""
        service.set("GET Orders?$orderby=ID&$top=2", page(1, 2, rest: link), page(2, rest: link))
        service.set("GET Orders?$orderby=ID&$top=2&$filter=ID%20gt%202", page(rest: link))
        let provider = try provider(service, "Orders")
        try await provider.open()
        service.clearLog()
        try await provider.download()
        #expect(asked(service).first == "GET Orders?$orderby=ID&$top=2")
        // What no page brought any more is gone.
        #expect(try await provider.executeQuery("Orders").count == 1)
    }

    /// A load that was cut goes on behind the last page that came whole.
    @Test func goesOnWhereItWasCut() async throws {
        let service = try RecordedService(metadata: Self.orders)
        let first = "GET Orders?$orderby=ID&$top=2"
        service.set(first, page(1, 2))
        service.set(
            first + "&$filter=ID%20gt%202",
            HTTPResponse(status: 403),
            page(3)
        )
        service.set(first + "&$filter=ID%20gt%203", page())
        let provider = try provider(service, "Orders")
        await #expect(throws: OfflineODataError.self) { try await provider.open() }
        service.clearLog()
        try await provider.open()
        #expect(
            asked(service) == [first + "&$filter=ID%20gt%202", first + "&$filter=ID%20gt%203"]
        )
        #expect(try await provider.executeQuery("Orders").count == 3)
    }

    /// A service that does not know the filter would bring the same page for ever.
    @Test func refusesAServiceThatTakesNoFilter() async throws {
        let service = try RecordedService(metadata: Self.orders)
        service.set("GET Orders?$orderby=ID&$top=2", page(1, 2))
        service.set("GET Orders?$orderby=ID&$top=2&$filter=ID%20gt%202", page(1, 2))
        let provider = try provider(service, "Orders")
        let error = await #expect(throws: OfflineODataError.self) { try await provider.open() }
        #expect(error?.message.contains("clientDrivenPageSize") == true)
    }

    @Test func refusesAPageSizeOfNothing() throws {
        let service = try RecordedService(metadata: Self.orders)
        #expect(throws: OfflineODataError.self) {
            try service.provider { $0.clientDrivenPageSize = 0 }
        }
    }
}
