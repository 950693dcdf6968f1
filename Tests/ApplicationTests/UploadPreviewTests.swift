import OfflineOData
import Synchronization
import Testing

/// What an upload would send, beside what it sends.
@Suite struct UploadPreviewTests {
    @Test func listsTheRequestsThatTheUploadSends() async throws {
        let shop = try await ShopStore()
        var lamp = try #require(try await shop.provider.executeQuery("Items(1)").first)
        lamp["Name"] = "Torch"
        try await shop.provider.updateEntity(lamp)
        try await shop.provider.createEntity(
            EntityValue(entitySet: "Items", ["ID": 3, "Name": "Desk"])
        )
        let before = shop.service.requests.count
        let preview = try await shop.provider.uploadPreview()
        #expect(shop.service.requests.count == before)
        #expect(try await shop.provider.requestQueue().map(\.status) == [.pending, .pending])

        let sent = Mutex<[HTTPRequest]>([])
        shop.service.answer { request in
            if request.method != "GET" { sent.withLock { $0.append(request) } }
            return nil
        }
        try await shop.provider.upload()
        let first = try #require(sent.withLock { $0.first })
        let message = try #require(preview.requests.first?.message)
        #expect(preview.requests.count == 1)
        #expect(preview.requests.first?.isBatch == true)
        #expect(message.method == first.method)
        #expect(message.url == first.url)
        #expect(Self.steady(message) == Self.steady(first))
    }

    /// The header fields and the body, with the boundary replaced by a word.
    private static func steady(_ message: HTTPRequest) -> String {
        let head = message.headers.fields.map { "\($0.name): \($0.value)\n" }.joined()
        return (head + String(decoding: message.body, as: UTF8.self))
            .replacing(/batch_[0-9a-f]+/, with: "BOUNDARY")
    }

    @Test func leavesOutWhatSaysWhoAsks() {
        let headers: HTTPHeaders = [
            "Authorization": "x", "Cookie": "x", "X-CSRF-Token": "x", "apikey": "x",
            "Ocp-Apim-Subscription-Key": "x", "Accept": "kept", "X-Functions-Key": "x",
            "X-Amz-Security-Token": "x", "MYSAPSSO2": "x", "DPoP": "x", "X-JWT-Assertion": "x",
            "X-User-Pass": "x",
            "SAP-Connectivity-Authentication": "x", "X-Access-Key": "x", "X-OTP": "x",
            "X-Forwarded-Client-Cert": "x", "X-Signature": "x", "Cookie2": "x",
        ]
        #expect(
            OfflineODataCredentialFields.removed(from: headers).fields.map(\.value) == ["kept"]
        )
        #expect(
            OfflineODataCredentialFields.removed(
                from: "https://me:pw@host.test/o/Items?$top=1&access_token=abc&x=1&sas=y"
            ) == "https://host.test/o/Items?$top=1&access_token=&x=1&sas="
        )
        #expect(
            OfflineODataCredentialFields.removed(
                from:
                    "https://host.test/o/Items?X-Api-Key=a&sap-token=b&jwt=c&$skiptoken=d&skiptoken=e&%24deltatoken=f"
            )
                == "https://host.test/o/Items?X-Api-Key=&sap-token=&jwt=&$skiptoken=d&skiptoken=e&%24deltatoken=f"
        )
        #expect(
            OfflineODataCredentialFields.removed(
                from: "https://host.test/o/Items?pwd=a&app_key=b&session_id=c&pinned=d&author=e"
            ) == "https://host.test/o/Items?pwd=&app_key=&session_id=&pinned=d&author=e"
        )
    }
}
