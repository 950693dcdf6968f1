import ODataHTTP

/// Status and header fields of an answer.
struct ResponseHead: Sendable, Equatable {
    var status: Int
    var headers: HTTPHeaders
}
