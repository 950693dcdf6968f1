import ODataValues
import OfflineSync
package import ODataHTTP
import Synchronization

/// The head of the first answer to a fetch, with the bytes that all of its answers brought.
package struct AnswerHead: Sendable {
    package var status = 200
    package var headers: HTTPHeaders = [:]
    package var byteCount = 0
}

/// Looks at the answers to one fetch before they are stored.
final class FetchInspection: Sendable {
    private let fetch: ReadRouter.Fetch
    private let maximumBodySize: Int
    private let state = Mutex<(head: AnswerHead, count: Int)>((AnswerHead(), 0))

    init(_ fetch: ReadRouter.Fetch, maximumBodySize: Int) {
        self.fetch = fetch
        self.maximumBodySize = maximumBodySize
    }

    var head: AnswerHead { state.guarded { $0.head } }
    var isSinglePage: Bool { state.guarded { $0.count == 1 } }

    /// Notes the head of an answer, and counts the bytes of its body as they come.
    func inspect(_ response: inout HTTPStreamingResponse) async throws {
        let (status, headers) = (response.status, response.headers)
        let isFirst = state.guarded { state in
            if state.count == 0 { (state.head.status, state.head.headers) = (status, headers) }
            state.count += 1
            return state.count == 1
        }
        guard fetch.isStorable(status, headers) else {
            let body = try await response.body.collect(upTo: maximumBodySize)
            throw UnstoredAnswer(
                response: HTTPResponse(status: status, headers: headers, body: body),
                isPart: status == 304 || !isFirst || JoinedPages.nextLink(of: body) != nil
            )
        }
        // What is too large by its own account is not even begun.
        let stated = status == 304 ? nil : headers["Content-Length"]
        let length = stated.flatMap { Int($0) } ?? 0
        guard length <= fetch.maximumByteCount else { throw AnswerTooLarge() }
        let pieces = OneReader(response.body)
        response.body = HTTPBody { [self] in
            guard let piece = try await pieces.next() else { return nil }
            try count(piece.count)
            return piece
        }
    }

    private func count(_ byteCount: Int) throws {
        let total = state.guarded { state in
            state.head.byteCount += byteCount
            return state.head.byteCount
        }
        guard total <= fetch.maximumByteCount else { throw AnswerTooLarge() }
    }
}

/// The pieces of a body, for a closure that hands them on.
private actor OneReader {
    private var iterator: HTTPBody.Iterator

    init(_ body: HTTPBody) { iterator = body.makeAsyncIterator() }

    func next() async throws -> [UInt8]? {
        var iterator = iterator
        defer { self.iterator = iterator }
        return try await iterator.next()
    }
}
