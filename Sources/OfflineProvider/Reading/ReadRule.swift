package import ODataTables

/// Decides where answers come from; a layer above registers one, and every read passes it.
///
/// The first rule that does not say ``ReadSource/store`` decides.
package protocol ReadRule: Sendable {
    /// Decides where the answer of a read comes from; it may fetch first, or schedule a later fetch.
    func source(of read: ReadRequest, _ router: ReadRouter) async throws -> ReadSource

    /// Says how the rule decides about a read; asked in the reader's task.
    func interest(in read: ReadRequest, _ router: ReadRouter) -> ReadInterest

    /// Says where the answer comes from for a caller whose thread waits: out of what is at hand, without asking the service.
    func sourceAtHand(of read: ReadRequest, _ router: ReadRouter) throws -> ReadSource
}

/// How a rule decides about a read.
package enum ReadInterest: Sendable {
    /// Not at all.
    case none
    /// By a look at the store, in the transaction that the store answers from; where that is not enough, ``ReadRule/source(of:_:)`` is asked.
    case look(ReadLook)
    /// By ``ReadRule/source(of:_:)``.
    case asked
}

/// Says where the answer of a read comes from, in a read transaction; nil where the store does not know.
package typealias ReadLook = @Sendable (TableQuery, TableSchema) throws -> ReadSource?

extension ReadRule {
    package func interest(in read: ReadRequest, _ router: ReadRouter) -> ReadInterest { .asked }

    package func sourceAtHand(of read: ReadRequest, _ router: ReadRouter) throws -> ReadSource {
        .store
    }
}
