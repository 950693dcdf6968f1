import FieldService
import Foundation
import Testing

@Suite struct FieldServiceDataTests {
    @Test(arguments: FieldServiceData.setNames)
    func givesTheSameBytesEachTime(set: String) {
        let first = FieldServiceData.json(forSet: set)
        #expect(!first.isEmpty)
        #expect(first == FieldServiceData.json(forSet: set))
    }

    /// The numbers hold on every platform; whoever changes the data on purpose takes the new ones from the failure.
    @Test(arguments: [
        ("Technicians", UInt64(0x15D2_F516_7622_6B4A)),
        ("Customers", 0x0777_D898_80D3_A3F8),
        ("Sites", 0x7AE2_4D92_D8E7_EAE1),
        ("Parts", 0xC191_8A5B_DAAA_520C),
        ("WorkOrders", 0xD588_C5AD_A5AD_C486),
        ("Tasks", 0xABEA_FA8F_5ECA_A04A),
        ("TimeEntries", 0xFB00_D494_4BBE_4309),
        ("Attachments", 0xB9AE_4BFF_09CB_46A7),
        ("Depot", 0xE6C5_AEFD_F8E3_7CF6),
    ])
    func givesTheSameBytesEverywhere(set: String, checksum: UInt64) {
        #expect(fnv1a(FieldServiceData.json(forSet: set)) == checksum)
    }

    @Test func knowsNoOtherSet() {
        #expect(FieldServiceData.json(forSet: "Nothing").isEmpty)
    }

    @Test(arguments: [
        ("Technicians", 60), ("Customers", 200), ("Sites", 300), ("Parts", 150),
        ("WorkOrders", 1_500), ("Tasks", 3_000), ("TimeEntries", 1_000), ("Attachments", 40),
    ])
    func growsWithTheScale(set: String, rows: Int) throws {
        #expect(try Rows.of(set, as: Anything.self, scale: 1).count == rows)
        #expect(try Rows.of(set, as: Anything.self, scale: 2).count == 2 * rows)
    }

    @Test(arguments: [1, 3])
    func hasNoKeyTwice(scale: Int) throws {
        try expectDistinct(Rows.of("Technicians", as: Rows.Technician.self, scale: scale).map(\.ID))
        try expectDistinct(Rows.of("Customers", as: Rows.Customer.self, scale: scale).map(\.ID))
        try expectDistinct(Rows.of("Sites", as: Rows.Site.self, scale: scale).map(\.ID))
        try expectDistinct(Rows.of("Parts", as: Rows.Part.self, scale: scale).map(\.Number))
        try expectDistinct(Rows.of("WorkOrders", as: Rows.WorkOrder.self, scale: scale).map(\.ID))
        try expectDistinct(Rows.of("Tasks", as: Rows.Task.self, scale: scale).map(\.ID))
        try expectDistinct(Rows.of("TimeEntries", as: Rows.TimeEntry.self, scale: scale).map(\.ID))
        try expectDistinct(Rows.of("Attachments", as: Rows.Attachment.self, scale: scale).map(\.ID))
        for customer in try Rows.of("Customers", as: Rows.Customer.self, scale: scale) {
            expectDistinct(customer.Contacts.map(\.ID))
        }
    }

