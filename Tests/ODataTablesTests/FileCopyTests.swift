import Foundation
import Testing

@testable import ODataSQLite

@Suite struct FileCopyTests {
    private let directory = FileManager.default.temporaryDirectory.appending(
        path: UUID().uuidString
    )
    private var path: String { directory.appending(path: "a.sqlite").path }
    private var target: String { directory.appending(path: "b.sqlite").path }

    init() throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    @Test(arguments: [0, 1, 3_000_000])
    func copiesEveryByteForItsOwnerAlone(rowBytes: Int) throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        let database = try SQLiteConnection(path: path, mode: .create)
        try database.execute("CREATE TABLE t (a); INSERT INTO t VALUES (randomblob(\(rowBytes)))")

        try FileCopy.write(path, to: target)

        #expect(FileManager.default.contents(atPath: target) != nil)
        #expect(
            FileManager.default.contents(atPath: target)
                == FileManager.default.contents(atPath: path)
        )
        let attributes = try FileManager.default.attributesOfItem(atPath: target)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).count == 2)
    }

    @Test func refusesAFileThatIsNotThere() {
        defer { try? FileManager.default.removeItem(at: directory) }
        #expect(throws: SQLiteError.self) { try FileCopy.write(path, to: target) }
    }

    #if os(Linux)
        /// The locks of this process on the file, as the kernel lists them (proc(5), `/proc/locks`).
        private func locks() throws -> [Substring] {
            let inode = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber]
            let end = ":\(try #require(inode as? Int)) "
            return try String(contentsOfFile: "/proc/locks", encoding: .utf8)
                .split(separator: "\n").filter { $0.contains(end) }
        }

        @Test func keepsTheLocksOfThisProcess() throws {
            defer { try? FileManager.default.removeItem(at: directory) }
            let database = try SQLiteConnection(path: path, mode: .create)
            try database.execute("CREATE TABLE t (a); BEGIN IMMEDIATE; INSERT INTO t VALUES (1)")
            let before = try locks()
            try #require(!before.isEmpty)

            try FileCopy.write(path, to: target)

            #expect(try locks().count == before.count)
            try database.execute("COMMIT")
        }
    #endif
}
