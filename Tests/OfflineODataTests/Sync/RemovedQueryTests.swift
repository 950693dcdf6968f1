import ODataHTTP
import OfflineOData
import Synchronization
import Testing

/// Defining queries that are removed while a download reads them.
@Suite struct RemovedQueryTests {
    /// Calls a function before a request is passed on.
    private final class HookedTransport: HTTPTransport {
        private let service: RecordedService
        let hook = Mutex<(@Sendable (HTTPRequest) async throws -> Void)?>(nil)

        init(_ service: RecordedService) { self.service = service }

        func send(_ request: HTTPRequest, options: HTTPRequestOptions) async throws
            -> HTTPStreamingResponse
        {
            try await hook.withLock { $0 }?(request)
            return try await service.send(request, options: options)
        }
    }

    @Test(arguments: [false, true])
    func leaveNoRowsBehind(isFirstLoad: Bool) async throws {
        let service = try RecordedService(metadata: TalkModel.document)
        service.set(
            "GET Orders",
            RecordedService.json(
                #"{"value":[{"ID":1,"Title":"a","Price":5},{"ID":2,"Title":"b","Price":6}]}"#
            )
        )
        service.set(
            "GET Orders?$filter=ID%20eq%201",
            RecordedService.json(#"{"value":[{"ID":1,"Title":"a","Price":5}]}"#)
        )
        let transport = HookedTransport(service)
        let first = ["Orders?$filter=ID%20eq%201"] + (isFirstLoad ? [] : ["Orders"])
        let provider = try await service.opened(first) { $0.transport = transport }
        if isFirstLoad {
            try provider.add(definingQuery: OfflineODataDefiningQuery(name: "Q1", query: "Orders"))
        }
        transport.hook.withLock { hook in
            hook = { request in
                guard request.url.hasSuffix("/Orders") else { return }
                try? await provider.removeDefiningQuery(named: "Q1")
            }
        }
        try await provider.download(withSubset: nil, isFull: true)
        #expect(try await provider.definingQueries().map(\.name) == ["Q0"])
        #expect(
            try await provider.executeQuery("Orders").compactMap { $0["ID"]?.integerValue } == [1]
        )
    }

    /// Another query has the name by now: neither rows nor the delta link of the former one are its own.
    @Test(arguments: ["Orders?$filter=ID%20eq%201", "Tags"], [false, true])
    func keepsNothingOfAQueryThatWasReplaced(_ url: String, _ isFirstLoad: Bool) async throws {
        let service = try RecordedService(metadata: TalkModel.document)
        service.set(
            "GET Orders",
            RecordedService.json(
                #"{"value":[{"ID":1,"Title":"a"},{"ID":2,"Title":"b"}],"@odata.deltaLink":"Orders?$deltatoken=1"}"#
            )
        )
        service.set(
            "GET Orders?$deltatoken=1",
            RecordedService.json(#"{"value":[{"ID":3}],"@odata.deltaLink":"Orders?$deltatoken=2"}"#)
        )
        service.set(
            "GET Orders?$filter=ID%20eq%201",
            RecordedService.json(#"{"value":[{"ID":1,"Title":"a"}]}"#)
        )
        service.set("GET Tags", RecordedService.json(#"{"value":[]}"#))
        let transport = HookedTransport(service)
        let provider = try await service.opened(isFirstLoad ? [] : ["Orders"]) {
            $0.transport = transport
        }
        if isFirstLoad {
            try provider.add(definingQuery: OfflineODataDefiningQuery(name: "Q0", query: "Orders"))
        }
        transport.hook.withLock { hook in
            hook = { request in
                guard request.url.hasSuffix(isFirstLoad ? "/Orders" : "Orders?$deltatoken=1") else {
                    return
                }
                try? await provider.removeDefiningQuery(named: "Q0")
                try? await provider.addDefiningQuery(
                    OfflineODataDefiningQuery(name: "Q0", query: url)
                )
            }
        }
        let result = try await provider.download()
        #expect(
            result.queries.first?.remarks.contains { $0.contains("removed or replaced") } == true
        )
        #expect(try await provider.executeQuery("Orders").count == 0)
        transport.hook.withLock { $0 = nil }
        try await provider.download()
        let expected: [Int64] = url == "Tags" ? [] : [1]
        #expect(
            try await provider.executeQuery("Orders").compactMap { $0["ID"]?.integerValue }
                == expected
        )
    }
}
