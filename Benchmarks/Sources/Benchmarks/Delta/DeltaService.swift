import ODataProtocol

/// A service in this process: pages made as they are asked for, and after them one delta after the other.
final class DeltaService: HTTPTransport {
    private let pages: ReadingPages
    private let changes: Int
    private let spread: Int

    static let root = "http://benchmark.invalid/"

    /// - Parameters:
    ///   - changes: Entries of a delta: eight of ten are updates, one a new entity, one a removal.
    ///   - spread: The entities among which the updates are spread evenly, so that they are the same in a set of any size.
    init(_ pages: ReadingPages, changes: Int, spread: Int) {
        self.pages = pages
        self.changes = changes
        self.spread = spread
    }

    func send(
        _ request: HTTPRequest,
        options: HTTPRequestOptions
    ) async throws -> HTTPStreamingResponse {
        let target = String(request.url.dropFirst(Self.root.count))
        let number = target.split(separator: "=").last.flatMap { Int($0) } ?? 0
        let body: [UInt8]
        if target == "$metadata" {
            body = Array(pages.metadata.utf8)
        } else if target.contains("$deltatoken") {
            body = delta(number)
        } else {
            body = pages.page(number, of: "Readings", pages.rows, deltaLink: link(1))
        }
        return HTTPStreamingResponse(status: 200, headers: [:], body: HTTPBody(body))
    }

    private func link(_ number: Int) -> String { "Readings?$deltatoken=\(number)" }

    private func delta(_ number: Int) -> [UInt8] {
        var bytes = Array(#"{"@odata.context":"$metadata#Readings/$delta","value":["#.utf8)
        let tenth = changes / 10
        let updated = changes - 2 * tenth
        for index in 0..<updated {
            let row = index * (spread / updated)
            ReadingRow(row, keys: pages.keys, version: number).write(to: &bytes)
            bytes.append(UInt8(ascii: ","))
        }
        let firstNew = pages.rows + number * tenth
        for row in firstNew..<firstNew + tenth {
            ReadingRow(row, keys: pages.keys).write(to: &bytes)
            bytes.append(UInt8(ascii: ","))
        }
        for index in 0..<tenth {
            // What the delta before brought; the first one removes what is not there any more in the next.
            let row = number == 1 ? index * (spread / tenth) + 1 : firstNew - tenth + index
            let entry = #"{"@removed":{"reason":"deleted"},"@id":"Readings(\#(1_000 + row))"}"#
            bytes.append(contentsOf: (entry + (index + 1 < tenth ? "," : "")).utf8)
        }
        bytes.append(contentsOf: #"],"@odata.deltaLink":"\#(link(number + 1))"}"#.utf8)
        return bytes
    }
}
