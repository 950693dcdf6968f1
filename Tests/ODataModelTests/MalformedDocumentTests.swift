import ODataModel
import Testing

private let malformed: [String] = SharedData.names(in: "metadata-malformed")
    .filter { $0.hasSuffix(".xml") }

@Suite(.enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.absence)))
struct MalformedDocumentTests {
    @Test(arguments: malformed)
    func givesAnErrorOrDiagnosticWithALine(_ name: String) throws {
        do {
            let document = try SharedData.document("metadata-malformed/" + name)
            #expect(document.diagnostics.contains { $0.line > 0 })
        } catch let error as CSDLError {
            #expect(error.line > 0, "\(error)")
        }
    }

    @Test func findsTheDocuments() {
        #expect(malformed.count == 15)
    }
}
