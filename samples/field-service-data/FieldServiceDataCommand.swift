import FieldService

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Writes the data of the sample service as files that `offline-odata serve --data` and `import` read.
@main
struct FieldServiceDataCommand {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let directory = arguments.first, !directory.hasPrefix("-"),
            let scale = Int(arguments.dropFirst().first ?? "1")
        else {
            print("usage: field-service-data DIRECTORY [SCALE]")
            return
        }
        try FileManager.default.createDirectory(
            atPath: directory,
            withIntermediateDirectories: true
        )
        for name in FieldServiceData.setNames {
            let bytes = FieldServiceData.json(forSet: name, scale: scale)
            try Data(bytes).write(to: URL(filePath: "\(directory)/\(name).json"))
        }
        print("\(FieldServiceData.setNames.count) files in \(directory)")
    }
}
