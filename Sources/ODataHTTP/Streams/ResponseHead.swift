/// Status and header fields of an answer.
package struct ResponseHead: Sendable, Equatable {
    package var status: Int
    package var headers: HTTPHeaders

    package init(status: Int, headers: HTTPHeaders) {
        (self.status, self.headers) = (status, headers)
    }
}
