import ODataText
import OfflineValues
import ODataModel
import ODataValues

/// Reads a step of a job: its name, or an object that says more.
enum JobStepReader {
    private static let names = ["open", "upload", "download", "check", "export"]

    static func read(_ value: JobNode) throws(OfflineODataError) -> OfflineODataJobStep {
        guard value.node.members != nil else {
            return OfflineODataJobStep(try action(value, value.text(Self.expected)))
        }
        let all = try value.members([
            "do", "every", "categories", "full", "againstService", "directory",
        ])
        guard let name = all.first(where: { $0.name == "do" }) else {
            throw value.failure("expected the member 'do'")
        }
        var step = OfflineODataJobStep(try action(name.value, name.value.text(expected)))
        for member in all where member.name != "do" {
            try set(member.name, member.value, of: &step)
        }
        if case .export("") = step.action { throw value.failure("expected the member 'directory'") }
        return step
    }

    private static var expected: String { "one of " + names.joined(separator: ", ") }

    private static func action(
        _ value: JobNode,
        _ name: String
    ) throws(OfflineODataError) -> OfflineODataJobStep.Action {
        switch name {
        case "open": return .open
        case "upload": return .upload
        case "download": return .download
        case "check": return .check(againstService: false)
        case "export":
            guard value.path.hasSuffix("/do") else {
                throw value.failure(
                    "expected {\"do\": \"export\", \"directory\": \"DIR\"}: an export needs a directory"
                )
            }
            return .export(directory: "")
        default:
            let nearest = NearestName.question(name, among: names)
            throw value.failure("expected \(expected), found '\(name)'\(nearest)")
        }
    }

    private static func set(
        _ name: String,
        _ value: JobNode,
        of step: inout OfflineODataJobStep
    ) throws(OfflineODataError) {
        switch (name, step.action) {
        case ("every", _): step.every = try value.duration()
        case ("categories", .upload):
            step.action = .upload(categories: try value.texts("an array of upload categories"))
        case ("full", .download): step.action = .download(isFull: try value.boolean())
        case ("againstService", .check):
            step.action = .check(againstService: try value.boolean())
        case ("directory", .export):
            step.action = .export(directory: try value.text("the path of a directory"))
        default: throw value.failure("'\(name)' does not belong to the step '\(step.name)'")
        }
    }
}
