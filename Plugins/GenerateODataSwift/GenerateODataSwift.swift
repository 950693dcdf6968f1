import Foundation
import PackagePlugin

/// `swift package generate-odata-swift FILE --output DIR [--sets A,B]`: Swift types from metadata, into the package.
@main
struct GenerateODataSwift: CommandPlugin {
    /// What ends the command without success.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    func performCommand(context: PluginContext, arguments: [String]) async throws {
        let tool = try context.tool(named: "offline-odata-main")
        let process = Process()
        process.executableURL = tool.url
        process.arguments = ["generate", "swift"] + arguments
        process.currentDirectoryURL = context.package.directoryURL
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(description: "generate swift ended with \(process.terminationStatus)")
        }
    }
}
