import Foundation
import StoreRecords
import Testing

/// Files of a change of key whose process was killed.
@Suite struct RekeyLeftoverTests {
    private func open(_ path: String) throws -> StoreFile {
        try StoreFile(path: path, isCreating: true)
    }

    /// A copy in plain text must not stand beside an encrypted store; one that is being made is held by its process.
    @Test(arguments: [false, true])
    func goWithTheNextOpeningUnlessTheyAreInUse(_ isInUse: Bool) throws {
        let path = NSTemporaryDirectory() + "rekey-" + UUID().uuidString
        let copy = path + "-rekey"
        let all = [copy, copy + "-journal", copy + "-mj0A1B2C3D4"]
        defer { for file in [path] + all { try? FileManager.default.removeItem(atPath: file) } }
        _ = try open(path)
        for file in all { try Data("plain".utf8).write(to: URL(filePath: file)) }
        let handle = try #require(FileHandle(forReadingAtPath: copy))
        if isInUse { try #require(flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) == 0) }
        _ = try open(path)
        #expect(all.map(FileManager.default.fileExists) == all.map { _ in isInUse })
        // A process that another test starts meanwhile has the descriptor, too, and would keep the lock.
        try #require(flock(handle.fileDescriptor, LOCK_UN) == 0)
        try handle.close()
        _ = try open(path)
        #expect(!all.contains(where: FileManager.default.fileExists))
    }
}
