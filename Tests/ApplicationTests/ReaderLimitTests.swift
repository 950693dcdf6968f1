import OfflineOData
import Testing

/// The limits of documents and batches: what is as large as they allow is read, anything larger is refused.
@Suite struct ReaderLimitTests {
    private func provider(
        of shop: ShopStore,
        named name: String,
        _ change: (inout OfflineODataLimits) -> Void
    ) async throws -> OfflineODataProvider {
        let parameters = OfflineODataParameters()
        parameters.storeName = name
        parameters.storePath = shop.directory
        parameters.transport = shop.service
        parameters.retryPolicy = .never
        change(&parameters.limits)
        let provider = try OfflineODataProvider(
            serviceRoot: ScriptedService.root,
            parameters: parameters
        )
        try await provider.addDefiningQuery(
            OfflineODataDefiningQuery(name: "Items", query: "Items")
        )
        return provider
    }

    @Test func metadataHasAtMostTheBytesOfItsLimit() async throws {
        let shop = try await ShopStore()
        let byteCount = try await shop.provider.metadataDocument().count
        let accepting = try await provider(of: shop, named: "accepting") {
            $0.metadata.maximumByteCount = byteCount
        }
        try await accepting.open()
        #expect(try await accepting.executeQuery("Items").count == 2)

        let refusing = try await provider(of: shop, named: "refusing") {
            $0.metadata.maximumByteCount = byteCount - 1
        }
        let error = await #expect(throws: OfflineODataError.self) { try await refusing.open() }
        #expect(error?.code == .limitExceeded)
        #expect(error?.message.contains("at most \(byteCount - 1)") == true)
        // A store that has its metadata needs no limit to be read.
        let reading = try await provider(of: shop, named: "accepting") {
            $0.metadata.maximumByteCount = 1
        }
        #expect(try await reading.executeQuery("Items").count == 2)
    }

    @Test func importedMetadataHasAtMostTheBytesOfItsLimit() async throws {
        let shop = try await ShopStore()
        let document = try await shop.provider.metadataDocument()
        for (byteCount, isAccepted) in [(document.count, true), (document.count - 1, false)] {
            let parameters = OfflineODataParameters()
            parameters.limits.metadata.maximumByteCount = byteCount
            let provider = try OfflineODataProvider(
                storeFile: shop.directory.path + "/import-\(byteCount).sqlite",
                isCreating: true,
                parameters: parameters
            )
            let file = OfflineODataDataFile(entitySet: "Items", json: Array("[]".utf8))
            if isAccepted {
                #expect(try await provider.importData([file], metadata: document) == 0)
                continue
            }
            let error = await #expect(throws: OfflineODataError.self) {
                try await provider.importData([file], metadata: document)
            }
            #expect(error?.code == .limitExceeded)
        }
    }

    private static let head = "Accept: application/json\r\nX-Padding: 0123456789\r\n"
    private static let multipart = """
        --b\r
        Content-Type: application/http\r
        \r
        GET Items HTTP/1.1\r
        \(head)\r
        \r
        --b--\r

        """

    private func answer(
        _ body: String,
        _ contentType: String,
        _ change: (inout OfflineODataLimits) -> Void
    ) async throws -> HTTPResponse {
        let shop = try await ShopStore()
        let provider = try await provider(of: shop, named: "localstore", change)
        return await provider.respond(
            to: HTTPRequest(
                method: "POST",
                url: "$batch",
                headers: ["Content-Type": contentType],
                body: Array(body.utf8)
            )
        )
    }

    @Test func headOfAPartHasAtMostTheBytesOfItsLimit() async throws {
        let byteCount = Self.head.utf8.count
        let type = "multipart/mixed;boundary=b"
        let accepted = try await answer(Self.multipart, type) { $0.batch.headBytes = byteCount }
        #expect(accepted.status == 200)
        #expect(String(decoding: accepted.body, as: UTF8.self).contains("HTTP/1.1 200"))
        let refused = try await answer(Self.multipart, type) { $0.batch.headBytes = byteCount - 1 }
        #expect(refused.status == 413)
        let text = String(decoding: refused.body, as: UTF8.self)
        #expect(text.contains("the head of a part is larger than \(byteCount - 1) bytes"))
    }

    @Test func batchHasAtMostTheRequestsOfItsLimit() async throws {
        let request = { (id: Int) in "{\"id\":\"\(id)\",\"method\":\"get\",\"url\":\"Items\"}" }
        let body = "{\"requests\":[\(request(1)),\(request(2))]}"
        let accepted = try await answer(body, "application/json") { $0.batch.parts = 2 }
        #expect(accepted.status == 200)
        let refused = try await answer(body, "application/json") { $0.batch.parts = 1 }
        #expect(refused.status == 413)
        #expect(
            String(decoding: refused.body, as: UTF8.self).contains("more than 1 requests")
        )
    }

    @Test func batchIsAtMostAsDeepAsItsLimit() async throws {
        let deep = String(repeating: "[", count: 20) + String(repeating: "]", count: 20)
        let body = """
            {"requests":[{"id":"1","method":"get","url":"Items","extension":\(deep)}]}
            """
        // The value is read from depth 2 on: an object in an array.
        let accepted = try await answer(body, "application/json") { $0.batch.jsonDepth = 22 }
        #expect(accepted.status == 200)
        let refused = try await answer(body, "application/json") { $0.batch.jsonDepth = 21 }
        #expect(refused.status == 413)
        #expect(String(decoding: refused.body, as: UTF8.self).contains("21"))
    }

    @Test func answerToAnUploadBeyondTheLimitCountsAsLost() async throws {
        for (count, isRead) in [(2, true), (1, false)] {
            let shop = try await ShopStore()
            shop.service.answer { request in
                guard request.url.hasSuffix("$batch") else { return nil }
                let part =
                    "--r\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n\r\n"
                return HTTPResponse(
                    status: 200,
                    headers: ["Content-Type": "multipart/mixed;boundary=r"],
                    body: Array((part + part + "--r--\r\n").utf8)
                )
            }
            let provider = try await provider(of: shop, named: "localstore") {
                $0.batch.parts = count
            }
            for var item in try await provider.executeQuery("Items") {
                item["Name"] = "new"
                try await provider.updateEntity(item)
            }
            let result = try await provider.upload()
            #expect(result.succeededCount == 2)
            // What the service answered beyond the limit is found out by reading the entities, and sent again singly.
            #expect(shop.service.requests.contains("GET http://shop.test/Items(1)") != isRead)
            #expect(shop.service.requests.contains("PATCH http://shop.test/Items(1)") != isRead)
        }
    }
}
