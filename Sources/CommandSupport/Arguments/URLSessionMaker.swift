public import ODataProtocol

/// Makes a transport that goes through Foundation's `URLSession`.
public typealias URLSessionMaker = @Sendable (ConnectionOptions) throws -> any HTTPTransport
