internal import CYardsticks
#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import OfflineOData

/// The first load through the product's public API.
enum FirstLoadProduct {
    /// Is the measured work, in the child process: opens a new store over HTTP.
    static func run(_ options: Options) async throws {
        let start = yardstick_wall_seconds()
        try await load(options)
        let wall = yardstick_wall_seconds() - start
        Measurements.report(rows: try options.number("rows", default: 1), wall: wall)
    }

    /// The store's connections are closed with the provider, at the end.
    private static func load(_ options: Options) async throws {
        let parameters = OfflineODataParameters()
        parameters.storeName = "first-load"
        parameters.storePath = URL(filePath: try options.text("directory"))
        let provider = try OfflineODataProvider(
            serviceRoot: try options.text("service"),
            parameters: parameters
        )
        try provider.add(
            definingQuery: OfflineODataDefiningQuery(name: "Readings", query: "Readings")
        )
        try await provider.open()
    }
}
