import CommandSupport
import ODataModel
import ODataProtocol
import OfflineOData

/// `metadata diff`: shows whether stores with one model can be upgraded to another.
struct MetadataDiffCommand: Command {
    static let name = "metadata diff"
    static let syntax = CommandSyntax(
        name: name,
        summary: "Shows whether stores made from one metadata document can be upgraded to another.",
        forms: [
            "OLD NEW [--format text|json|junit|sarif|github] [--allow PATH]... [--json]",
            "OLD --service URL [--format F] [--allow PATH]... [--json]",
        ],
        operands: 1...2,
        options: [
            .json,
            .value(
                "format",
                placeholder: "text|json|junit|sarif|github",
                help:
                    "for people (default), scripts, test reports, code scanning, or annotations of GitHub Actions"
            ),
            .list(
                "allow",
                placeholder: "PATH",
                help: "an incompatible change that is agreed, with all below the path"
            ),
            .value(
                "service",
                placeholder: "URL",
                help: "compare with the metadata of this running service"
            ),
        ] + NetworkOptions.syntax.filter { !["template", "wait", "progress"].contains($0.name) },
        notes: [
            "Exit status 0: identical or additive; 3: incompatible, each reason named by its path. `metadata rules` lists the rules"
                + " with their reasons.",
            "--allow NS.Type/Property takes the break out of the verdict, not out of the report: stores in the field still cannot be"
                + " upgraded over it.",
        ],
        examples: [
            .init("can the stores in the field follow?", line: "metadata diff v1.xml v2.xml"),
            .init(
                "refuse a release that would break them",
                line: "metadata diff live.xml next.xml >/dev/null || exit 1"
            ),
            .init(
                "what has the service changed since?",
                line: "metadata diff v1.xml --service http://127.0.0.1:8080/"
            ),
            .init(
                "a report for the build server",
                line: "metadata diff v1.xml v2.xml --format junit > report.xml"
            ),
        ]
    )

    private enum Format: Sendable {
        case text, json, junit, sarif, github
    }

    private let old: MetadataFile
    /// nil for the service.
    private let new: MetadataFile?
    private let service: String?
    private let network: NetworkOptions
    private let format: Format
    private let allowed: [String]

    init(_ arguments: Arguments) throws(CommandFailure) {
        old = MetadataFile(path: arguments.operands[0])
        new = arguments.operands.count > 1 ? MetadataFile(path: arguments.operands[1]) : nil
        service = arguments.value("service")
        network = try NetworkOptions(arguments)
        allowed = arguments.all("allow")
        let format = try arguments.choice(
            "format",
            of: [
                ("text", Format.text), ("json", .json), ("junit", .junit), ("sarif", .sarif),
                ("github", .github),
            ]
        )
        guard format == nil || format == .json || !arguments.has("json") else {
            throw .usage("--json and another --format exclude each other")
        }
        self.format = format ?? (arguments.has("json") ? .json : .text)
        guard (new == nil) == (service != nil) else {
            throw .usage(
                new == nil
                    ? "there is nothing to compare with" : "give either NEW or --service URL",
                advice: "Usage: offline-odata metadata diff OLD NEW, or OLD --service URL"
            )
        }
        if old.path == "-", new?.path == "-" {
            throw .usage("only one of the two documents can come from standard input")
        }
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let model = try old.document().model
        let new = try await newModel(terminal)
        let whole = ModelComparison(from: model, to: new.model)
        for path in whole.unused(among: allowed) {
            terminal.remark("--allow \(path): there is no incompatible change")
        }
        let comparison = whole.allowing(allowed)
        try terminal.answer(Array(text(of: comparison, places: new.places).utf8))
        return comparison.verdict == .incompatible ? .incompatibleSchema : .done
    }

    /// The new model, and the places of its elements where the report is to name lines of a file.
    private func newModel(_ terminal: Terminal) async throws -> (
        model: EdmModel, places: ModelPlaces?
    ) {
        guard let new else { return (try await serviceModel(terminal), nil) }
        guard format == .sarif || format == .github else { return (try new.document().model, nil) }
        let (bytes, document) = try new.read()
        return (document.model, ModelPlaces(bytes))
    }

    private func serviceModel(_ terminal: Terminal) async throws -> EdmModel {
        let (network, service) = (network, service ?? "")
        let parameters = OfflineODataParameters()
        network.apply(to: parameters)
        parameters.logger = terminal.logger
        if let transport = try network.ownTransport(terminal) { parameters.transport = transport }
        let ready = parameters
        let bytes = try await OfflineODataProvider.metadataDocument(
            ofService: service,
            parameters: ready
        )
        do {
            return try CSDLDocument(reading: bytes) { _ in nil }.model
        } catch {
            throw CommandFailure(.invalid, "the metadata of \(service): \(error)")
        }
    }

    /// What the report calls the new document.
    private var newName: String {
        new?.path ?? OfflineODataCredentialFields.removed(from: service ?? "")
    }

    private func text(of comparison: ModelComparison, places: ModelPlaces?) -> String {
        switch format {
        case .text: comparison.text()
        case .json: comparison.json() + "\n"
        case .junit: comparison.junit(suite: "metadata diff \(old.path) \(newName)")
        case .sarif: comparison.sarif(uri: newName, places: places)
        case .github: comparison.githubAnnotations(file: newName, places: places)
        }
    }
}
