/// Why a store cannot do what it is asked.
package struct StoreError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What kind of refusal.
    package enum Code: Sendable {
        /// There is no file.
        case noStore
        /// The file is no store, or one of a newer version of this engine.
        case notAStore
        /// The file cannot be opened or created.
        case cannotOpen
        /// What the store needs to know first has not been loaded yet.
        case notOpen
        /// The new model would not fit the data.
        case incompatibleSchema
        /// The request in the queue is not in a state that allows this.
        case wrongState
        /// No such request, entity or query.
        case notFound
        /// Input breaks a rule.
        case invalid
        /// Another process synchronises the store.
        case inUse
    }

    package var code: Code
    package var message: String
    /// One line for each reason, where there are several.
    package var details: [String]

    package init(_ code: Code, _ message: String, details: [String] = []) {
        self.code = code
        self.message = message
        self.details = details
    }

    package var description: String { ([message] + details).joined(separator: "\n") }
}
