/// Why a change to the tables is refused; nothing of it has been done.
package struct EditError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What kind of refusal.
    package enum Code: Sendable {
        /// What is to be changed or referred to is not there.
        case notFound
        /// An entity with this key exists already.
        case duplicateKey
        /// The request breaks a rule of the model.
        case invalid
        /// The metadata says that no client can do it (405).
        case notAllowed
        /// The entity is not as the request expects (412).
        case preconditionFailed
        /// The service wants a precondition (428).
        case preconditionRequired
        /// Not done by this engine.
        case notSupported
        /// The store has no room for the change (507).
        case quotaExceeded
        /// The change must not wait for the service, which is not to be had now (503).
        case mustNotWait
    }

    package var code: Code
    package var message: String
    /// The property whose value is refused, as a path; nil where it is about none.
    package var path: String?

    package init(_ code: Code, _ message: String, at path: String? = nil) {
        self.code = code
        self.message = message
        self.path = path
    }

    /// Whether both refuse for the same reason; the message names the path.
    package static func == (left: Self, right: Self) -> Bool {
        left.code == right.code && left.message == right.message
    }

    package var description: String { message }

    /// The refusal of a reference that leads to a collection, or to no entity.
    package static func noSingleEntity(_ reference: String) -> EditError {
        EditError(
            .invalid,
            "the reference '\(reference)' addresses no single entity; give the key of one, e.g. Orders(1)"
        )
    }
}
