import OfflineOData

/// Tells the demonstration's steps, and stops it where an effect is missing.
struct Narrator: Sendable {
    private let say: @Sendable (String) -> Void

    init(_ say: @escaping @Sendable (String) -> Void) {
        self.say = say
    }

    /// Begins a step.
    func step(_ number: Int, _ title: String) {
        say("")
        say("\(number). \(title)")
    }

    /// Tells a detail.
    func tell(_ text: String) {
        say("   " + text)
    }

    /// Tells an effect that must have happened.
    ///
    /// - Throws: ``DemoFailure`` where it has not.
    func expect(_ isTrue: Bool, _ effect: String) throws {
        guard isTrue else { throw DemoFailure("expected, and not seen: \(effect)") }
        say("   ✓ " + effect)
    }

    /// Tells a queued request in a line.
    func tell(_ request: (id: Int64, method: String, url: String, status: String)) {
        tell("request \(request.id): \(request.method) \(request.url) (\(request.status))")
    }
}
