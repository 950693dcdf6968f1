/// What the store has answered, and as what; an object, since it is handed from thread to thread.
final class LocalAnswer<Result: Sendable>: Sendable {
    let source: ReadSource
    let result: Result?

    init(_ source: ReadSource, result: Result?) {
        (self.source, self.result) = (source, result)
    }
}
