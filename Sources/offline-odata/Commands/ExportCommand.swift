import ODataModel
import ODataProtocol
import ODataTables
import OfflineOData
import OfflineStore

/// `export`: the entities of a store as files.
struct ExportCommand: Command {
    static let syntax = CommandSyntax(
        name: "export",
        summary: "Writes the entities of a store into files, one for each entity set.",
        forms: ["STORE DIR"],
        operands: 2...2,
        notes: [
            "DIR gets metadata.xml (or .json) and a file Set.json for each set that has entities; `import` reads them again."
                + " The entities are as the store shows them, local changes included."
        ],
        examples: [.init("for another tool", "export field.store rows")]
    )

    private let store: String
    private let directory: String

    init(_ arguments: Arguments) {
        store = arguments.operands[0]
        directory = arguments.operands[1]
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let session = try StoreSession.local(store, terminal)
        let schema = try await OpenStore.existing(store).schema()
        let names = try await session.provider.storeStatus().sets.filter { $0.rowCount > 0 }.map(
            \.name
        )
        try FileBytes.makeDirectory(directory)
        let isJSON = schema.document.first { $0 > 0x20 } == UInt8(ascii: "{")
        try FileBytes.write(schema.document, to: "\(directory)/metadata.\(isJSON ? "json" : "xml")")
        var count = 0
        for name in names where isTopLevel(name, schema.model) {
            let response = try await session.run {
                await $0.respond(to: HTTPRequest(method: "GET", url: name))
            }
            try FileBytes.write(
                LocalAnswer(response: response).body(),
                to: "\(directory)/\(name).json"
            )
            count += 1
        }
        try terminal.answer("exported: \(Words.amount(count, "entity set")) to \(directory)")
        return .done
    }

    /// Contained entities come with no file of their own.
    private func isTopLevel(_ name: String, _ model: EdmModel) -> Bool {
        switch model.navigationSource(named: name) {
        case .entitySet, .singleton: true
        default: false
        }
    }
}
