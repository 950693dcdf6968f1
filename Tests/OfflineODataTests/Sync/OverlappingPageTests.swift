import OfflineOData
import Testing

/// Pages that overlap: an entity comes on two of them (OData 4.01 Part 1 § 11.2.6.7 gives no promise against it).
@Suite struct OverlappingPageTests {
    private static let order =
        #"{"ID":"10000000-0000-4000-8000-000000000001","Name":"a","Items":[{"Number":1,"Name":"one"},{"Number":2,"Name":"two"}]}"#

    /// What is inside of the entity comes twice with it.
    @Test func takesContainedEntitiesOfARepeatedEntityOnce() async throws {
        let service = try RecordedService(metadata: LegalMetadata { _ in false }.text)
        service.set(
            "GET Orders?$expand=Items",
            RecordedService.json(
                "{\"value\":[\(Self.order)],\"@odata.nextLink\":\"Orders?$skip=0\"}"
            )
        )
        service.set("GET Orders?$skip=0", RecordedService.json("{\"value\":[\(Self.order)]}"))
        let provider = try await service.opened(["Orders?$expand=Items"])
        let orders = try await provider.executeQuery("Orders?$expand=Items")
        #expect(orders.count == 1)
        #expect(
            orders.first?["Items"]?.items?.compactMap { $0["Number"]?.integerValue } == [1, 2]
        )
    }
}
