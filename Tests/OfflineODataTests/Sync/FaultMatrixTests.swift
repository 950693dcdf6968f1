import ODataService
import ODataAnswers
import ODataHTTP
import OfflineOData
import Synchronization
import TestSupport
import Testing

/// Every fault at every request of an upload and of a download.
///
/// After one more call service and store agree, and each change took effect exactly once, or stands in archive or queue with its
/// reason. Counted at the service.
@Suite struct FaultMatrixTests {
    struct Fault: Sendable, CustomTestStringConvertible {
        var name: String
        var fault: HandlerTransport.HTTPFault
        var testDescription: String { name }

        static let all: [Fault] =
            [
                Fault(name: "before sending", fault: .lostBefore),
                Fault(name: "answer lost", fault: .lostAfter),
                Fault(name: "body cut at once", fault: .cut(bytes: 0)),
                Fault(name: "body cut early", fault: .cut(bytes: 60)),
                Fault(name: "body cut later", fault: .cut(bytes: 700)),
                Fault(
                    name: "garbage",
                    fault: .answer(HTTPResponse(status: 200, body: Array("<!>\u{0}".utf8)))
                ),
            ]
            + [401, 408, 413, 429, 500, 503].map {
                Fault(
                    name: "\($0) in front of the service",
                    fault: .instead(HTTPResponse(status: $0))
                )
            }
            + [500, 502, 503, 504].map {
                Fault(
                    name: "\($0) after the change was made",
                    fault: .answer(HTTPResponse(status: $0))
                )
            }
    }

    struct Cell: Sendable, CustomTestStringConvertible {
        var fault: Fault
        /// Number of the request that meets it, 0-based.
        var request: Int
        var isBatching: Bool
        var isRepeatable = false
        /// How many changes stand in one batch.
        var batchSize = 100
        /// What carries the requests over a socket; nil where the service is called in this process.
        var transport: TransportKind?

        var testDescription: String {
            "\(fault.name), request \(request), \(isBatching ? "batch" : "single")"
                + (isRepeatable ? ", repeatable" : "") + (batchSize < 100 ? " of \(batchSize)" : "")
                + (transport.map { " over \($0)" } ?? "")
        }

        /// The same over each transport of the product, where only so many are tried.
        static func overSockets(_ cells: [Cell], of count: Int) -> [Cell] {
            TransportKind.allCases.flatMap { kind in
                TestScale.sample(cells, of: count).map { cell in
                    var cell = cell
                    cell.transport = kind
                    return cell
                }
            }
        }
    }

    private static let allUploads = Fault.all.flatMap(uploads)
    static let uploads =
        TestScale.sample(allUploads, of: 32) + Cell.overSockets(allUploads, of: 32)

    private static func uploads(_ fault: Fault) -> [Cell] {
        var cells: [Cell] = []
        for request in 0..<2 {
            cells.append(Cell(fault: fault, request: request, isBatching: true))
        }
        for request in 0..<8 {
            cells.append(Cell(fault: fault, request: request, isBatching: false))
        }
        // Several batches, each of them chosen while the one before is at the service.
        for request in 0..<5 {
            cells.append(Cell(fault: fault, request: request, isBatching: true, batchSize: 1))
        }
        for (request, size) in [(0, 100), (1, 2)] {
            cells.append(
                Cell(
                    fault: fault,
                    request: request,
                    isBatching: true,
                    isRepeatable: true,
                    batchSize: size
                )
            )
        }
        return cells
    }

    private static let allDownloads = Fault.all.flatMap { fault in
        (0..<5).map { Cell(fault: fault, request: $0, isBatching: true) }
    }
    static let downloads =
        TestScale.sample(allDownloads, of: 20) + Cell.overSockets(allDownloads, of: 16)

    /// Lets one request meet a fault, counted from now.
    private func arm(_ transport: HandlerTransport, _ cell: Cell) {
        let count = Mutex(0)
        let number = RequestCounter(count: count)
        transport.setFault { _ in number.next() == cell.request ? cell.fault.fault : nil }
    }

    private final class RequestCounter: Sendable {
        private let count: Mutex<Int>
        init(count: consuming Mutex<Int>) { self.count = count }
        func next() -> Int {
            count.guarded { value in
                defer { value += 1 }
                return value
            }
        }
    }

