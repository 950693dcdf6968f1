import OfflineValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A directory for temporary files that only this user can read.
struct ScratchDirectory: Sendable {
    private let url: URL

    /// Makes a directory of its own.
    ///
    /// - Parameter purpose: Begins its name.
    /// - Throws: ``OfflineODataError`` where the place for temporary files cannot be written.
    init(for purpose: String) throws {
        let parent = FileManager.default.temporaryDirectory
        url = parent.appending(path: purpose + "-" + UUID().uuidString)
        do {
            try FileManager.default.createDirectory(
                at: url,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw OfflineODataError(
                .invalidInput,
                "no directory can be made in \(parent.path) for temporary files; TMPDIR names another place"
            )
        }
    }

    /// Returns the path of a file in it.
    func path(_ name: String) -> String { url.appending(path: name).path }

    /// Removes it with all that is in it.
    ///
    /// Nothing that is left to the end of an object would do: another thread may let go of it last, after the process has ended.
    func remove() { try? FileManager.default.removeItem(at: url) }
}
