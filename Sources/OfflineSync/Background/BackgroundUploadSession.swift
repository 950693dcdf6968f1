public import ODataHTTP

/// Something beside this process that carries changes to the service, and goes on when the process has ended.
///
/// On Apple's systems `URLSessionBackgroundUploads` is one. What it is given is written down in the store first, under the name that
/// it gets; a later process asks for the tasks that are left, and takes their answers from them.
public protocol BackgroundUploadSession: Sendable {
    /// Whether it may send a request a second time by itself, as the systems' sessions do when the network breaks.
    ///
    /// Then it is used only for services that carry out a repeated request once, see
    /// ``OfflineODataParameters/Values/enableRepeatableRequests``.
    var mayRepeat: Bool { get }

    /// Begins to carry a request; its body is in a file, which stays until the task has ended.
    ///
    /// - Parameters:
    ///   - request: Method, URL and header fields.
    ///   - bodyFile: Path of the file with the body.
    ///   - name: Names the task, now and in later processes.
    func start(_ request: HTTPRequest, bodyFile: String, name: String) async throws

    /// The tasks that the session knows, of this process and of those before.
    func tasks() async -> [BackgroundUploadTask]

    /// Waits until the task of a name has ended; nil where there is none.
    func end(of name: String) async throws -> BackgroundUploadTask?

    /// Ends a task, and forgets one that has ended.
    func remove(_ task: BackgroundUploadTask) async
}

/// A task of a background session.
public struct BackgroundUploadTask: Sendable, Equatable {
    /// How far it is.
    public enum State: Sendable, Equatable {
        /// The request may be at the service.
        case running
        /// The service has answered.
        case answered(HTTPResponse)
        /// No answer came; unless certainly unsent, the service may have received the request.
        case failed(isCertainlyUnsent: Bool)
    }

    /// The session's own number.
    public var id: Int
    /// The name that it was started under; nil for a task that is not an upload of a store.
    public var name: String?
    /// How far it is.
    public var state: State

    /// Creates a description.
    public init(id: Int, name: String?, state: State) {
        (self.id, self.name, self.state) = (id, name, state)
    }
}
