import OfflineOData
import Testing

/// An export is what the store shows: local changes are in it as far as another store can hold them.
@Suite struct ChangedDataTests {
    /// A created entity has links of this store, a changed one a mark: neither means anything elsewhere.
    @Test func exportsChangesWithoutTheirMarks() async throws {
        let store = try await SmallStore()
        try await store.provider.createEntity(
            EntityValue(
                entitySet: "Parts",
                ["Number": "P4", "Name": "New", "UnitPrice": 1, "InStock": 2]
            )
        )
        let (order, parts) = (try await store.entity(store.orders[0]), SmallStore.parts)
        for part in [parts[1], "Parts('P4')"] {
            try await store.provider.createLink(
                from: order,
                property: "RequiredParts",
                to: try await store.entity(part)
            )
        }
        try await store.provider.deleteEntity(try await store.entity(parts[2]))
        let texts = try await DataCopy.text(of: store.provider)
        for mark in ["@sap", "$local", "@odata.id", "@odata.editLink"] {
            #expect(!texts.values.contains { $0.contains(mark) }, "\(mark)")
        }

        let copy = try await DataCopy(of: store.provider)
        #expect(try await copy.provider.executeQuery("Parts").count == 3)
        let linked = try await copy.provider.executeQuery(
            store.orders[0] + "/RequiredParts?$orderby=Number"
        )
        #expect(linked.compactMap { $0["Number"]?.stringValue } == ["P1", "P2", "P4"])
        #expect(linked.last?.readLink == "Parts('P4')")
    }

    /// It is a change, and the queue takes it along; a link to it leads nowhere in another store.
    @Test func leavesOutWhatHasNoKeyAndLinksToIt() async throws {
        let store = try await SmallStore()
        let order = try await store.provider.createEntity(
            EntityValue(entitySet: "WorkOrders", ["Title": "Third"])
        )
        try await store.provider.createLink(
            from: order,
            property: "RequiredParts",
            to: try await store.entity(SmallStore.parts[0])
        )
        let copy = try await DataCopy(of: store.provider)
        #expect(try await copy.provider.executeQuery("WorkOrders").count == 2)
        #expect(try await copy.provider.executeQuery("Parts").count == 3)
        let linked = try await copy.provider.executeQuery(store.orders[0] + "/RequiredParts")
        #expect(linked.count == 1)
    }
}
