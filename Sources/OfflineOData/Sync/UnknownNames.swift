import ODataProtocol
import Synchronization

/// Names in payloads that the metadata does not have; gathered from loads that may run at the same time.
final class UnknownNames: Sendable {
    private let found = Mutex<Set<String>>([])

    /// Notes what a page said.
    func add(_ diagnostics: [PayloadDiagnostic]) {
        guard !diagnostics.isEmpty else { return }
        found.guarded { $0.formUnion(diagnostics.map(\.name)) }
    }

    /// The names in their order.
    var names: [String] { found.guarded { $0 }.sorted() }
}
