#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import OfflineOData
import ODataProtocol

/// A store that is loaded with readings, and the changes that benchmarks make in it.
struct ReadingStore {
    let provider: OfflineODataProvider

    /// Name of the store's file in its directory.
    static let file = "/local-write.sqlite"

    /// Creates a store in a directory and loads it from a service.
    init(in directory: String, _ service: String) async throws {
        let parameters = OfflineODataParameters()
        parameters.storeName = "local-write"
        parameters.storePath = URL(filePath: directory)
        provider = try OfflineODataProvider(serviceRoot: service, parameters: parameters)
        try provider.add(
            definingQuery: OfflineODataDefiningQuery(name: "Readings", query: "Readings")
        )
        try await provider.open()
    }

    /// Makes so many creates, shared out among writers that each wait for one before the next.
    func create(_ changes: Int, writers: Int) async throws {
        try await withThrowingTaskGroup { group in
            for writer in 0..<writers {
                group.addTask { [provider] in
                    for number in stride(from: writer, to: changes, by: writers) {
                        try await provider.createEntity(Self.reading(number))
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Makes so many creates by the form that code without tasks uses.
    func createBlocking(_ changes: Int) throws {
        for number in 0..<changes { try provider.createEntity(Self.reading(number)) }
    }

    /// Makes creates as the change set of a batch.
    func createBatch(_ body: [UInt8]) async throws {
        let request = HTTPRequest(
            method: "POST",
            url: "$batch",
            headers: ["Content-Type": "multipart/mixed;boundary=b"],
            body: body
        )
        let answer = await provider.respond(to: request)
        // Looked for by bytes: the look must not cost what is measured.
        guard answer.status == 200, Self.holds("201 Created", answer.body),
            !Self.holds("HTTP/1.1 4", answer.body)
        else {
            let start = String(decoding: answer.body.prefix(500), as: UTF8.self)
            throw BenchmarkError("the batch was refused: \(start)")
        }
    }

    private static func holds(_ text: String, _ bytes: [UInt8]) -> Bool {
        let word = Array(text.utf8)
        return bytes.indices.contains {
            bytes[$0] == word[0] && bytes[$0...].starts(with: word)
        }
    }

    /// The body of a batch with one change set.
    static func batch(_ numbers: Range<Int>) -> [UInt8] {
        var text = "--b\r\nContent-Type: multipart/mixed;boundary=c\r\n\r\n"
        for number in numbers {
            text += "--c\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n"
            text += "Content-ID: \(number + 1)\r\n\r\nPOST Readings HTTP/1.1\r\n"
            text += "Content-Type: application/json\r\n\r\n"
            text += """
                {"ID":\(5_000_000 + number),"Code":"L-\(number)","Name":"pump replaced",\
                "Comment":"made by the benchmark","City":"Leeds","State":"new","Count":7,"Amount":12.25,\
                "Factor":0.5,"IsValid":true,"CreatedAt":"2024-02-29T12:00:00Z",\
                "Reference":"01234567-89ab-cdef-0123-456789abcdef","Day":"2024-02-29"}
                """
            text += "\r\n"
        }
        return Array((text + "--c--\r\n--b--\r\n").utf8)
    }

    /// An entity that the service does not have.
    static func reading(_ number: Int) -> EntityValue {
        EntityValue(
            entitySet: "Readings",
            [
                "ID": .integer(Int64(5_000_000 + number)), "Code": .string("L-\(number)"),
                "Name": "pump replaced", "Comment": "made by the benchmark", "City": "Leeds",
                "State": "new", "Count": 7, "Amount": 12.25, "Factor": 0.5, "IsValid": true,
                "CreatedAt": "2024-02-29T12:00:00Z",
                "Reference": "01234567-89ab-cdef-0123-456789abcdef", "Day": "2024-02-29",
            ]
        )
    }
}
