import OfflineOData

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A technician's visit: work is written down where there is no network, and the note for the office leaves the device afterwards.
///
/// `swift run technician http://127.0.0.1:8080/ .`
@main
struct Technician {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else {
            print("usage: technician SERVICE-ROOT DIRECTORY")
            return
        }
        let parameters = OfflineODataParameters()
        parameters.storeName = "technician"
        parameters.storePath = URL(filePath: arguments[2])
        let listener = Listener()
        let provider = try OfflineODataProvider(
            serviceRoot: arguments[1],
            parameters: parameters,
            delegate: listener
        )
        for (name, query) in [("Orders", "WorkOrders"), ("Tasks", "Tasks")] {
            try provider.add(definingQuery: OfflineODataDefiningQuery(name: name, query: query))
        }
        try await provider.open()
        try await visit(provider)
        do {
            let result = try await provider.upload()
            print("\(result.succeededCount) uploaded, \(result.failedCount) refused")
            try await provider.download()
        } catch let error as OfflineODataError where error.category == .communication {
            print("no network: everything waits in the queue (\(error.message))")
        }
    }

    /// What is done on site.
    private static func visit(_ provider: OfflineODataProvider) async throws {
        guard
            var order = try await provider.executeQuery(
                "WorkOrders?$filter=Status eq 'Open'&$top=1"
            ).first
        else { return print("nothing to do") }
        order["Status"] = "Done"
        try await provider.updateEntity(order)
        try await provider.createRelatedEntity(
            EntityValue(entitySet: "Tasks", ["Title": "Take photos", "Position": 9]),
            in: order,
            property: "Tasks"
        )
        let options = OfflineODataRequestOptions()
        options.removeCreatedEntityAfterUpload = true
        options.customTag = "note"
        try await provider.createEntity(
            EntityValue(entitySet: "WorkOrders", ["Title": "Call the customer"]),
            options: options
        )
    }
}

/// Tells what the service refused.
private final class Listener: OfflineODataDelegate {
    func offlineODataProvider(
        _ provider: OfflineODataProvider,
        requestDidFail request: OfflineODataFailedRequest
    ) {
        print("refused: \(request.method) \(request.url): \(request.message)")
    }
}
