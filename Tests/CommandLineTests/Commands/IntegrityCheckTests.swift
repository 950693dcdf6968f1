import Foundation
import ODataSQLite
import Testing

/// `check` of files that another program has written into.
@Suite struct IntegrityCheckTests {
    @Test(arguments: [
        (
            #"CREATE TRIGGER t AFTER INSERT ON "$queue" BEGIN DELETE FROM "$queue"; END"#,
            "the trigger t on $queue is none of the store's: drop it"
        ),
        (
            #"CREATE VIEW v AS SELECT * FROM "Books""#,
            "the view v is none of the store's: drop it"
        ),
    ])
    func noticesWhatTheEngineDidNotMake(_ statement: String, _ fault: String) async throws {
        let scratch = try await Library.store()
        let sound = try await Tool.run("check", "library.store", in: scratch)
        #expect(sound == Tool.Outcome(status: 0, output: "sound\n", errors: ""))
        do {
            let file = try SQLiteConnection(path: scratch.path("library.store"), mode: .readWrite)
            try file.execute(statement)
        }
        let words = try await Tool.run("check", "library.store", in: scratch)
        #expect(words.status == 1)
        #expect(words.output == fault + "\n")
        #expect(words.errors.hasPrefix("error: library.store is damaged\n"))
        let json = try await Tool.run("check", "library.store", "--json", in: scratch)
        #expect(json.status == 1)
        #expect(
            json.untimed.output
                == "{\"sound\":false,\"differences\":[],\"faults\":[\"\(fault)\"],\"seconds\":0}\n"
        )
    }
}
