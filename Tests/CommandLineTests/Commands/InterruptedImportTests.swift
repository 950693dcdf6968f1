import Foundation
import ODataSQLite
import Testing

/// An import that was broken off has left a store with a model and no entities: whoever asks is told.
@Suite struct InterruptedImportTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="T" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Items" EntityType="T.Item"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private func scratch() throws -> Scratch {
        let scratch = try Scratch()
        try scratch.write(Self.metadata, to: "model.xml")
        try scratch.write(#"[{"ID":1}]"#, to: "Items.json")
        try scratch.makeDirectory("bad")
        try scratch.write(#"[{"ID":2},{"ID":2}]"#, to: "bad/Items.json")
        return scratch
    }

    private func isInterrupted(_ scratch: Scratch) async throws -> Bool {
        try await Tool.run("status", "a.store", in: scratch).output.contains("interrupted  import")
    }

    @Test func isToldByStatusAndCheck() async throws {
        let scratch = try scratch()
        let files = ["import", "a.store", "--metadata", "model.xml", "Items.json"]
        #expect(try await Tool.run(files, in: scratch).status == 0)
        #expect(try await !isInterrupted(scratch))
        do {
            // As a kill leaves it.
            let file = try SQLiteConnection(path: scratch.path("a.store"), mode: .readWrite)
            try file.execute(#"INSERT OR REPLACE INTO "$meta" VALUES ('running', 'import')"#)
        }
        #expect(try await isInterrupted(scratch))
        let check = try await Tool.run("check", "a.store", in: scratch)
        #expect(check.output == "sound\n")
        #expect(check.errors.contains("an import was broken off"))
        #expect(try await Tool.run(files, in: scratch).status == 0)
        #expect(try await !isInterrupted(scratch))
    }

    /// Another process has the lock of one that imports: nothing was broken off, and a second import would come between its steps.
    @Test func isNotToldWhileItRuns() async throws {
        let scratch = try scratch()
        let files = ["import", "a.store", "--metadata", "model.xml", "Items.json"]
        #expect(try await Tool.run(files, in: scratch).status == 0)
        do {
            let file = try SQLiteConnection(path: scratch.path("a.store"), mode: .readWrite)
            try file.execute(#"INSERT OR REPLACE INTO "$meta" VALUES ('running', 'import')"#)
        }
        // No process that another test starts meanwhile may keep it.
        let lock = unsafe open(scratch.path("a.store-sync"), O_RDWR | O_CLOEXEC)
        #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
        let status = try await Tool.run("status", "a.store", in: scratch).output
        #expect(status.contains("running      another process carries out `import`"))
        #expect(try await Tool.run("check", "a.store", in: scratch).errors == "")
        let second = try await Tool.run(files, in: scratch)
        #expect(second.status == 7)
        #expect(second.errors.contains("another synchronisation of this store runs"))
        close(lock)
        #expect(try await isInterrupted(scratch))
    }

    /// What called it knows of the failure; there is nothing to go on with.
    @Test func isNotToldAfterAFailure() async throws {
        let scratch = try scratch()
        let files = ["import", "a.store", "--metadata", "model.xml", "Items.json"]
        #expect(try await Tool.run(files, in: scratch).status == 0)
        #expect(try await Tool.run("import", "a.store", "bad/Items.json", in: scratch).status == 2)
        #expect(try await !isInterrupted(scratch))
    }
}
