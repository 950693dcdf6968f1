#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The credentials sent to the service.
public protocol OfflineODataCredentials: Sendable {
    /// Returns the value of `Authorization`, such as `Bearer …`.
    ///
    /// Asked before the first request, and again when the service has refused what was given (401): then the request is sent once
    /// more.
    /// - Parameter isRenewal: Whether the service has refused the last answer.
    func authorization(isRenewal: Bool) async throws -> String?
}

/// A name and a password (RFC 7617).
public struct OfflineODataBasicCredentials: OfflineODataCredentials {
    private let value: String

    /// Creates credentials.
    public init(name: String, password: String) {
        value = "Basic " + Data("\(name):\(password)".utf8).base64EncodedString()
    }

    /// Returns the same each time.
    public func authorization(isRenewal: Bool) -> String? { value }
}

/// A token that the application fetches, and renews when the service refuses it (RFC 6750).
public struct OfflineODataBearerCredentials: OfflineODataCredentials {
    private let token: @Sendable (_ isRenewal: Bool) async throws -> String

    /// Creates credentials from a function that answers the token.
    public init(token: @escaping @Sendable (_ isRenewal: Bool) async throws -> String) {
        self.token = token
    }

    /// Asks for the token.
    public func authorization(isRenewal: Bool) async throws -> String? {
        "Bearer " + (try await token(isRenewal))
    }
}
