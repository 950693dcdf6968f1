/// Decides where answers come from; a layer above registers one, and every read passes it.
///
/// The first rule that does not say ``ReadSource/store`` decides.
package protocol ReadRule: Sendable {
    /// Says where the answer of a read comes from; it may fetch first, or see to it that somebody does later.
    func source(of read: ReadRequest, _ router: ReadRouter) async throws -> ReadSource

    /// Says where the answer comes from for a caller whose thread waits: out of what is at hand, without asking the service.
    func sourceAtHand(of read: ReadRequest, _ router: ReadRouter) throws -> ReadSource
}

extension ReadRule {
    package func sourceAtHand(of read: ReadRequest, _ router: ReadRouter) throws -> ReadSource {
        .store
    }
}
