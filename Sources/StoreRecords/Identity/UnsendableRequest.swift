/// Why a request cannot leave: it needs a name or an ETag of the service that the store does not have.
package struct UnsendableRequest: Error {
    /// Id of the request.
    package var request: Int64
    /// What is missing, and the way out.
    package var message: String
    /// What stands in the queue as the request's error code.
    package var code: String

    /// The code of what waits since another request failed.
    package static let failedDependency = "FailedDependency"

    package init(request: Int64, message: String, code: String = "UnknownIdentity") {
        (self.request, self.message, self.code) = (request, message, code)
    }

    /// A request that still names an entity by its local id.
    package static func localID(in part: String, of request: Int64) -> UnsendableRequest {
        UnsendableRequest(
            request: request,
            message:
                "the \(part) names an entity whose key the service has not returned: download the entity,"
                + " name it with 'identify', or drop this request"
        )
    }

    /// A request that names an entity whose key was not confirmed.
    package static func unconfirmed(_ entity: String, of request: Int64) -> UnsendableRequest {
        UnsendableRequest(
            request: request,
            message:
                "the service has created \(entity) without returning its key, and none of its entities was found"
                + " to be this one: download the entity, name it with 'identify', or drop this request"
        )
    }
}
