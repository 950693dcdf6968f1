import ODataAnswers
import ODataHTTP
import ODataText
import OfflineOData
import TestSupport
import Testing

/// Delta links of a store that is served to other clients.
@Suite struct ServedDeltaTests {
    private static let root = "http://served.test/"

    private func handler(
        _ workshop: Workshop,
        _ change: (inout ServiceOptions) -> Void = { _ in }
    ) -> any HTTPHandler {
        var options = ServiceOptions()
        options.serviceRoot = Self.root
        change(&options)
        return workshop.provider.handler(options: options)
    }

    /// A client that reads everything again must have what one has that follows.
    private func expectAgreement(
        _ follower: DeltaFollower,
        _ comment: Comment? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let fresh = try await DeltaFollower(
            follower.handler,
            at: Self.root,
            follower.url,
            follower.headers
        )
        #expect(follower.entities == fresh.entities, comment, sourceLocation: sourceLocation)
    }

    @Test func writesChangesAndRemovalsAsTheStandardSays() async throws {
        let workshop = try await Workshop()
        let handler = handler(workshop)
        let first = await handler.respond(
            to: HTTPRequest(
                method: "GET",
                url: "/Jobs?$select=Title",
                headers: ["Prefer": "track-changes", "OData-MaxVersion": "4.01"]
            )
        )
        #expect(first.headers["Preference-Applied"] == "track-changes")
        let link = try #require(JSONTree(first.body)?.string("@odata.deltaLink"))
        await workshop.send("PATCH", "Jobs(1)", #"{"Title":"mended"}"#)
        await workshop.send("DELETE", "Jobs(3)")
        let changes = await handler.respond(
            to: HTTPRequest(method: "GET", url: link, headers: ["OData-MaxVersion": "4.01"])
        )
        let tree = try #require(JSONTree(changes.body))
        let newLink = try #require(tree.string("@odata.deltaLink"))
        let etag = try #require(tree.root["value"]?.items?.last?["@odata.etag"]?.text)
        #expect(
            changes.text == """
                {"@odata.context":"http://served.test/$metadata#Jobs(Title)/$delta","value":[\
                {"@removed":{"reason":"deleted"},"@id":"http://served.test/Jobs(3)"},\
                {"@odata.etag":"\(etag.replacing("\"", with: "\\\""))","@sap.isLocal":true,"@sap.hasPendingChanges":true,"ID":1,"Title":"mended"}],"@odata.deltaLink":"\(newLink)"}
                """
        )
    }

