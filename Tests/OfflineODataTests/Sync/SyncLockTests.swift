import Foundation
@testable import OfflineSync
@testable import OfflineValues
@testable import OfflineOData
import TestSupport
import Testing

@Suite struct SyncLockTests {
    @Test func isRefusedWhileItIsHeld() async throws {
        let store = Self.newPath()
        defer { Self.remove(store) }
        let held = try await SyncLock(besides: store, waiting: .zero)

        await #expect(throws: OfflineODataError.self) {
            _ = try await SyncLock(besides: store, waiting: .zero)
        }
        withExtendedLifetime(held) {}
    }

    @Test func isGivenUpWithItsHolder() async throws {
        let store = Self.newPath()
        defer { Self.remove(store) }
        do { _ = try await SyncLock(besides: store, waiting: .zero) }

        _ = try await SyncLock(besides: store, waiting: .zero)
    }

    /// A process that is being started has copies of all descriptors until its program begins.
    @Test func isGivenUpWhileACopyOfItsDescriptorIsHeld() async throws {
        let store = Self.newPath()
        defer { Self.remove(store) }
        let copy: Int32
        do {
            let lock = try await SyncLock(besides: store, waiting: .zero)
            copy = dup(lock.descriptor)
        }
        defer { close(copy) }

        _ = try await SyncLock(besides: store, waiting: .zero)
    }

    /// A number that is closed twice may be another file's by then: a thread beside it would lose its file.
    @Test func closesNoFileOfOthersWhereItIsRefused() async {
        await #expect(processExitsWith: .success) {
            let store = Self.newPath()
            defer { Self.remove(store) }
            let held = try await SyncLock(besides: store, waiting: .zero)
            let watch = FileWatch()
            watch.begin()
            // Each one waits for some milliseconds.
            for _ in 0..<300 {
                _ = try? await SyncLock(besides: store, waiting: .zero)
            }
            #expect(watch.end() == 0)
            withExtendedLifetime(held) {}
        }
    }

    private static func newPath() -> String {
        FileManager.default.temporaryDirectory.path + "/" + UUID().uuidString + ".store"
    }

    private static func remove(_ store: String) {
        try? FileManager.default.removeItem(atPath: store + "-sync")
    }
}
