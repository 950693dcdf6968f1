import ODataSQLite
import OfflineOData
import Synchronization
import TestSupport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Lives one life and looks after each synchronisation whether anything was lost, doubled or overwritten.
final class LegalRun {
    let life: LegalLife
    let transport: LegalTransport
    private(set) var directory: TemporaryDirectory
    private(set) var provider: OfflineODataProvider
    var generator: SeededGenerator
    var lastMarker = 0
    var changes: [LegalChange] = []
    /// Values of the service that a person has looked at before deciding.
    var disclosed: Set<String> = []
    /// Entities created from here that others deleted before the store had an answer.
    var deletedUnanswered: Set<String> = []
    var log: [String] = []
    /// Effects that were looked at already.
    var checkedEffects = 0

    init(_ life: LegalLife) throws {
        self.life = life
        generator = SeededGenerator(seed: life.seed)
        transport = LegalTransport(Set(life.traits))
        directory = try TemporaryDirectory()
        provider = try Self.provider(directory, transport, life)
        for query in LegalLife.plans[life.plan] {
            try provider.add(
                definingQuery: OfflineODataDefiningQuery(
                    name: query.name,
                    query: query.query,
                    automaticallyRetrievesStreams: query.streams
                )
            )
        }
    }

    private static func provider(
        _ directory: TemporaryDirectory,
        _ transport: LegalTransport,
        _ life: LegalLife
    ) throws -> OfflineODataProvider {
        let parameters = OfflineODataParameters()
        parameters.storePath = URL(filePath: directory.path)
        parameters.transport = transport
        parameters.retryPolicy.sleep = { transport.sleep($0) }
        parameters.retryPolicy.jitter = { 1 }
        parameters.enableRequestQueueOptimization = life.optimizes
        parameters.enableRepeatableRequests = life.repeatable
        if life.json { parameters.uploadBatchFormat = .json }
        parameters.uploadBatchSize = life.batchSize
        let query = life.traits.contains(.queryWanted) ? "?sap-client=100" : ""
        return try OfflineODataProvider(
            serviceRoot: LegalService.root + query,
            parameters: parameters
        )
    }

    /// Lives to the end; answers what was wrong.
    func run() async -> LegalFailure? {
        do {
            seedData()
            try await open()
            for step in life.steps {
                generator = SeededGenerator(seed: step.seed)
                log.append(step.kind.rawValue)
                try await perform(step.kind)
            }
            generator = SeededGenerator(seed: life.seed)
            try await settle()
            return nil
        } catch let failure as LegalFailure {
            return failure
        } catch {
            return LegalFailure(kind: "error", text: "\(error)")
        }
    }

    /// Loads the store, again and again where the first load is cut: mostly among the pages of one set.
    private func open() async throws {
        let part = ["Photos", "Orders", "Customers", ""].randomElement(using: &generator) ?? ""
        for _ in 0..<life.cutCount {
            log.append("open")
            let fault = LegalFault.allCases.randomElement(using: &generator)
            try await synchronize("open", fault, of: part) { try await $0.open() }
        }
        try await synchronize("open", nil) { try await $0.open() }
        // Streams that a cut has kept away come with the first download, which reads nothing else again where there are deltas.
        if life.cutCount > 0 { try await synchronize("download", nil) { try await $0.download() } }
        try await compare()
    }

    func note(_ text: String) {
        if log.isEmpty { log.append("") }
        log[log.count - 1] += " " + text
    }

    func marker() -> String {
        lastMarker += 1
        return "v\(lastMarker)."
    }

    func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &generator) == 0 }

    private func seedData() {
        for _ in 0..<2 {
            for kind in ["Customers", "Customers", "Orders", "Orders", "Tags", "Photos"] {
                strangerCreate(kind)
            }
        }
        strangerLink()
    }

    // MARK: Synchronising

    /// Runs an operation of which one request may meet a fault, and checks what it has done.
    func synchronize(
        _ name: String,
        _ fault: LegalFault?,
        of part: String = "",
        _ body: (OfflineODataProvider) async throws -> Void
    ) async throws {
        let count = name == "upload" || !part.isEmpty ? 4 : 7
        let place = fault == nil ? 0 : Int.random(in: 0..<count, using: &generator)
        if let fault { note("\(fault) at \(place) \(part)") }
        let kept = Mutex<TemporaryDirectory?>(nil)
        let (provider, path) = (provider, directory.path)
        transport.begin(fault, at: place, of: part) { fault in
            switch fault {
            case .killBefore, .killAfter:
                let copy = try? Self.copy(of: path)
                kept.guarded { $0 = copy }
            default:
                provider.cancelUpload()
                provider.cancelDownload()
            }
        }
        var failure: (any Error)?
        do { try await body(provider) } catch { failure = error }
        let isEndless = transport.end()
        log += transport.log
        if let failure { log.append("    failed: \(failure)") }
        if isEndless { throw LegalFailure(kind: "endless", text: "\(name) does not end") }
        if let copy = kept.guarded({ $0 }) { try revive(copy) }
        if let failure, fault == nil, !isBusy(failure) {
            throw LegalFailure(kind: "error", text: "\(name) without a fault: \(failure)")
        }
        // What was loaded in part is not to be read yet.
        if name != "open" || failure == nil { try await check(name) }
    }

    /// Whether the service was too busy as often as the attempts go: the next upload goes on.
    private func isBusy(_ failure: any Error) -> Bool {
        life.traits.contains(.busyAtTimes) && (failure as? OfflineODataError)?.httpStatus == 429
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
        directory = kept
        provider = try Self.provider(kept, transport, life)
    }

    func restart() throws { provider = try Self.provider(directory, transport, life) }
}
