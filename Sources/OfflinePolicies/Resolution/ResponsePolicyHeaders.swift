#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The headers of a response that set policies.
public struct ResponsePolicyHeaders: Sendable, Hashable {
    /// `Oracle-Mobile-Sync-No-Store`: the resource is not stored.
    public var noStore: Bool
    /// `Oracle-Mobile-Sync-Expires`: the resource is stale from then on.
    public var expires: Date?
    /// `Oracle-Mobile-Sync-Evict`: the resource is stale from then on, and deleted at the next start after it.
    public var evict: Date?
    /// `Cache-Control: no-store`.
    public var cacheControlNoStore: Bool
    /// `Cache-Control: max-age`, in seconds.
    public var maxAge: Int?
    /// `Expires`.
    public var standardExpires: Date?

    /// Reads the headers of a response; what is malformed counts as absent.
    public init(_ header: (String) -> String?) {
        noStore = header("Oracle-Mobile-Sync-No-Store")?.lowercased() == "true"
        expires = header("Oracle-Mobile-Sync-Expires").flatMap(HeaderDate.date)
        evict = header("Oracle-Mobile-Sync-Evict").flatMap(HeaderDate.date)
        standardExpires = header("Expires").flatMap(HeaderDate.date)
        cacheControlNoStore = false
        for directive in (header("Cache-Control") ?? "").split(separator: ",") {
            let parts = directive.split(separator: "=", maxSplits: 1).map {
                String($0).withoutOuterSpace
            }
            switch parts.first?.lowercased() {
            case "no-store": cacheControlNoStore = true
            case "max-age": maxAge = parts.dropFirst().first.flatMap { Int($0) }.map { max(0, $0) }
            default: break
            }
        }
    }

    /// The policies that the headers set.
    ///
    /// Where both dates are given the copy is stale from the earlier one on.
    func policy(at now: Date, usesStandardHeaders: Bool) -> ResourcePolicy {
        var policy = ResourcePolicy()
        if noStore { policy.noCache = true }
        if evict != nil { policy.evictionPolicy = .onExpiryAtStartup }
        var seconds = [expires, evict].compactMap { $0 }.min().map {
            Self.seconds(from: now, to: $0)
        }
        if usesStandardHeaders {
            if cacheControlNoStore { policy.noCache = true }
            // RFC 9111 § 5.3: max-age comes before Expires.
            seconds =
                seconds ?? maxAge ?? standardExpires.map { Self.seconds(from: now, to: $0) }
        }
        if let seconds {
            policy.expirationPolicy = .after
            policy.expireAfter = seconds
        }
        return policy
    }

    /// Whole seconds until a date, 0 for a past one.
    private static func seconds(from now: Date, to date: Date) -> Int {
        Int(exactly: date.timeIntervalSince(now).rounded(.up)).map { max(0, $0) } ?? Int.max
    }
}
