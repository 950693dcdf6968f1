import FieldServiceModel
import OfflineOData

/// Reads and changes work orders by the Swift types that `generate swift metadata/v1.xml` has written into `FieldServiceModel`.
///
/// `swift run typed-orders http://127.0.0.1:8080/ .`
@main
struct TypedOrders {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let root = URL(string: arguments[1]) else {
            print("usage: typed-orders SERVICE-ROOT DIRECTORY")
            return
        }
        let parameters = OfflineODataParameters()
        parameters.storePath = URL(filePath: arguments[2])
        let provider = try OfflineODataProvider(serviceRoot: root, parameters: parameters)
        for (name, query) in [
            ("Orders", "WorkOrders?$expand=Tasks"), ("Customers", "Customers"),
            ("Sites", "Sites"),
        ] {
            try provider.add(definingQuery: OfflineODataDefiningQuery(name: name, query: query))
        }
        try await provider.open()

        let urgent = try await provider.workOrders
            .filter { $0.priority == .urgent && $0.status != .done && $0.customer != nil }
            .order(by: \.dueAt)
            .expand(\.customer)
            .expand(\.tasks) { $0.order(by: \.position) }
            .top(3)
            .entities()
        for order in urgent {
            let tasks = order.tasks?.count ?? 0
            print("\(order.title), \(order.customer?.name ?? "nobody"), \(tasks) tasks")
        }

        let order = FieldService.WorkOrder(
            title: "Repair the gate",
            priority: .high,
            status: .open,
            isBillable: true,
            tags: ["gate"]
        )
        try await provider.workOrders.create(order)
        let result = try await provider.upload()
        print("\(result.succeededCount) changes uploaded, \(result.failedCount) refused")
    }
}
