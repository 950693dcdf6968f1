/// A local change of a life, and what became of it.
struct LegalChange {
    enum Kind: Sendable { case create, update, delete, link, unlink, move, stream }

    var kind: Kind
    /// A value of its own, by which its effect is recognised; empty where it writes none.
    var marker: String
    /// What the entity is called, whatever key it has; both ends for a link; nil where it is not known here.
    var target: String?
    var set: String
    /// Requests of the queue that were new after it.
    var requests: Set<Int64> = []
    /// What stood in the place of the marker.
    var seen: String?
    /// The customer that an order is created or moved below; nil where it is none, or not known.
    var customer: String?
    /// Whether a person has taken it back, or another change has taken its place.
    var isUndone = false
    /// Whether it was waiting, sent or archived when last looked at.
    var isOpen = true
}

/// What a life has shown to be wrong.
struct LegalFailure: Error {
    /// In one word, so that a shorter life can be recognised as failing in the same way.
    var kind: String
    var text: String
}
