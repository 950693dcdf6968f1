import ODataSQLite
import StoreRecords
import ODataHTTP
import OfflineOData
import Synchronization
import TestSupport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One store of an oracle's run, and what may befall its process.
final class OracleStore {
    let name: String
    let hasDeltas: Bool
    private(set) var provider: OfflineODataProvider
    private let door: OracleDoor
    private let parameters: (OfflineODataParameters) -> Void
    private var transport: HandlerTransport
    private var directory: TemporaryDirectory

    static let queries = [
        ("Orders", "WorkOrders?$expand=RequiredParts"), ("Tasks", "Tasks"), ("Parts", "Parts"),
    ]

    /// What happens to one request.
    enum Mishap: CaseIterable {
        case lostBefore, lostAfter, cutEarly, cutLate, garbage, unauthorized, busy, broken,
            brokenAfter, gatewayAfter
        case cancelBefore, cancelAfter
        case killBefore, killAfter
    }

    init(
        _ name: String,
        _ service: OracleService,
        hasDeltas: Bool,
        _ parameters: @escaping (OfflineODataParameters) -> Void
    ) throws {
        self.name = name
        self.hasDeltas = hasDeltas
        self.parameters = parameters
        door = OracleDoor(service, hasDeltas: hasDeltas)
        transport = HandlerTransport(door)
        directory = try TemporaryDirectory()
        provider = try Self.provider(directory, transport, parameters)
        for (name, query) in Self.queries {
            try provider.add(definingQuery: OfflineODataDefiningQuery(name: name, query: query))
        }
    }

    private static func provider(
        _ directory: TemporaryDirectory,
        _ transport: HandlerTransport,
        _ change: (OfflineODataParameters) -> Void
    ) throws -> OfflineODataProvider {
        let parameters = OfflineODataParameters()
        parameters.storePath = URL(filePath: directory.path)
        parameters.transport = transport
        parameters.retryPolicy = .never
        change(parameters)
        return try OfflineODataProvider(serviceRoot: SampleService.root, parameters: parameters)
    }

    /// Runs a synchronisation of which one request meets a mishap; answers the error that it ended with.
    ///
    /// - Parameter place: Number of the request, 0-based.
    func run(
        _ mishap: Mishap?,
        at place: Int,
        _ body: (OfflineODataProvider) async throws -> Void
    ) async throws -> (any Error)? {
        let box = KeptDirectory()
        if let mishap { arm(mishap, place, box) }
        var failure: (any Error)?
        do { try await body(provider) } catch { failure = error }
        transport.setFault(nil)
        door.afterNextAnswer(nil)
        if let kept = box.directory { try revive(kept) }
        return failure
    }

    /// What a killed process leaves.
    private final class KeptDirectory: Sendable {
        private let kept = Mutex<TemporaryDirectory?>(nil)
        private let killed = Mutex(false)
        var directory: TemporaryDirectory? { kept.guarded { $0 } }
        var isKilled: Bool { killed.guarded { $0 } }

        /// Keeps what a process leaves that sends nothing any more: what it sends while the files are copied would be forgotten in them.
        func kill(leaving path: String) {
            killed.guarded { $0 = true }
            let copy = try? OracleStore.copy(of: path)
            kept.guarded { $0 = copy }
        }
    }

    private func arm(_ mishap: Mishap, _ place: Int, _ kept: KeptDirectory) {
        let counter = Counter()
        let (provider, door, path) = (provider, door, directory.path)
        transport.setFault { _ in
            if kept.isKilled { return .lostBefore }
            guard counter.next() == place + 1 else { return nil }
            return Self.fault(mishap, provider, door) { kept.kill(leaving: path) }
        }
    }

    private static func fault(
        _ mishap: Mishap,
        _ provider: OfflineODataProvider,
        _ door: OracleDoor,
        _ kill: @escaping @Sendable () -> Void
    ) -> HandlerTransport.HTTPFault? {
        let cancel: @Sendable () -> Void = {
            provider.cancelDownload()
            provider.cancelUpload()
        }
        switch mishap {
        case .lostBefore: return .lostBefore
        case .lostAfter: return .lostAfter
        case .cutEarly: return .cut(bytes: 40)
        case .cutLate: return .cut(bytes: 600)
        case .garbage: return .answer(HTTPResponse(status: 200, body: Array("<!>\u{0}".utf8)))
        case .unauthorized: return .instead(HTTPResponse(status: 401))
        case .busy: return .instead(HTTPResponse(status: 429))
        case .broken: return .instead(HTTPResponse(status: 503))
        case .brokenAfter: return .answer(HTTPResponse(status: 500))
        case .gatewayAfter: return .answer(HTTPResponse(status: 504))
        case .cancelBefore:
            cancel()
            return nil
        case .cancelAfter:
            door.afterNextAnswer(cancel)
            return nil
        case .killBefore:
            kill()
            return .lostBefore
        case .killAfter:
            door.afterNextAnswer(kill)
            return .lostAfter
        }
    }

    /// The files as a killed process leaves them: what was committed, and nothing else.
    private static func copy(of path: String) throws -> TemporaryDirectory {
        let copy = try TemporaryDirectory()
        for file in ["/localstore.sqlite", "/localstore.sqlite-staging"]
        where FileManager.default.fileExists(atPath: path + file) {
            let connection = try SQLiteConnection(path: path + file, mode: .readOnly)
            try connection.run("VACUUM INTO ?1", [.text(copy.path + file)])
        }
        return copy
    }

    /// Another process goes on with what a killed one has left.
    private func revive(_ kept: TemporaryDirectory) throws {
        transport.setFault { _ in .lostBefore }
        transport = HandlerTransport(door)
        directory = kept
        provider = try Self.provider(kept, transport, parameters)
    }

    // MARK: Looking

    /// Everything that the application sees, in lines that can be compared.
    func lines() async throws -> [String] {
        let orders = try await provider.executeQuery("WorkOrders?$expand=RequiredParts")
        let others =
            try await provider.executeQuery("Tasks") + provider.executeQuery("Parts")
        var lines = (orders + others).map(Self.line)
        for order in orders {
            for part in order["RequiredParts"]?.items ?? [] {
                lines.append("\(order.url)-Parts('\(part["Number"]?.stringValue ?? "?")')")
            }
        }
        return lines.sorted()
    }

    private static func line(_ entity: EntityValue) -> String {
        let texts = (OracleModel.properties[entity.entitySet] ?? []).map { name in
            guard let value = entity[name], !value.isNull else { return "-" }
            if let text = value.stringValue { return text }
            return value.integerValue.map { String($0) }
                ?? value.doubleValue.map { String(Int($0)) } ?? "?"
        }
        return ([entity.url] + texts).joined(separator: " ")
    }

    /// All requests that are not done, with what they carry.
    func open() async throws -> [QueueEntry] {
        try await (provider.requestQueue() + provider.errorArchive()).map(\.entry)
    }
}

extension EntityValue {
    /// By what the store finds the entity: its local id, or the key that the service gave.
    var url: String {
        if let readLink { return readLink }
        if let number = self["Number"]?.stringValue { return "Parts('\(number)')" }
        return "\(entitySet)(\(self["ID"]?.integerValue ?? 0))"
    }
}
