import Foundation
import Testing

@testable import OfflinePolicies

@Suite struct ResponsePolicyHeadersTests {
    /// 2023-11-14 22:13:20 UTC.
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)

    struct Case: Sendable, CustomTestStringConvertible {
        let headers: [String: String]
        var usesStandard = false
        let policy: ResourcePolicy

        var testDescription: String { "\(headers)" }
    }

    private static let later = "Tue, 14 Nov 2023 22:15:00 GMT"
    private static let latest = "Tue, 14 Nov 2023 23:13:20 GMT"

    static let cases = [
        Case(headers: [:], policy: ResourcePolicy()),
        Case(
            headers: ["Oracle-Mobile-Sync-No-Store": "true"],
            policy: ResourcePolicy(noCache: true)
        ),
        Case(
            headers: ["Oracle-Mobile-Sync-No-Store": "TRUE"],
            policy: ResourcePolicy(noCache: true)
        ),
        Case(headers: ["Oracle-Mobile-Sync-No-Store": "false"], policy: ResourcePolicy()),
        Case(
            headers: ["Oracle-Mobile-Sync-Expires": later],
            policy: ResourcePolicy(expirationPolicy: .after, expireAfter: 100)
        ),
        Case(
            headers: ["Oracle-Mobile-Sync-Expires": "Mon, 13 Nov 2023 00:00:00 GMT"],
            policy: ResourcePolicy(expirationPolicy: .after, expireAfter: 0)
        ),
        Case(headers: ["Oracle-Mobile-Sync-Expires": "tomorrow"], policy: ResourcePolicy()),
        Case(
            headers: ["Oracle-Mobile-Sync-Evict": latest],
            policy: ResourcePolicy(
                expirationPolicy: .after,
                expireAfter: 3_600,
                evictionPolicy: .onExpiryAtStartup
            )
        ),
        Case(
            headers: ["Oracle-Mobile-Sync-Evict": latest, "Oracle-Mobile-Sync-Expires": later],
            policy: ResourcePolicy(
                expirationPolicy: .after,
                expireAfter: 100,
                evictionPolicy: .onExpiryAtStartup
            )
        ),
        Case(headers: ["Cache-Control": "no-store"], policy: ResourcePolicy()),
        Case(
            headers: ["Cache-Control": "private, no-store"],
            usesStandard: true,
            policy: ResourcePolicy(noCache: true)
        ),
        Case(
            headers: ["Cache-Control": "max-age=60", "Expires": latest],
            usesStandard: true,
            policy: ResourcePolicy(expirationPolicy: .after, expireAfter: 60)
        ),
        Case(
            headers: ["Cache-Control": "max-age=\"60\""],
            usesStandard: true,
            policy: ResourcePolicy(expirationPolicy: .after, expireAfter: 60)
        ),
        Case(
            headers: ["Expires": later],
            usesStandard: true,
            policy: ResourcePolicy(expirationPolicy: .after, expireAfter: 100)
        ),
        Case(headers: ["Expires": later], policy: ResourcePolicy()),
        Case(headers: ["Expires": "0"], policy: ResourcePolicy()),
        Case(
            headers: ["Expires": "0"],
            usesStandard: true,
            policy: ResourcePolicy(expirationPolicy: .after, expireAfter: 0)
        ),
        // The service's clock is half an hour ahead.
        Case(
            headers: ["Expires": latest, "Date": "Tue, 14 Nov 2023 22:43:20 GMT"],
            usesStandard: true,
            policy: ResourcePolicy(expirationPolicy: .after, expireAfter: 1_800)
        ),
        Case(
            headers: ["Cache-Control": "max-age=60", "Age": "45"],
            usesStandard: true,
            policy: ResourcePolicy(expirationPolicy: .after, expireAfter: 15)
        ),
        Case(
            headers: ["Cache-Control": "max-age=60", "Age": "75"],
            usesStandard: true,
            policy: ResourcePolicy(expirationPolicy: .after, expireAfter: 0)
        ),
        Case(
            headers: ["Cache-Control": "no-cache, max-age=60"],
            usesStandard: true,
            policy: ResourcePolicy(expirationPolicy: .after, expireAfter: 0)
        ),
        Case(
            headers: ["Cache-Control": "max-age=60", "Oracle-Mobile-Sync-Expires": later],
            usesStandard: true,
            policy: ResourcePolicy(expirationPolicy: .after, expireAfter: 100)
        ),
    ]

    @Test(arguments: cases)
    func setsPolicies(_ item: Case) {
        let headers = ResponsePolicyHeaders { item.headers[$0] }
        #expect(headers.policy(at: Self.now, usesStandardHeaders: item.usesStandard) == item.policy)
    }

    /// The same moment in many zones.
    @Test(arguments: [
        "Tue, 14 Nov 2023 22:13:20 GMT", "Tue, 14 Nov 2023 22:13:20 UTC", "14 Nov 2023 22:13:20 Z",
        "Tue, 14 Nov 2023 14:13:20 PST", "Tue, 14 Nov 2023 14:13:20 -0800",
        "Tue, 14 Nov 2023 23:13:20 +01:00", "Tue, 14 Nov 2023 23:13:20 CET",
        "Tue, 14 Nov 2023 22:13:20", "Tue, 14 Nov 2023 23:13:20 GMT+01:00",
    ])
    func readsDatesOfAnyZone(_ text: String) {
        #expect(HeaderDate.date(text) == Self.now)
    }

    @Test(arguments: [
        "", "Tue", "Tue, 14 Foo 2023 22:13:20 GMT", "Tue, 99 Nov 2023 22:13:20 GMT",
        "1 Nov 2023 1:2 GMT", "Tue, 14 Nov 2023 22:13:20 XYZ", "Fri, 31 Feb 2023 22:13:20 GMT",
    ])
    func passesOverWhatIsNoDate(_ text: String) {
        #expect(HeaderDate.date(text) == nil)
    }
}
