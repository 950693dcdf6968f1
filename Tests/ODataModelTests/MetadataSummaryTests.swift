import ODataModel
import ODataModelComparison
import Testing

@Suite struct MetadataSummaryTests {
    private static let text = Documents.v4(Documents.entity("Order", "<Foo/>"))

    @Test func writesJSON() throws {
        let summary = MetadataSummary(try Documents.read(Self.text))

        #expect(
            summary.json() == """
                {
                  "version": "4.0",
                  "schemas": 1,
                  "entityTypes": 1,
                  "complexTypes": 0,
                  "enumTypes": 0,
                  "typeDefinitions": 0,
                  "entitySets": 0,
                  "singletons": 0,
                  "functions": 0,
                  "actions": 0,
                  "functionImports": 0,
                  "actionImports": 0,
                  "properties": 1,
                  "navigationProperties": 0,
                  "diagnostics": [
                    {
                      "severity": "warning",
                      "path": "NS.Order",
                      "line": 5,
                      "message": "The element 'Foo' is no element of CSDL; it is left out."
                    }
                  ]
                }
                """
        )
    }

    @Test func writesText() throws {
        let summary = MetadataSummary(try Documents.read(Self.text))

        #expect(
            summary.text() == """
                OData 4.0
                namespace NS

                  1  schema
                  1  entity type
                  1  property

                1 warning
                  warning: line 5 (NS.Order): The element 'Foo' is no element of CSDL; it is left out.

                """
        )
    }

    @Test func escapesText() throws {
        var summary = MetadataSummary(try Documents.read(Documents.v4("")))
        summary.diagnostics = [
            CSDLDiagnostic(.error, path: "a\"b\\c", line: 1, message: "\n\r\t\u{1}é")
        ]

        #expect(summary.json().contains(#""a\"b\\c""#))
        #expect(summary.json().contains(#""\n\r\t\u0001é""#))
    }
}