    @Test(arguments: [1, 3])
    func refersOnlyToRowsThatExist(scale: Int) throws {
        let technicians = try Rows.of("Technicians", as: Rows.Technician.self, scale: scale)
        let technicianIDs = Set(technicians.map(\.ID))
        expect(technicianIDs, holds: technicians.compactMap(\.SupervisorID))
        let sites = try Rows.of("Sites", as: Rows.Site.self, scale: scale)
        let customers = try Rows.of("Customers", as: Rows.Customer.self, scale: scale).map(\.ID)
        expect(Set(customers), holds: sites.map(\.CustomerID))

        let orders = try Rows.of("WorkOrders", as: Rows.WorkOrder.self, scale: scale)
        expect(Set(customers), holds: orders.compactMap(\.CustomerID))
        expect(Set(sites.map(\.ID)), holds: orders.compactMap(\.SiteID))
        expect(technicianIDs, holds: orders.compactMap(\.AssignedToID))

        let orderIDs = Set(orders.map(\.ID))
        let tasks = try Rows.of("Tasks", as: Rows.Task.self, scale: scale)
        expect(orderIDs, holds: tasks.map(\.WorkOrderID))
        let entries = try Rows.of("TimeEntries", as: Rows.TimeEntry.self, scale: scale)
        expect(orderIDs, holds: entries.map(\.WorkOrderID))
        expect(technicianIDs, holds: entries.map(\.TechnicianID))
        let attachments = try Rows.of("Attachments", as: Rows.Attachment.self, scale: scale)
        expect(orderIDs, holds: attachments.compactMap(\.WorkOrderID))
        let depot = try Rows.singleton("Depot", as: Rows.Depot.self)
        expect(technicianIDs, holds: [depot.ManagerID].compactMap(\.self))
    }

    @Test func givesAWorkOrderTheCustomerOfItsSite() throws {
        let sites = try Rows.of("Sites", as: Rows.Site.self, scale: 1)
        let customers = Dictionary(uniqueKeysWithValues: sites.map { ($0.ID, $0.CustomerID) })
        for order in try Rows.of("WorkOrders", as: Rows.WorkOrder.self, scale: 1) {
            let site = try #require(order.SiteID)
            #expect(customers[site] == order.CustomerID)
        }
    }

    @Test func bindsRequiredPartsThatExist() throws {
        let parts = try Rows.of("Parts", as: Rows.Part.self, scale: 1).map(\.Number)
        let orders = try Rows.of("WorkOrders", as: Rows.WorkOrder.self, scale: 1)
        var links = 0
        for order in orders {
            let bound = try (order.requiredParts ?? []).map(key(inReference:))
            expect(Set(parts), holds: bound)
            expectDistinct(bound)
            links += bound.count
        }
        #expect(links > 1_000)
    }

    @Test func mixesInEmergencies() throws {
        let types = try Rows.of("WorkOrders", as: Rows.WorkOrder.self, scale: 1).compactMap(\.type)
        #expect((60...240).contains(types.count))
        #expect(Set(types) == ["#FieldService.EmergencyWorkOrder"])
    }

    @Test func holdsTextsThatDifferOnlyInNormalization() throws {
        let notes = try Rows.of("Customers", as: Rows.Customer.self, scale: 1).compactMap(\.Notes)
        #expect(notes.contains { Array($0.utf8) == Array("Cafe\u{301} im Hof".utf8) })
        #expect(notes.contains { Array($0.utf8) == Array("Caf\u{E9} im Hof".utf8) })
    }

    @Test func givesEachAttachmentItsStream() throws {
        let rows = try Rows.of("Attachments", as: Rows.Attachment.self, scale: 1)
        let contents = FieldServiceData.mediaContents()
        #expect(contents.map(\.key) == rows.map(\.ID))
        #expect(contents.map(\.contentType) == rows.map(\.contentType))
        #expect(contents.contains { $0.bytes.isEmpty })
        #expect(contents.contains { $0.bytes.count > 256 * 1024 })
    }

    private struct Anything: Decodable {}

    private func expectDistinct<Key: Hashable>(
        _ keys: [Key],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(Set(keys).count == keys.count, sourceLocation: sourceLocation)
    }

    private func expect<Key: Hashable>(
        _ keys: Set<Key>,
        holds references: [Key],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(references.filter { !keys.contains($0) } == [], sourceLocation: sourceLocation)
    }

    /// Takes the key out of `Parts('…')` as a service does: percent-decoding first, doubled quotes after.
    private func key(inReference reference: String) throws -> String {
        let decoded = try #require(reference.removingPercentEncoding)
        #expect(decoded.hasPrefix("Parts('") && decoded.hasSuffix("')"))
        return String(decoded.dropFirst(7).dropLast(2)).replacingOccurrences(of: "''", with: "'")
    }

    /// The 64-bit FNV-1a hash of http://www.isthe.com/chongo/tech/comp/fnv/.
    private func fnv1a(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
