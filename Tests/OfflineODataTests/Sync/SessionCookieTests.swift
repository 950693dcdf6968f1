import ODataHTTP
import Testing

@testable import ODataClient
@testable import OfflineProvider
@testable import OfflineOData

@Suite struct SessionCookieTests {
    @Test func replacedCookiesAreGone() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set(
            "GET Orders",
            HTTPResponse(
                status: 200,
                headers: ["Set-Cookie": "sid=theirs; Path=/"],
                body: Array(#"{"value":[]}"#.utf8)
            )
        )
        let provider = try await service.opened(["Orders"]) {
            $0.customCookies = ["a": "1", "b": "2"]
        }
        provider.updateCustomCookies(["b": "3"])
        service.clearLog()
        try await provider.download()
        #expect(service.log.first?.headers["Cookie"] == "b=3; sid=theirs")
    }

    @Test func theServicesValueOfAReplacedCookieIsGone() {
        var cookies = SessionCookies(custom: ["sid": "mine"])
        cookies.take("sid=theirs; HttpOnly")
        #expect(cookies.field == "sid=theirs")
        cookies.replaceCustom(["sid": "new"])
        #expect(cookies.field == "sid=new")
        cookies.take("sid=rotated")
        cookies.replaceCustom([:])
        #expect(cookies.field == nil)
    }

    @Test(arguments: [
        "x=; Max-Age=0", "x=y; expires=Thu, 01 Jan 1970 00:00:00 GMT", "x=y;MAX-AGE=-1; Path=/",
    ])
    func removesAnExpiredCookie(_ line: String) {
        var cookies = SessionCookies(custom: [:])
        cookies.take("x=1")
        cookies.take(line)
        #expect(cookies.field == nil)
    }

    @Test(arguments: [
        "x=2; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT", " x = 2 ;Secure", "x=2",
    ])
    func keepsALivingCookie(_ line: String) {
        var cookies = SessionCookies(custom: [:])
        cookies.take(line)
        #expect(cookies.field == "x=2")
    }
}
