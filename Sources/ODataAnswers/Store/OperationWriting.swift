package import ODataBinding

/// Calls of actions and functions inside a write transaction; a store that queues its changes offers it besides `EntityWriting`.
package protocol OperationWriting {
    /// Takes a call to be carried out later.
    ///
    /// - Parameters:
    ///   - method: `POST` for actions, `GET` for functions.
    ///   - url: The call's URL, relative to the service root.
    ///   - body: The parameters of an action as JSON; empty where there are none.
    func call(_ operation: BoundOperation, method: String, url: String, body: [UInt8]) throws
}
