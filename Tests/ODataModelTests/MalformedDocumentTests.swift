import ODataModel
import Testing

/// Documents of real projects that a strict parser of XML refuses, each with what is said of it.
@Suite(.enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.absence)))
struct MalformedDocumentTests {
    /// A document, by the number that its name begins with, and the error that it gives.
    struct Case: Sendable, CustomTestStringConvertible {
        var number: String
        var line: Int
        var column: Int
        var text: String

        var testDescription: String { number }

        init(_ number: String, _ line: Int, _ column: Int, _ text: String) {
            (self.number, self.line, self.column, self.text) = (number, line, column, text)
        }
    }

    private static let names = SharedData.names(in: "metadata-malformed")
        .filter { $0.hasSuffix(".xml") }

    private static let extra = "Extra content at the end of the document"
    private static let other = "begins neither with '<' nor with '{'"

    static let refused = [
        Case("01", 35, 1, extra), Case("03", 76, 1, extra), Case("05", 45, 1, extra),
        Case("07", 1, 1, other), Case("09", 571, 1, extra), Case("11", 1, 1, other),
        Case("13", 571, 1, extra), Case("15", 18, 22, "BrokenEntityType line 9 and EntityType"),
        Case("19", 1, 64702, "mandates value for attribute sa"),
        Case("21", 11, 26, "Unescaped '<' not allowed in attributes values"),
        Case("23", 22, 69, "xmlParseEntityRef: no name"),
        Case("25", 11, 26, "Unescaped '<' not allowed in attributes values"),
        Case("27", 20, 6, "XML declaration allowed only at the start of the document"),
        Case("29", 2, 1, other),
    ]

    private func document(_ number: String) throws -> CSDLDocument {
        let name = try #require(Self.names.first { $0.hasPrefix(number + "_") })
        return try SharedData.document("metadata-malformed/" + name)
    }

    @Test(arguments: refused) func saysWhatIsWrongAndWhere(_ item: Case) throws {
        let error = try #require(throws: CSDLError.self) { try document(item.number) }
        #expect(error.line == item.line)
        #expect(error.column == item.column)
        #expect(error.message.contains(item.text), "\(error.message)")
    }

    /// A prefix that nothing binds is no reason to refuse the document: what it stands before is left out.
    @Test func leavesOutAttributesOfAnUnboundPrefix() throws {
        let document = try document("17")
        let first = try #require(document.diagnostics.first)
        #expect(first.line == 5)
        #expect(first.severity == .error)
        #expect(first.message.contains("'sap:content-version'"), "\(first.message)")
        #expect(document.diagnostics.count == 7)
        #expect(document.model.structuredTypes.count > 1)
    }

    @Test func findsTheDocuments() {
        #expect(Self.names.count == Self.refused.count + 1)
    }
}