    /// A store whose service has one part and two orders.
    private func opened(_ cell: Cell, _ directory: TemporaryDirectory) async throws -> (
        SampleService, OfflineODataProvider
    ) {
        let service = try await SampleService(pageSize: 2, sets: []) {
            $0.service.hasBatch = cell.isBatching
            $0.isRepeatable = true
        }
        for number in 1...3 {
            let body = "{\"Number\":\"P\(number)\",\"Name\":\"old\",\"UnitPrice\":1,\"InStock\":5}"
            try #require(await service.change("POST", "Parts", body).isSuccess)
        }
        for title in ["First", "Second"] {
            _ = try await service.create("WorkOrders", "{\"Title\":\"\(title)\"}", "WorkOrders")
        }
        let wire = try cell.transport.map {
            try WireTransport($0, to: service.transport, root: SampleService.root)
        }
        let provider = try service.provider(directory, transport: wire) {
            $0.enableRepeatableRequests = cell.isRepeatable
            $0.uploadBatchSize = cell.batchSize
        }
        try provider.add(definingQuery: OfflineODataDefiningQuery(name: "Parts", query: "Parts"))
        try provider.add(
            definingQuery: OfflineODataDefiningQuery(name: "Orders", query: "WorkOrders")
        )
        try await provider.open()
        return (service, provider)
    }

    /// Number of entities at the service that meet a condition.
    private func count(_ service: SampleService, _ set: String, _ filter: String) async -> Int {
        let text = await service.get("\(set)/$count?$filter=\(filter)").body
        return Int(String(decoding: text, as: UTF8.self)) ?? -1
    }

    @Test(arguments: uploads)
    func carriesOutEachChangeOnce(_ cell: Cell) async throws {
        let directory = try TemporaryDirectory()
        let (service, provider) = try await opened(cell, directory)
        try await provider.createEntity(
            EntityValue(entitySet: "WorkOrders", ["Title": "made here"])
        )
        try await provider.createEntity(
            EntityValue(
                entitySet: "Parts",
                ["Number": "P9", "Name": "mine", "UnitPrice": 2, "InStock": 1]
            )
        )
        var part = try #require(try await provider.executeQuery("Parts('P1')").first)
        part["Name"] = "changed here"
        try await provider.updateEntity(part)
        let doomed = try #require(try await provider.executeQuery("Parts('P2')").first)
        try await provider.deleteEntity(doomed)

        arm(service.transport, cell)
        _ = try? await provider.upload()
        service.transport.setFault(nil)
        _ = try? await provider.upload()

        let queue = try await provider.requestQueue()
        let archive = try await provider.errorArchive()
        // Whatever is not done says why.
        #expect(queue.allSatisfy { $0.status == .unknownOutcome || $0.status == .parked })
        #expect(archive.allSatisfy { $0.failure?.httpStatus ?? 0 >= 400 })
        let left = queue + archive
        func isLeft(_ method: String, _ url: String) -> Bool {
            left.contains { $0.method == method && $0.url.hasPrefix(url) }
        }
        let made = await count(service, "WorkOrders", "Title eq 'made here'")
        #expect(made == 1 || made == 0 && isLeft("POST", "WorkOrders"))
        let mine = await count(service, "Parts", "Number eq 'P9' and Name eq 'mine'")
        #expect(mine == 1 || mine == 0 && isLeft("POST", "Parts"))
        let changed = await count(service, "Parts", "Name eq 'changed here'")
        #expect(changed == 1 || isLeft("PATCH", "Parts"))
        let gone = await count(service, "Parts", "Number eq 'P2'")
        #expect(gone == 0 || isLeft("DELETE", "Parts"))
        if cell.isRepeatable { #expect(left.isEmpty, "\(left)") }
        try await provider.download()
        if left.isEmpty { try await agree(service, provider) }
    }

    @Test(arguments: downloads)
    func bringsEveryChangeOfTheService(_ cell: Cell) async throws {
        let directory = try TemporaryDirectory()
        let (service, provider) = try await opened(cell, directory)
        _ = await service.change("PATCH", "Parts('P1')", "{\"Name\":\"theirs\"}", ["If-Match": "*"])
        _ = await service.change("DELETE", "Parts('P3')", "", ["If-Match": "*"])
        _ = try await service.create("WorkOrders", "{\"Title\":\"theirs\"}", "WorkOrders")
        var part = try #require(try await provider.executeQuery("Parts('P2')").first)
        part["Name"] = "waits"
        try await provider.updateEntity(part)

        arm(service.transport, cell)
        _ = try? await provider.download()
        service.transport.setFault(nil)
        try await provider.download()
        #expect(
            try await provider.executeQuery("Parts('P2')").first?["Name"]?.stringValue == "waits"
        )
        #expect(try await provider.requestQueue().count == 1)
        #expect(try await provider.upload().succeededCount == 1)
        try await provider.download()
        try await agree(service, provider)
    }

    /// Compares every part and order, row by row.
    private func agree(_ service: SampleService, _ provider: OfflineODataProvider) async throws {
        for (set, name) in [("Parts", "Name"), ("WorkOrders", "Title")] {
            let there = String(
                decoding: await service.get("\(set)?$select=\(name)&$orderby=\(name)").body,
                as: UTF8.self
            )
            let here = try await provider.executeQuery("\(set)?$orderby=\(name)")
                .compactMap { $0[name]?.stringValue }
            let named = there.ranges(of: "\"\(name)\":\"").map { range in
                String(there[range.upperBound...].prefix { $0 != "\"" })
            }
            #expect(here == named)
        }
    }
}
