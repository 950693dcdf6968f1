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
    /// `Cache-Control: max-age`, in seconds; 0 as well for `no-cache`, which wants the service to be asked.
    public var maxAge: Int?
    /// `Expires`; a date long ago where it is no date, such as `0`.
    public var standardExpires: Date?
    /// `Date`: when the service has made the answer, by its own clock.
    public var date: Date?
    /// `Age`: the seconds that the answer has been kept on the way.
    public var age = 0

    /// Reads the headers of a response; what is malformed counts as absent.
    public init(_ header: (String) -> String?) {
        noStore = header("Oracle-Mobile-Sync-No-Store")?.lowercased() == "true"
        expires = header("Oracle-Mobile-Sync-Expires").flatMap(HeaderDate.date)
        evict = header("Oracle-Mobile-Sync-Evict").flatMap(HeaderDate.date)
        // RFC 9111 § 5.3: what is no date means that the answer is stale already.
        standardExpires = header("Expires").map { HeaderDate.date($0) ?? .distantPast }
        date = header("Date").flatMap(HeaderDate.date)
        age = header("Age").flatMap { Int($0.withoutOuterSpace) }.map { max(0, $0) } ?? 0
        cacheControlNoStore = false
        for directive in (header("Cache-Control") ?? "").split(separator: ",") {
            let parts = directive.split(separator: "=", maxSplits: 1).map {
                String($0).withoutOuterSpace
            }
            switch parts.first?.lowercased() {
            case "no-store": cacheControlNoStore = true
            case "no-cache": maxAge = 0
            case "max-age":
                // RFC 9111 § 5.2: a recipient reads the value as a token and in quotes.
                let value = parts.dropFirst().first?.replacing("\"", with: "")
                let seconds = value.flatMap { Int($0) }.map { max(0, $0) }
                maxAge = [maxAge, seconds].compactMap { $0 }.min()
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
            seconds = seconds ?? standardLifetime(at: now)
        }
        if let seconds {
            policy.expirationPolicy = .after
            policy.expireAfter = seconds
        }
        return policy
    }

    /// Seconds that the answer is still fresh (RFC 9111 § 4.2): `max-age` comes before `Expires`, which is of the service's clock.
    private func standardLifetime(at now: Date) -> Int? {
        let lifetime = maxAge ?? standardExpires.map { Self.seconds(from: date ?? now, to: $0) }
        return lifetime.map { max(0, $0 - age) }
    }

    /// Whole seconds until a date, 0 for a past one.
    private static func seconds(from now: Date, to date: Date) -> Int {
        Int(exactly: date.timeIntervalSince(now).rounded(.up)).map { max(0, $0) } ?? Int.max
    }
}
