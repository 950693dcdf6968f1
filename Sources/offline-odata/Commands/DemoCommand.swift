/// `demo`: the main job on the embedded sample service, step by step.
struct DemoCommand: Command {
    static let syntax = CommandSyntax(
        name: "demo",
        summary: "Shows the main job on a sample service, step by step.",
        forms: ["[--keep DIR]"],
        operands: 0...0,
        options: [.value("keep", "DIR", "leave the store and the service's data in this directory")],
        examples: [.init("a tour of two minutes", "demo")]
    )

    private let directory: String?

    init(_ arguments: Arguments) {
        directory = arguments.value("keep")
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let directory = directory
        try await SignalWatch.shared.cancellable { try await runDemo(keeping: directory) }
        return .done
    }
}

/// Runs the demonstration; its files stay in a directory where one is given.
func runDemo(keeping directory: String?) async throws {
    throw CommandFailure(.failed, "the demonstration is not there yet")
}
