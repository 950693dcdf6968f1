import OfflineOData
import OfflineResources

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A technician's day by policies: what is read in the morning serves all day, changes wait, and the evening brings both sides together.
///
/// `swift run policy-day http://127.0.0.1:8080/ . samples/policy-day/policies.json`
@main
struct PolicyDay {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4 else {
            print("usage: policy-day SERVICE-ROOT DIRECTORY POLICIES")
            return
        }
        let file = try Data(contentsOf: URL(filePath: arguments[3]))
        let day = PolicyDay(
            root: arguments[1],
            directory: URL(filePath: arguments[2]),
            policies: try PolicyConfiguration(reading: Array(file)).backend()
        )
        let work = try await day.engine("technician", clock: DayClock())
        let chosen = try await day.morning(work)
        try await day.onSite(work, chosen)
        try await day.office(chosen)
        try await day.evening(work)
        try await day.nextMorning(work)
    }

    let root: String
    let directory: URL
    let policies: BackendConfiguration

    /// A store of its own with the policies of the file.
    private func engine(_ name: String, clock: DayClock) async throws -> PolicyEngine {
        let parameters = OfflineODataParameters()
        parameters.storeName = name
        parameters.storePath = directory
        let provider = try OfflineODataProvider(serviceRoot: root, parameters: parameters)
        try await provider.open()
        var options = PolicyEngineOptions()
        options.configuration = policies
        options.clock = clock
        // The application asks the technician about conflicts; this one answers by merging a note into the own version.
        options.conflictRules = ConflictRules(
            .preserve,
            updates: ConflictRule { conflict in
                print(
                    "conflict: \(conflict.url), changed here: \(conflict.changedProperties.joined(separator: ", "))"
                )
                return .merge(body: "{\"Description\":\"seen by the office, done on site\"}")
            }
        )
        let engine = PolicyEngine(provider: provider, options: options)
        try await engine.start()
        return engine
    }

    /// Online: two urgent orders, the customers, and the colleagues, whose data must not stay on the device.
    private func morning(_ engine: PolicyEngine) async throws -> [EntityValue] {
        let orders = try await engine.read("WorkOrders?$top=5").entities ?? []
        let customers = try await engine.read("Customers").entities ?? []
        let colleagues = try await engine.read("Technicians").entities ?? []
        print(
            "morning: \(orders.count) orders, \(customers.count) customers, \(colleagues.count) colleagues"
        )
        return orders
    }

    /// Offline: statuses, a note and a photo; a status of the first order is what the office waits for.
    private func onSite(_ engine: PolicyEngine, _ orders: [EntityValue]) async throws {
        try await engine.setOfflineMode(true)
        let kept = try await engine.read("WorkOrders?$top=5")
        let absent = try await engine.read("Technicians")
        print(
            "on site: \(kept.entities?.count ?? 0) orders from the \(kept.origin.place), colleagues: \(absent.origin.place)"
        )
        guard orders.count > 1 else { return }
        var second = orders[1]
        second["Title"] = "Checked the pump"
        try await engine.update(second)
        try await engine.change("Attachments", byteCount: 4) { provider in
            try await provider.createMedia(
                EntityValue(entitySet: "Attachments", ["FileName": "photo.jpg"]),
                content: [0xFF, 0xD8, 0xFF, 0xD9],
                contentType: "image/jpeg"
            )
        }
        var first = orders[0]
        first["Status"] = "Done"
        try await engine.update(first)
        try await engine.pin(engine.provider.link(to: first), priority: .high)
        print("waiting: \(try await engine.offlineEdits().count) resources")
    }

    /// Meanwhile a colleague in the office changes the second order.
    private func office(_ orders: [EntityValue]) async throws {
        guard orders.count > 1 else { return }
        let engine = try await engine("office", clock: DayClock())
        let url = engine.provider.link(to: orders[1])
        guard var order = try await engine.read(url).entity else { return }
        order["Title"] = "Ask for the pump"
        try await engine.update(order)
    }

    /// Online again: the pinned status goes first, the conflict is asked about and resolved.
    private func evening(_ engine: PolicyEngine) async throws {
        try await engine.setOfflineMode(false)
        let requests = try await engine.offlineEdits()
        print(
            "evening: \(requests.count) resources still wait, \(try await engine.conflicts().count) conflicts"
        )
    }

    /// The next start, a day and a half later and without a network: the customers have expired and are evicted.
    private func nextMorning(_ engine: PolicyEngine) async throws {
        await engine.stop()
        let next = try await self.engine("technician", clock: DayClock(offset: 130_000))
        try await next.setOfflineMode(true)
        let customers = try await next.read("Customers")
        let orders = try await next.read("WorkOrders?$top=5")
        print(
            "next morning: customers: \(customers.origin.place), orders from the \(orders.origin.place)"
        )
    }
}

/// The device's clock, some seconds ahead.
private struct DayClock: PolicyClock {
    var offset = 0.0

    var now: Date { Date().addingTimeInterval(offset) }

    func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }
}

extension OfflineODataProvider {
    /// The URL of an order.
    fileprivate func link(to order: EntityValue) -> String {
        order.readLink ?? "WorkOrders(\(order["ID"]?.integerValue ?? 0))"
    }
}
