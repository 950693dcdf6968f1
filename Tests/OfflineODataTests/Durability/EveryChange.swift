import StoreRecords
import ODataHTTP
import ODataAnswers
import OfflineStore
import TestSupport
import Testing

/// A change of every kind, one after the other, on an empty store of `WorkshopModel`.
enum EveryChange {
    /// A change of the store, through requests or on its queue.
    enum Change: Sendable {
        case request(String, String, String?, HTTPHeaders = [:])
        case queue(@Sendable (QueueEditor) throws -> Void)
    }

    private static let text: HTTPHeaders = ["Content-Type": "text/plain"]

    static let changes: [Change] = [
        .request("POST", "People", #"{"ID":1,"Name":"a"}"#),
        .request(
            "POST",
            "People",
            #"{"ID":2,"Name":"b","Jobs":[{"ID":1}],"Notes":[{"Number":1}],"Boss@odata.bind":"People(1)"}"#
        ),
        .request("PATCH", "People(1)", #"{"Status":"s"}"#),
        .request("PUT", "People(1)", #"{"Name":"r"}"#),
        .request("PATCH", "Tools('t')", #"{"Colour":"red","OwnerID":2}"#, ["If-None-Match": "*"]),
        .request("POST", "People(1)/Friends/$ref", #"{"@odata.id":"People(2)"}"#),
        .request("PUT", "People(2)/Rival/$ref", #"{"@odata.id":"People(1)"}"#),
        .request("DELETE", "People(1)/Friends/$ref?$id=People(2)", nil),
        .request("PUT", "People(1)/Picture", "face", text),
        .request("PUT", "People(1)/Picture", "other face", text),
        .request("POST", "Photos", "picture", text),
        .request("DELETE", "People(1)/Picture", nil),
        .request("POST", "People(2)/W.Promote", #"{"steps":1}"#),
        .request("DELETE", "People(2)", nil),
        .request(
            "POST",
            "$batch",
            """
            {"requests":[{"id":"a","atomicityGroup":"g","method":"POST","url":"People",
              "headers":{"content-type":"application/json"},"body":{"ID":3,"Name":"c"}},
             {"id":"b","atomicityGroup":"g","method":"POST","url":"$a/Jobs",
              "headers":{"content-type":"application/json"},"body":{"ID":7}}]}
            """
        ),
        .queue { try $0.edit(3, body: Array(#"{"Status":"edited"}"#.utf8)) },
        .queue { _ = try $0.drop([4]) },
        .queue { _ = try $0.undoAll() },
    ]

    static func make(_ change: Change, _ store: LocalStore) async throws {
        switch change {
        case .request(let method, let url, let body, let headers):
            var options = ServiceOptions()
            options.demandsPreconditions = false
            options.serviceRoot = "http://service.test/"
            var request = HTTPRequest(
                method: method,
                url: "http://service.test/" + url,
                headers: headers,
                body: Array((body ?? "").utf8)
            )
            if body != nil, headers["Content-Type"] == nil {
                request.headers["Content-Type"] = "application/json"
            }
            let answer = await ODataServiceHandler(store: store, options: options)
                .respond(to: request)
            let isDone = answer.isSuccess && !answer.text.contains(#""status":4"#)
            try #require(isDone, "\(method) \(url): \(answer.text)")
        case .queue(let work):
            try await store.file.write { try work(QueueEditor($0, schema: store.schema($0))) }
        }
    }
}
