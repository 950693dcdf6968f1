import FieldServiceDemo
import FieldServiceMetadata
import CommandSupport
import ODataProtocol
import OfflineOData
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `demo`: the main job on the embedded sample service, step by step.
struct DemoCommand: Command {
    static let name = "demo"
    static let syntax = CommandSyntax(
        name: name,
        summary: "Walks through a day of offline work, step by step.",
        forms: ["[--keep DIR] [--json]"],
        operands: 0...0,
        options: [
            .value(
                "keep",
                placeholder: "DIR",
                help: "leave the store and the service's data in this directory"
            ),
            .json,
        ],
        notes: ["--json: steps, what happened in them line by line; directory, where it is kept."],
        examples: [.init("a tour of two minutes", line: "demo")]
    )

    private let directory: String?
    private let isJSON: Bool

    init(_ arguments: Arguments) {
        directory = arguments.value("keep")
        isJSON = arguments.has("json")
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let progress = ProgressDisplay(terminal, mode: nil)
        let place = try DemoDirectory(keeping: directory)
        defer { place.end() }
        let isJSON = isJSON
        let lines = Mutex<[String]>([])
        let demo = FieldServiceDemo(directory: place.path, delegate: progress) { line in
            if isJSON { return lines.guarded { $0.append(line) } }
            // A closed pipe is noticed at the next command; the demonstration's checks matter more than its words.
            try? terminal.answer(line)
        }
        do {
            try await SignalWatch.shared.cancellable { try await demo.run() }
        } catch let failure as DemoFailure {
            throw CommandFailure(.failed, failure.description)
        }
        if let directory { try Self.describe(directory, terminal) }
        if isJSON { try terminal.answer(json(lines.guarded { $0 })) }
        return .done
    }

    private func json(_ lines: [String]) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        let steps = lines.map { String($0.drop { $0 == " " }) }.filter { !$0.isEmpty }
        writer.member("steps", values: steps)
        if let directory { writer.member("directory", value: directory) }
        writer.endObject()
        return writer.bytes + [0x0A]
    }

    /// Leaves the metadata beside the data, and says what can be done with the files.
    private static func describe(_ directory: String, _ terminal: Terminal) throws {
        let metadata = directory + "/metadata.xml"
        // The model that the service has at the end.
        try Data(FieldServiceMetadata.v2).write(to: URL(filePath: metadata))
        let quoted = ["store.sqlite", "metadata.xml", "service.sqlite"].map {
            ShellText.quoted("\(directory)/\($0)")
        }
        terminal.remark(
            """
            Kept in \(directory): the store (store.sqlite), the service's data (service.sqlite) and its metadata
              offline-odata status \(quoted[0])
              offline-odata serve --metadata \(quoted[1]) --database \(quoted[2])
            """
        )
    }
}

/// Where the demonstration works: a directory of the user's, or one that goes away.
private struct DemoDirectory: Sendable {
    let path: String
    private let isKept: Bool

    init(keeping directory: String?) throws(CommandFailure) {
        isKept = directory != nil
        path =
            directory ?? FileManager.default.temporaryDirectory.path + "/offline-odata-demo-"
            + UUID().uuidString
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw CommandFailure(.failed, "cannot make the directory \(path)")
        }
        guard !FileManager.default.fileExists(atPath: path + "/store.sqlite") else {
            throw .usage(
                "\(path) holds a store already",
                advice: "Name an empty directory with --keep"
            )
        }
    }

    /// Removes the directory where it is none of the user's.
    func end() {
        if !isKept { try? FileManager.default.removeItem(atPath: path) }
    }
}
