#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Works out the effective policies of a resource; a pure function of its arguments.
///
/// Response headers come before the request, the request before the configured path, the path before the service's default, and
/// that before the library's.
public struct PolicyResolver: Sendable {
    /// The configuration of the service; nil where there is none.
    public var configuration: BackendConfiguration?
    /// The library's defaults: ``EffectivePolicy/library`` or ``EffectivePolicy/storage``.
    public var defaults: EffectivePolicy
    /// Whether `Cache-Control` and `Expires` count where the headers of the synchronization library are absent.
    ///
    /// Off by default: many gateways send `Cache-Control: no-store` with every OData response.
    public var usesStandardCacheHeaders: Bool
    /// How the paths of the configuration are those of URLs.
    package var paths = ResourcePaths()

    /// Creates a resolver.
    public init(
        configuration: BackendConfiguration? = nil,
        defaults: EffectivePolicy = .library,
        usesStandardCacheHeaders: Bool = false
    ) {
        self.configuration = configuration
        self.defaults = defaults
        self.usesStandardCacheHeaders = usesStandardCacheHeaders
    }

    /// Returns the effective policies of a resource.
    ///
    /// - Parameters:
    ///   - path: The path of the resource relative to the service root; a query string is passed over.
    ///   - request: Policies of the read or change itself.
    ///   - headers: Headers of the service's response; nil before there is one.
    ///   - now: The time to which relative values refer.
    public func policy(
        for path: String,
        request: ResourcePolicy = ResourcePolicy(),
        headers: ResponsePolicyHeaders? = nil,
        now: Date
    ) -> EffectivePolicy {
        var policy = defaults
        if let configuration {
            policy.apply(configuration.serviceDefaults, from: .service)
            for entry in configuration.entries(for: paths.configured(path)).reversed() {
                policy.apply(entry.policy, from: .path, pattern: entry.pattern.text)
            }
        }
        policy.apply(request, from: .request)
        if let headers {
            policy.apply(
                headers.policy(at: now, usesStandardHeaders: usesStandardCacheHeaders),
                from: .header
            )
        }
        return policy
    }

    /// Returns the effective policies of a file: the content of a stream.
    ///
    /// Files have defaults of their own (``EffectivePolicy/storage``) in place of those of service and library; a configured path that
    /// covers the file, the request and the headers of the response come before them.
    public func filePolicy(
        for path: String,
        request: ResourcePolicy = ResourcePolicy(),
        headers: ResponsePolicyHeaders? = nil,
        now: Date
    ) -> EffectivePolicy {
        var files = self
        files.defaults = .storage
        files.configuration?.defaultPolicy = ResourcePolicy()
        return files.policy(for: path, request: request, headers: headers, now: now)
    }
}
