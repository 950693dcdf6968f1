import ODataValues
import ODataPayload
import Synchronization

/// Names in payloads that the metadata does not have; gathered from loads that may run at the same time.
package final class UnknownNames: Sendable {

    package init() {}
    private let stated = Mutex<String?>(nil)
    private let found = Mutex<Set<String>>([])

    /// Notes what a page said.
    func add(_ diagnostics: [PayloadDiagnostic]) {
        let names = diagnostics.filter { $0.kind != .valueBeyondFacets }.map(\.name)
        found.guarded { $0.formUnion(names) }
    }

    /// Notes the ETag of the metadata that an answer was made with.
    func add(metadataETag: String?) {
        guard let metadataETag else { return }
        stated.guarded { $0 = metadataETag }
    }

    /// The ETag that was stated last; nil where none was.
    var metadataETag: String? { stated.guarded { $0 } }

    /// The names in their order.
    var names: [String] { found.guarded { $0 }.sorted() }
}
