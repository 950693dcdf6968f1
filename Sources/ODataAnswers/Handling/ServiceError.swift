import ODataValues
import ODataSQL
import ODataSQLite
package import ODataModel
import ODataURL
import ODataPayload
package import ODataHTTP
import ODataTables

/// Why a request is refused: what the answer says.
package struct ServiceError: Error {
    var status: Int
    /// The code of the OData error; the name of the status where nothing more precise is known.
    var code: String
    var message: String
    var headers: HTTPHeaders = [:]

    package init(_ status: Int, _ message: String, code: String? = nil, headers: HTTPHeaders = [:])
    {
        self.status = status
        self.code = code ?? Self.names[status] ?? "Error"
        self.message = message
        self.headers = headers
    }

    private static let names: [Int: String] = [
        400: "BadRequest", 403: "Forbidden", 404: "NotFound", 405: "MethodNotAllowed",
        406: "NotAcceptable", 409: "Conflict", 410: "Gone", 412: "PreconditionFailed",
        413: "ContentTooLarge", 414: "URITooLong", 415: "UnsupportedMediaType",
        424: "FailedDependency", 428: "PreconditionRequired", 500: "InternalServerError",
        501: "NotImplemented",
    ]

    /// Makes the answer to any error.
    ///
    /// - Parameter file: The database's file, where its name may be disclosed.
    init(_ error: any Error, of file: String? = nil) {
        switch error {
        case let error as ServiceError: self = error
        case let error as ODataURLError: self.init(error, isInPath: true)
        case let error as QueryError: self.init(error.status, error.message)
        case let error as EditError: self.init(error.status, error.message)
        case let error as BatchError: self.init(error.code == .tooLarge ? 413 : 400, "\(error)")
        case let error as PayloadError: self.init(400, "\(error)")
        case let error as SQLiteError where error.isUniquenessViolation:
            self.init(409, "an entity with this key exists already")
        case let error as SQLiteError where error.isFaultOfRequest: self.init(400, error.message)
        case let error as SQLiteError where error.lacksFTS5:
            self.init(501, SQLiteError.lacksFTS5Message)
        case let error as SQLiteError:
            self.init(500, "\(file ?? "the database") \(error.fileMessage)")
        default: self.init(500, "the service failed: \(error)")
        }
    }

    /// The answer with an OData error body (OData JSON 4.01 § 21.1; JSON Verbose § 10: the message in a language).
    package func response(_ version: ODataVersion = .v4) -> HTTPResponse {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("error")
        writer.beginObject()
        writer.name("code")
        writer.string(code)
        writer.name("message")
        if version.isV4 {
            writer.string(message)
        } else {
            writer.beginObject()
            writer.name("lang")
            writer.string("en")
            writer.name("value")
            writer.string(message)
            writer.endObject()
        }
        writer.endObject()
        writer.endObject()
        var headers = VersionNegotiation.headers(version)
        // The language of the message (OData 4.01 Part 1 § 9.4).
        headers["Content-Language"] = "en"
        // Of versions 1 to 3 without the parameter: their clients know none of it.
        headers["Content-Type"] =
            switch version {
            case .v401: "application/json;metadata=minimal"
            case .v4: "application/json;odata.metadata=minimal"
            default: "application/json"
            }
        for field in self.headers.fields { headers.add(field.name, field.value) }
        return HTTPResponse(status: status, headers: headers, body: writer.bytes)
    }
}

extension ServiceError {
    /// A name that the path cannot follow is 404, all other faults of a URL are 400 (OData 4.01 Part 1 § 9.2).
    init(_ error: ODataURLError, isInPath: Bool) {
        let status =
            switch error.code {
            case .syntax, .encoding, .type, .meaning: 400
            case .limit: error.message.contains("longer") ? 414 : 400
            case .unknownName: isInPath ? 404 : 400
            case .notSupported: 501
            }
        self.init(status, "\(error)")
    }
}

extension QueryError {
    fileprivate var status: Int {
        switch code {
        case .notSupported: 501
        case .limitExceeded: 400
        case .notFound: 404
        case .invalidToken: 400
        }
    }
}

extension EditError {
    fileprivate var status: Int {
        switch code {
        case .notFound: 404
        case .duplicateKey: 409
        case .invalid: 400
        case .notAllowed: 405
        case .preconditionFailed: 412
        case .preconditionRequired: 428
        case .notSupported: 501
        case .quotaExceeded: 507
        case .mustNotWait: 503
        }
    }
}
