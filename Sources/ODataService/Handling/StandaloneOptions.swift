public import ODataAnswers

/// How a stand-alone service behaves.
public struct StandaloneOptions: Sendable {
    /// How requests are answered.
    public var service = ServiceOptions()
    /// Whether `Prefer: odata.track-changes` is answered with a delta link.
    public var tracksChanges = false
    /// Whether changes need a token that was fetched before (`X-CSRF-Token`).
    public var wantsCSRFToken = false
    /// Whether repeated requests are recognised (Repeatable Requests 1.0).
    public var isRepeatable = false

    /// Creates the behaviour of a plain service.
    public init() {}
}
