import OfflineOData
import ODataHTTP
import Testing

/// Parents and children that were created, moved, deleted or refused.
@Suite struct CreatedParentTests {
    private static let refusal = RecordedService.json(
        #"{"error":{"code":"dup","message":"there already"}}"#,
        status: 409
    )

    /// A foreign key by value is a dependency, whatever request sets it.
    @Test(arguments: ["POST", "PATCH", "PUT"])
    func waitsForTheParentThatAForeignKeyNames(_ method: String) async throws {
        let depot = try await Depot(["Items": #"{"value":[{"ID":1,"Name":"x"}]}"#])
        depot.service.set("POST Orders", Self.refusal)
        await depot.send("POST", "Orders", #"{"ID":5,"Title":"a"}"#)
        if method == "POST" {
            await depot.send("POST", "Items", #"{"ID":2,"OrderID":5}"#)
        } else {
            await depot.send(method, "Items(1)", #"{"OrderID":5}"#)
        }
        try await depot.provider.upload()
        #expect(depot.changes == ["POST Orders"])
        #expect(try await depot.provider.requestQueue().map(\.status) == [.parked])
        // Discarded with the parent.
        try await depot.provider.discardAllErrors()
        #expect(try await depot.queue() == [])
        let items = await depot.text("Items?$select=ID,OrderID")
        #expect(items == #"{"value":[{"ID":1,"OrderID":null}]}"#)
    }

    /// Sends a parent and a change that names it by its foreign key, the change in a category of its own.
    private static func child(
        _ depot: Depot,
        _ method: String,
        category: String? = nil
    ) async throws {
        await depot.send("POST", "Orders", #"{"ID":5,"Title":"a"}"#)
        let isNew = method == "POST"
        var request = HTTPRequest(
            method: method,
            url: isNew ? "Items" : "Items(1)",
            body: Array((isNew ? #"{"ID":2,"OrderID":5}"# : #"{"OrderID":5}"#).utf8)
        )
        request.headers["Content-Type"] = "application/json"
        let options = OfflineODataRequestOptions()
        options.uploadCategory = category
        let answer = await depot.provider.respond(to: request, options: options)
        try #require(answer.isSuccess)
    }

    /// A child does not go before its parent because its category does.
    @Test(arguments: ["POST", "PATCH", "PUT"])
    func sendsNoChildBeforeItsParentThoughItsCategoryGoesFirst(_ method: String) async throws {
        let depot = try await Depot(["Items": #"{"value":[{"ID":1,"Name":"x"}]}"#])
        depot.service.set("POST Orders", Depot.created(#"{"ID":5,"Title":"a"}"#))
        let change = method == "POST" ? "POST Items" : "\(method) Items(1)"
        depot.service.set(change, Depot.silent)
        try await Self.child(depot, method, category: "urgent")
        let first = try await depot.provider.upload(categories: ["urgent"])
        #expect([first.succeededCount, first.waitingCount] == [0, 2])
        #expect(depot.changes == [])
        try await depot.provider.upload()
        #expect(depot.changes == ["POST Orders", change])
        #expect(try await depot.queue() == [])
    }

    /// Nor after a refusal of its parent.
    @Test(arguments: ["POST", "PATCH", "PUT"])
    func sendsNoChildOfARefusedParentThoughItsCategoryGoesFirst(_ method: String) async throws {
        let depot = try await Depot(["Items": #"{"value":[{"ID":1,"Name":"x"}]}"#])
        depot.service.set("POST Orders", Self.refusal)
        try await Self.child(depot, method, category: "urgent")
        try await depot.provider.upload()
        let again = try await depot.provider.upload(categories: ["urgent"])
        #expect([again.parkedCount, again.waitingCount] == [1, 0])
        #expect(depot.changes == ["POST Orders"])
    }

    /// A parent that is taken back takes back what names it by a foreign key, whether it waits or was refused.
    @Test(arguments: ["POST", "PATCH", "PUT"], ["undo", "drop", "undo refused", "drop refused"])
    func takesBackWhatNamesAParentByItsForeignKey(_ method: String, _ way: String) async throws {
        let depot = try await Depot(["Items": #"{"value":[{"ID":1,"Name":"x"}]}"#])
        depot.service.set("POST Orders", Self.refusal)
        try await Self.child(depot, method)
        if way.hasSuffix("refused") { try await depot.provider.upload() }
        if way.hasPrefix("undo") {
            try await depot.provider.undoPendingChanges("Orders(5)")
        } else {
            #expect(try await depot.provider.dropRequest(1) == [1, 2])
        }
        #expect(try await depot.queue() == [])
        #expect(await depot.text("Orders") == #"{"value":[]}"#)
        #expect(
            await depot.text("Items")
                == #"{"value":[{"ID":1,"Name":"x","OrderID":null}]}"#
        )
        depot.service.clearLog()
        try await depot.provider.upload()
        #expect(depot.changes == [])
    }

    /// A parent that is to go after its upload stays as long as a refused child names it.
    @Test func keepsAParentThatARefusedChildNames() async throws {
        let depot = try await Depot()
        depot.service.set("POST Orders", Depot.created(#"{"ID":5}"#))
        depot.service.set("POST Items", Self.refusal)
        let options = OfflineODataRequestOptions()
        options.removeCreatedEntityAfterUpload = true
        try await depot.provider.createEntity(
            EntityValue(entitySet: "Orders", ["ID": 5, "Title": "a"]),
            options: options
        )
        await depot.send("POST", "Items", #"{"ID":2,"OrderID":5}"#)
        try await depot.provider.upload()
        #expect(await depot.text("Orders?$select=ID") == #"{"value":[{"ID":5}]}"#)
    }

    /// A creation that was refused for its key gets another one; what refers to the entity follows.
    @Test func givesARefusedCreationAnotherKey() async throws {
        let depot = try await Depot()
        depot.service.set("POST Orders", Self.refusal)
        depot.service.set("GET Orders(5)", RecordedService.json(#"{"ID":5,"Title":"theirs"}"#))
        await depot.send("POST", "Orders", #"{"ID":5,"Title":"mine"}"#)
        await depot.send("POST", "Items", #"{"ID":1,"OrderID":5}"#)
        await depot.send("POST", "Orders(5)/Lines", #"{"Number":1}"#)
        try await depot.provider.upload()
        let refused = try #require(try await depot.provider.errorArchive().first)
        try await depot.provider.editRequest(refused.id, body: #"{"ID":6,"Title":"mine"}"#)
        let order = try #require(try await depot.provider.executeQuery("Orders(6)").first)
        #expect(!order.hasConflict && !order.inErrorState)
        depot.service.set("POST Orders", Depot.created(#"{"ID":6}"#))
        depot.service.set("POST Items", Depot.created(#"{"ID":1}"#))
        depot.service.set("POST Orders(6)/Lines", Depot.created(#"{"Number":1}"#))
        depot.service.clearLog()
        try await depot.provider.upload()
        #expect(depot.changes.sorted() == ["POST Items", "POST Orders", "POST Orders(6)/Lines"])
        #expect(depot.bodies("POST Orders") == [#"{"ID":6,"Title":"mine"}"#])
        #expect(depot.bodies("POST Items") == [#"{"ID":1,"OrderID":6}"#])
        #expect(try await depot.queue() == [])
    }

    /// An entity that the service has deleted is created anew with the local values, by the local side of the conflict.
    @Test func createsAnewWhatTheServiceHasDeleted() async throws {
        let depot = try await Depot(["Orders": #"{"value":[{"ID":5,"Title":"a","Note":"n"}]}"#])
        await depot.send("PATCH", "Orders(5)", #"{"Title":"b"}"#)
        await depot.send("POST", "Items", #"{"ID":1,"OrderID":5}"#)
        depot.service.set("POST Items", Depot.created(#"{"ID":1,"OrderID":5}"#))
        try await depot.provider.upload()
        #expect(try await depot.provider.errorArchive().map(\.method) == ["PATCH"])
        try await depot.provider.resolveConflict("Orders(5)", with: .local)
        #expect(try await depot.queue() == ["pending POST Orders"])
        depot.service.set("POST Orders", Depot.created(#"{"ID":5,"Title":"b","Note":"n"}"#))
        depot.service.clearLog()
        try await depot.provider.upload()
        #expect(depot.changes == ["POST Orders"])
        #expect(depot.bodies("POST Orders") == [#"{"ID":5,"Title":"b","Note":"n"}"#])
        #expect(try await depot.queue() == [])
        #expect(await depot.text("Orders") == #"{"value":[{"ID":5,"Title":"b","Note":"n"}]}"#)
    }

    /// Taken back before it is sent, nothing is left of an entity that the service does not have.
    @Test func takesTheNewCreationBack() async throws {
        let depot = try await Depot(["Orders": #"{"value":[{"ID":5,"Title":"a"}]}"#])
        await depot.send("PATCH", "Orders(5)", #"{"Title":"b"}"#)
        try await depot.provider.upload()
        try await depot.provider.resolveConflict("Orders(5)", with: .local)
        try await depot.provider.undoAllPendingChanges()
        #expect(await depot.text("Orders") == #"{"value":[]}"#)
    }

    /// A 404 may mean the entity that the body refers to.
    @Test func keepsAnEntityWhoseBoundTargetIsMissing() async throws {
        let depot = try await Depot(["Items": #"{"value":[{"ID":1,"Name":"x"}]}"#])
        depot.service.set(
            "PATCH Items(1)",
            RecordedService.json(#"{"error":{"code":"x","message":"no order"}}"#, status: 404)
        )
        depot.service.set("GET Items(1)", RecordedService.json(#"{"ID":1,"Name":"x"}"#))
        await depot.send("PATCH", "Items(1)", #"{"Order@odata.bind":"Orders(9)"}"#)
        try await depot.provider.upload()
        let item = try #require(try await depot.provider.executeQuery("Items(1)").first)
        #expect(item.inErrorState && !item.hasConflict)
        try await depot.provider.discardAllErrors()
        #expect(await depot.text("Items?$select=Name") == #"{"value":[{"ID":1,"Name":"x"}]}"#)
    }

    /// A child that another user has given another parent outlives the one that is deleted here.
    @Test func keepsAChildThatWasMovedToAnotherParent() async throws {
        let depot = try await Depot([
            "Orders": #"{"value":[{"ID":5},{"ID":6}]}"#,
            "Items":
                #"{"value":[{"@odata.etag":"W/\"1\"","ID":1,"OrderID":5},{"@odata.etag":"W/\"1\"","ID":2,"OrderID":5}]}"#,
        ])
        await depot.send("DELETE", "Orders(5)")
        #expect(await depot.text("Items?$select=ID") == #"{"value":[]}"#)
        depot.service.set(
            "GET Items",
            RecordedService.json(
                #"{"value":[{"@odata.etag":"W/\"2\"","ID":1,"OrderID":6},{"@odata.etag":"W/\"1\"","ID":2,"OrderID":5}]}"#
            )
        )
        try await depot.provider.download()
        depot.service.set("DELETE Orders(5)", Depot.silent)
        try await depot.provider.upload()
        let items = await depot.text("Items?$select=ID,OrderID")
        #expect(items.contains(#""ID":1,"OrderID":6"#) && !items.contains(#""ID":2"#), "\(items)")
    }
}
