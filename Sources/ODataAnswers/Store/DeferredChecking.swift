/// Rules that are checked when a transaction ends; a store that has some offers it besides `EntityWriting`, and throws
/// `DeferredFault` where it finds the request that broke one.
package protocol DeferredChecking {
    /// Says which request of the change set comes next.
    func begin(request: Int)
}
