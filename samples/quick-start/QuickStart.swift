import OfflineOData

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Opens a store of the field service, reads and changes it, and brings both sides together.
///
/// `swift run quick-start http://127.0.0.1:8080/ .`
@main
struct QuickStart {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let root = URL(string: arguments[1]) else {
            print("usage: quick-start SERVICE-ROOT DIRECTORY")
            return
        }
        let directory = URL(filePath: arguments[2])

        let parameters = OfflineODataParameters()
        parameters.storePath = directory
        let provider = try OfflineODataProvider(serviceRoot: root, parameters: parameters)
        try provider.add(
            definingQuery: OfflineODataDefiningQuery(
                name: "Orders",
                query: "WorkOrders?$expand=Tasks"
            )
        )
        try await provider.open()

        let urgent = try await provider.executeQuery(
            "WorkOrders?$filter=Priority eq 'Urgent'&$orderby=DueAt&$top=3"
        )
        for order in urgent { print(order["Title"]?.stringValue ?? "without a title") }

        try await provider.createEntity(
            EntityValue(entitySet: "WorkOrders", ["Title": "Repair the gate", "Priority": "High"])
        )
        let result = try await provider.upload()
        print("\(result.succeededCount) changes uploaded, \(result.failedCount) refused")
        try await provider.download()
    }
}
