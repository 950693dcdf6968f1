@testable import StoreRecords
@testable import StoreDownload
import ODataValues
import ODataPayload
import Testing

@testable import OfflineStore

/// Pages that the client asks for by key.
@Suite struct KeySetPagingTests {
    private static func query(_ url: String) -> DefiningQuery {
        DefiningQuery(
            name: "Q",
            url: url,
            slot: 0,
            retrievesStreams: false,
            isLoaded: false,
            needsFullRead: false
        )
    }

    private static func paging(_ url: String) throws -> KeySetPaging? {
        KeySetPaging(query(url), in: try StoreSchema.make(SeamModel.document), pageSize: 2) { $0 }
    }

    /// The next page begins after the last key: by its first part, or by the next where the first is the same.
    @Test(
        arguments: [
            ("Orders", [.integer(7)], "Orders?$orderby=ID&$top=2&$filter=ID gt 7"),
            (
                "Orders?$select=Title&$orderby=Title", [.integer(7)],
                "Orders?$select=Title&$orderby=ID&$top=2&$filter=ID gt 7"
            ),
            (
                "Orders?$filter=Price lt 5 or Price gt 9", [.integer(7)],
                "Orders?$orderby=ID&$top=2&$filter=(Price lt 5 or Price gt 9) and (ID gt 7)"
            ),
            (
                "Notes", [.integer(1), .integer(2)],
                "Notes?$orderby=Day,No&$top=2&$filter=(Day gt 1) or (Day eq 1 and No gt 2)"
            ),
            ("Tags", [.text("o'x")], "Tags?$orderby=Name&$top=2&$filter=Name gt 'o''x'"),
        ] as [(String, [Scalar], String)]
    )
    func asksForWhatComesAfterAKey(_ url: String, _ key: [Scalar], _ expected: String) throws {
        #expect(try Self.paging(url)?.page(after: key) == expected)
    }

    /// What has an end of its own, or no order that a filter can continue, is read as it is.
    @Test(arguments: ["Orders?$top=5", "Orders?$skip=5", "Orders(1)", "Nothing"])
    func leavesOtherQueriesAlone(_ url: String) throws {
        #expect(try Self.paging(url) == nil)
    }

    /// Not every service knows an order of these.
    @Test(
        arguments: [
            ("Edm.Binary", false), ("Edm.Boolean", false), ("T.Color", false), ("Edm.Guid", true),
            ("Edm.Date", true),
        ]
    )
    func pagesByKeysThatHaveAnOrder(_ type: String, _ isPaged: Bool) throws {
        let document = """
            <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
            <Schema Namespace="T" xmlns="http://docs.oasis-open.org/odata/ns/edm">
            <EnumType Name="Color"><Member Name="Red"/></EnumType>
            <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="\(type)" Nullable="false"/></EntityType>
            <EntityContainer Name="C"><EntitySet Name="Items" EntityType="T.Item"/></EntityContainer>
            </Schema></edmx:DataServices></edmx:Edmx>
            """
        let schema = try StoreSchema.make(Array(document.utf8))
        let paging = KeySetPaging(Self.query("Items"), in: schema, pageSize: 2) { $0 }
        #expect((paging != nil) == isPaged)
    }

    /// The pages of a load, for the keys that each brought; nil where it ends.
    @Test(
        arguments: [
            (#"{"ID":1},{"ID":5}"#, nil, "Orders?$orderby=ID&$top=2&$filter=ID gt 5"),
            (#"{"ID":1}"#, nil, "Orders?$orderby=ID&$top=2&$filter=ID gt 1"),
            ("", nil, nil), ("", "more", nil), (#"{"ID":1}"#, "more", "more"),
        ] as [(String, String?, String?)]
    )
    func goesOnUntilNothingComes(_ entities: String, _ link: String?, _ next: String?) async throws
    {
        let seam = try SeamStore()
        try seam.addQuery("Orders", url: "Orders")
        let load = try PageLoad(
            Self.query("Orders"),
            schema: try await seam.store.schema(),
            into: .staging(try StagingFile(besides: seam.store.file.path, encryption: nil)),
            stamp: 1,
            isDelta: false,
            paging: try Self.paging("Orders"),
            root: "http://service/"
        )
        let member = link.map { ",\"@odata.nextLink\":\"\($0)\"" } ?? ""
        let info = try await load.finishPage([Array("{\"value\":[\(entities)]\(member)}".utf8)])
        try await load.finish()
        #expect(info.nextLink == next)
    }

    /// A service that takes no filter would send the first page for ever.
    @Test func refusesAPageThatComesAgain() async throws {
        let seam = try SeamStore()
        try seam.addQuery("Orders", url: "Orders")
        let load = try PageLoad(
            Self.query("Orders"),
            schema: try await seam.store.schema(),
            into: .staging(try StagingFile(besides: seam.store.file.path, encryption: nil)),
            stamp: 1,
            isDelta: false,
            paging: try Self.paging("Orders"),
            root: "http://service/"
        )
        let page = Array(#"{"value":[{"ID":1},{"ID":2}]}"#.utf8)
        _ = try await load.finishPage([page])
        await #expect(throws: StoreError.self) { try await load.finishPage([page]) }
        await load.abandonPage()
    }
}