    @Test(arguments: ["People", "People?$filter=Level gt 1", "People?$orderby=Name desc"])
    func tellVersion40WhatIsChanged(_ url: String) async throws {
        let workshop = try await Workshop()
        var follower = try await DeltaFollower(
            handler(workshop),
            at: Self.root,
            url,
            DeltaFollower.version40
        )
        await workshop.send("POST", "People", #"{"ID":20,"Name":"Di","Level":3}"#)
        await workshop.send("PATCH", "People(1)", #"{"Level":0.5}"#)
        await workshop.send("DELETE", "People(3)")
        try await follower.update()
        try await expectAgreement(follower)
    }

    @Test func sayOfAnEntityThatLeavesAFilterThatItIsChanged() async throws {
        let workshop = try await Workshop()
        var follower = try await DeltaFollower(
            handler(workshop),
            at: Self.root,
            "Jobs?$filter=Title eq 'mend'"
        )
        await workshop.send("PATCH", "Jobs(1)", #"{"Title":"rest"}"#)
        try await follower.update()
        #expect(follower.entities.isEmpty)
        #expect(follower.removed.count == 1)
        #expect(follower.removed.allSatisfy { $0.contains(#""reason":"changed""#) })
    }

    @Test func followWhatADownloadAndAnUploadBring() async throws {
        let workshop = try await Workshop()
        var jobs = try await DeltaFollower(handler(workshop), at: Self.root, "Jobs")
        var tools = try await DeltaFollower(handler(workshop), at: Self.root, "Tools")
        _ = await workshop.service.change("PATCH", "Jobs(2)", #"{"Title":"looked"}"#)
        _ = await workshop.service.change("DELETE", "Jobs(3)", "")
        await workshop.send("POST", "Jobs", #"{"Title":"new"}"#)
        try await jobs.update()
        try await expectAgreement(jobs, "before")
        try await workshop.provider.upload()
        try await workshop.provider.download()
        for _ in 0..<2 {
            try await jobs.update()
            try await tools.update()
            try await expectAgreement(jobs)
            try await expectAgreement(tools)
        }
        #expect(jobs.entities.count == 3)
        #expect(jobs.entities.values.contains { $0.contains("looked") })
    }

    @Test func bringAnEntityWhoseExpandedOnesChange() async throws {
        let workshop = try await Workshop()
        let url = "People?$expand=Jobs($filter=Title ne 'look'),Boss"
        var follower = try await DeltaFollower(handler(workshop), at: Self.root, url)
        await workshop.send("PATCH", "Jobs(1)", #"{"Title":"look"}"#)
        await workshop.send("PATCH", "People(1)", #"{"Name":"Eve"}"#)
        try await follower.update()
        try await expectAgreement(follower)
    }

    @Test func areNotGivenWhereAnAnswerCouldNotSayWhatChanges() async throws {
        let workshop = try await Workshop()
        for url in [
            "People?$top=1", "People?$apply=groupby((Status))", "People(1)/Friends", "People(1)",
        ] {
            let response = await handler(workshop).respond(
                to: HTTPRequest(
                    method: "GET",
                    url: "/" + url,
                    headers: ["Prefer": "track-changes"]
                )
            )
            #expect(response.status == 200, "\(url)")
            #expect(!response.text.contains("deltaLink"), "\(url)")
            #expect(response.headers["Preference-Applied"] == nil, "\(url)")
        }
    }

    @Test func comeInPagesThatBelongTogether() async throws {
        let workshop = try await Workshop()
        var follower = try await DeltaFollower(
            handler(workshop) { $0.pageSize = 2 },
            at: Self.root,
            "Jobs"
        )
        #expect(follower.pageCount == 2)
        for id in 10..<15 { await workshop.send("POST", "Jobs", #"{"ID":\#(id)}"#) }
        await workshop.send("DELETE", "Jobs(1)")
        try await follower.update()
        #expect(follower.pageCount == 3)
        try await expectAgreement(follower)
    }

    @Test func stayAsTheyAreWhileNothingChanges() async throws {
        let workshop = try await Workshop()
        var follower = try await DeltaFollower(handler(workshop), at: Self.root, "Jobs")
        let link = follower.link
        try await follower.update()
        #expect(follower.link == link)
        #expect(follower.entities.count == 3)
    }

    @Test func areGoneWithTheProcessThatGaveThem() async throws {
        let workshop = try await Workshop()
        let follower = try await DeltaFollower(handler(workshop), at: Self.root, "Jobs")
        let later = await handler(workshop).respond(
            to: HTTPRequest(method: "GET", url: follower.link)
        )
        #expect(later.status == 410)
        #expect(later.text.contains("read the whole result again"))
    }

    @Test(arguments: ["Jobs?$deltatoken=abc", "Tools?$deltatoken=TOKEN"])
    func refuseATokenOfAnotherRequest(_ url: String) async throws {
        let workshop = try await Workshop()
        let handler = handler(workshop)
        let link = try await DeltaFollower(handler, at: Self.root, "Jobs").link
        let token = String(link.split(separator: "=").last ?? "")
        let response = await handler.respond(
            to: HTTPRequest(method: "GET", url: "/" + url.replacing("TOKEN", with: token))
        )
        #expect(response.status == 400)
    }
}
