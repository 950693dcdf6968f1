import Dispatch
import OfflineOData
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A process is killed in each phase of its work: no file that it leaves holds a value in plain text, and the key opens what it has
/// left.
@Suite(.enabled(if: OfflineODataEncryptionKey.isAvailable, "SQLite has no cipher here"))
struct EncryptedKillTests {
    /// When the process is killed.
    enum Phase: String, CaseIterable, Sendable {
        /// While the pages of the first load come.
        case firstLoad
        /// While the pages of a later load come and are staged.
        case download
        /// Some time after the last page was answered, while it is merged.
        case merge
        /// When changes have just been made.
        case change
        /// When the request has left, and its answer has not come.
        case upload
        /// When the first answer has come and is spooled, and the second request has left.
        case answer
    }

    static let key = OfflineODataEncryptionKey(bytes: Array(1...32))

    @Test(arguments: Phase.allCases)
    func leavesNothingInPlainText(phase: Phase) async throws {
        let directory = try TemporaryDirectory()
        try await Self.leave(in: directory.path, killedIn: phase)
        let found = try PlainTextSearch.files(in: directory.path, holding: SecretService.mark)
        #expect(found == [])
        try await goOn(in: directory.path, after: phase)
    }

    /// The search itself finds what is there: the same without a key.
    @Test(arguments: [Phase.firstLoad, .download, .change])
    func findsThePlainTextOfAPlainStore(phase: Phase) async throws {
        let directory = try TemporaryDirectory()
        try await Self.leave(in: directory.path, killedIn: phase, isPlain: true)
        let found = try PlainTextSearch.files(in: directory.path, holding: SecretService.mark)
        #expect(found.contains("localstore.sqlite") || found.contains("localstore.sqlite-wal"))
        if phase == .download { #expect(found.contains("localstore.sqlite-staging")) }
    }

    /// Leaves in a directory what a process leaves that is killed.
    static func leave(
        in directory: String,
        killedIn phase: Phase,
        isPlain: Bool = false
    ) async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [
                path = directory as String, phase = phase.rawValue as String,
                isPlain = isPlain as Bool
            ] in
            let phase = try #require(Phase(rawValue: phase))
            try await EncryptedKillTests.run(
                in: path,
                until: phase,
                key: isPlain ? nil : EncryptedKillTests.key
            )
        }
    }

    // MARK: The process that is killed

    private static func run(
        in path: String,
        until phase: Phase,
        key: OfflineODataEncryptionKey? = key
    ) async throws {
        let service = SecretService { request in
            if phase == .firstLoad, request.hasSuffix("skip=4") { end(path) }
        }
        let first = try SecretService.provider(in: path, key: key, service)
        try await first.open()
        if phase == .download || phase == .merge {
            let later = SecretService(edition: 2) { request in
                guard request.hasSuffix("skip=\(SecretService.pageCount - 1)") else { return }
                if phase == .download { return end(path) }
                DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(20)) {
                    end(path)
                }
            }
            let second = try SecretService.provider(in: path, key: key, later)
            try await second.download()
            while true { pause() }
        }
        let count = Counter()
        let sending = SecretService { request in
            guard request.hasPrefix("POST Books") else { return }
            if count.next() == (phase == .answer ? 2 : 1) { end(path) }
        }
        let provider = try SecretService.provider(in: path, key: key, sending)
        let text = String(repeating: SecretService.mark + " changed ", count: 200)
        for id in 10_000..<10_100 {
            try await provider.createEntity(
                EntityValue(
                    entitySet: "Books",
                    ["ID": .integer(Int64(id)), "Title": .string(text)]
                )
            )
        }
        _ = await provider.respond(
            to: HTTPRequest(method: "GET", url: "Books?$orderby=Title desc&$select=Title")
        )
        if phase == .change { end(path) }
        try await provider.upload()
    }

    /// Notes what is open without a name, and ends the process as a crash would.
    private static func end(_ path: String) {
        let found = PlainTextSearch.unnamedFiles(holding: SecretService.mark)
        if !found.isEmpty {
            // Found by the search for files.
            let note = found.joined(separator: "\n") + "\n" + SecretService.mark
            _ = FileManager.default.createFile(atPath: path + "/unnamed", contents: Data(note.utf8))
        }
        kill(getpid(), SIGKILL)
    }

    // MARK: What was left

    private func goOn(in path: String, after phase: Phase) async throws {
        let provider = try SecretService.provider(in: path, key: Self.key)
        try await provider.open()
        #expect(try await provider.checkIntegrity().compactMap(\.message) == [])
        let count = try await provider.executeQuery("Books").count
        let created = [.change, .upload, .answer].contains(phase) ? 100 : 0
        #expect(count == SecretService.pageCount * 300 + created)
    }
}
