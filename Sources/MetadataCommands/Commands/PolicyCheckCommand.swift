import CommandSupport
import OfflineResources
import ODataProtocol

/// `policy check`: says whether a configuration file of policies is valid.
struct PolicyCheckCommand: Command {
    static let name = "policy check"
    static let syntax = CommandSyntax(
        name: name,
        summary: "Says whether a configuration file of policies is valid, or where it is not.",
        forms: ["FILE [--json]"],
        operands: 1...1,
        options: [.json],
        notes: [
            "FILE is JSON, a property list (OMC.plist) or XML (oracle_mobile_cloud_config.xml); - reads standard input."
                + " Exit status 0: valid; 2: invalid, with line and path. Other known spellings of a value are read with a"
                + " warning."
        ],
        examples: [
            .init("is this file right?", line: "policy check policies.json"),
            .init("the same for a script", line: "policy check OMC.plist --json"),
        ]
    )

    private let file: PolicyFile
    private let isJSON: Bool

    init(_ arguments: Arguments) {
        file = PolicyFile(path: arguments.operands[0])
        isJSON = arguments.has("json")
    }

    func run(_ terminal: Terminal) throws -> ExitStatus {
        do {
            let (configuration, warnings) = try file.read()
            guard !isJSON else {
                try terminal.answer(Self.json(configuration, warnings: warnings))
                return .done
            }
            for warning in warnings { terminal.remark("warning: \(warning)") }
            try terminal.answer("valid: " + Self.sentence(configuration))
            return .done
        } catch let error as PolicyConfigurationError where isJSON {
            try terminal.answer(Self.json(error))
            return .invalid
        }
    }

    private static func sentence(_ configuration: PolicyConfiguration) -> String {
        configuration.backends.map { backend in
            let name = backend.name.isEmpty ? "one service" : backend.name
            let count =
                backend.express.map { Words.amount($0.templates.count, of: "path template") }
                ?? Words.amount(backend.policies.count, of: "path")
            return "\(name) with \(count)"
        }.joined(separator: ", ")
    }

    private static func json(
        _ configuration: PolicyConfiguration,
        warnings: [PolicyConfigurationWarning]
    ) -> String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("valid")
        writer.boolean(true)
        writer.name("backends")
        writer.beginArray()
        for backend in configuration.backends {
            writer.beginObject()
            writer.member("name", value: backend.name)
            writer.name("default")
            writer.boolean(backend.isDefault)
            writer.member("policies", value: backend.policies.count)
            writer.endObject()
        }
        writer.endArray()
        writer.name("warnings")
        writer.beginArray()
        for warning in warnings {
            write(warning.message, line: warning.line, at: warning.path, to: &writer)
        }
        writer.endArray()
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private static func json(_ error: PolicyConfigurationError) -> String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("valid")
        writer.boolean(false)
        writer.name("error")
        write(error.message, line: error.line, at: error.path, to: &writer)
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private static func write(
        _ message: String,
        line: Int?,
        at path: String,
        to writer: inout JSONWriter
    ) {
        writer.beginObject()
        writer.member("message", value: message)
        writer.name("line")
        if let line { writer.integer(Int64(line)) } else { writer.null() }
        writer.member("path", value: path)
        writer.endObject()
    }
}
