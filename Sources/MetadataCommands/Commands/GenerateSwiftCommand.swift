import CommandSupport
import ODataGeneration
import ODataModel
import ODataProtocol

/// `generate swift`: Swift types from a metadata document.
struct GenerateSwiftCommand: Command {
    static let name = "generate swift"
    static let syntax = CommandSyntax(
        name: name,
        summary: "Writes Swift types for the entities of a metadata document.",
        forms: ["FILE --output DIR [--sets A,B] [--json]"],
        operands: 1...1,
        options: [
            .value(
                "output",
                placeholder: "DIR",
                help: "directory for the sources; made where there is none"
            ),
            .value(
                "sets",
                placeholder: "A,B",
                help: "only the types that these sets and singletons need (all)"
            ),
            .json,
        ],
        notes: [
            "Each entity and complex type that the sets need becomes a struct (Codable, Hashable, Sendable; with a key of its own properties also"
                + " Identifiable), each enumeration an enum with a case for unknown members, one of flags a struct, each set a property"
                + " of the provider, for queries such as"
                + " provider.workOrders.filter { $0.priority == .urgent }.order(by: \\.dueAt).expand(\\.tasks).",
            "A navigation property is left out where the type that it leads to is not written. Files that an earlier call has written into"
                + " DIR and that are no longer needed are removed; other files stay.",
            "swift package generate-odata-swift does the same as a plugin of a package that depends on this one.",
        ],
        examples: [
            .init("all sets", line: "generate swift metadata.xml --output Sources/Model"),
            .init(
                "two of them",
                line: "generate swift v1.xml --output Model --sets WorkOrders,Parts"
            ),
        ]
    )

    private let file: MetadataFile
    private let directory: String
    private let sets: [String]?
    private let isJSON: Bool

    init(_ arguments: Arguments) throws(CommandFailure) {
        file = MetadataFile(path: arguments.operands[0])
        isJSON = arguments.has("json")
        sets = arguments.value("sets").map { text in
            // A blank behind a comma is no part of a name.
            text.split(whereSeparator: { $0 == "," || $0 == " " }).map(String.init)
        }
        // Without this, an empty variable of a script would remove what was generated before.
        guard sets?.isEmpty != true else {
            throw .usage("--sets takes names of entity sets, separated by commas")
        }
        guard let directory = arguments.value("output") else {
            throw .usage("--output DIR is missing")
        }
        self.directory = directory
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let sources = try sources()
        try FileBytes.makeDirectories(directory)
        try checkPlaces(of: sources)
        let removed = try removeFormer(besides: Set(sources.map(\.name)))
        for source in sources {
            let path = "\(directory)/\(source.name)"
            try FileBytes.write(Array(source.text.utf8), to: path, mode: 0o644)
        }
        guard !isJSON else {
            try terminal.answer(Self.json(sources, removed: removed))
            return .done
        }
        let rest = removed > 0 ? ", \(Words.amount(removed, of: "old one")) removed" : ""
        try terminal.answer(
            "generated: \(Words.amount(sources.count, of: "file")) in \(directory)\(rest)"
        )
        return .done
    }

    private func sources() throws -> [SwiftSource] {
        let model = try file.document().model
        do {
            return try SwiftGenerator(model: model, sets: sets).sources()
        } catch {
            throw CommandFailure(.invalid, "\(error)")
        }
    }

    /// Refuses to write over what no earlier call has written.
    private func checkPlaces(of sources: [SwiftSource]) throws {
        for path in sources.map({ "\(directory)/\($0.name)" })
        where FileBytes.exists(path) || FileBytes.isLink(path) {
            guard !FileBytes.isLink(path), try isGenerated(path) else {
                throw CommandFailure(
                    .invalid,
                    "\(path) was not written by `generate swift`, and would be written over",
                    advice: "Move it away, or give another directory."
                )
            }
        }
    }

    /// Removes what an earlier call has left.
    private func removeFormer(besides names: Set<String>) throws -> Int {
        var count = 0
        for name in try FileBytes.names(in: directory)
        where name.hasSuffix(".swift") && !names.contains(name) {
            let path = "\(directory)/\(name)"
            guard try isGenerated(path) else { continue }
            try FileBytes.remove(path)
            count += 1
        }
        return count
    }

    private func isGenerated(_ path: String) throws -> Bool {
        let mark = Array(SwiftSource.mark.utf8)
        return try FileBytes.head(of: path, count: mark.count) == mark
    }

    private static func json(_ sources: [SwiftSource], removed: Int) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("files", values: sources.map(\.name))
        writer.member("removed", value: removed)
        writer.endObject()
        return writer.bytes + [0x0A]
    }
}
