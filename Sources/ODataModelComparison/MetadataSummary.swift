public import ODataModel
import ODataText

/// What a document holds, in numbers, with what was noticed while reading it.
public struct MetadataSummary: Sendable {
    /// Version of the document.
    public var version: ODataVersion
    /// How many elements of each kind it declares.
    public var counts: CSDLCounts
    /// Faults that could be survived.
    public var diagnostics: [CSDLDiagnostic]
    /// Namespaces of the document.
    public var namespaces: [String]
    /// Name of the entity container; empty without one.
    public var container: String

    /// Creates the summary of a document.
    public init(_ document: CSDLDocument) {
        version = document.model.version
        counts = document.counts
        diagnostics = document.diagnostics
        namespaces = document.model.schemas.map(\.namespace)
        container = document.model.container.name
    }

    /// Names and numbers in the order of the interface.
    private var numbers: [(name: String, title: String, count: Int)] {
        [
            ("schemas", "schemas", counts.schemas),
            ("entityTypes", "entity types", counts.entityTypes),
            ("complexTypes", "complex types", counts.complexTypes),
            ("enumTypes", "enumeration types", counts.enumTypes),
            ("typeDefinitions", "type definitions", counts.typeDefinitions),
            ("entitySets", "entity sets", counts.entitySets),
            ("singletons", "singletons", counts.singletons),
            ("functions", "functions", counts.functions),
            ("actions", "actions", counts.actions),
            ("functionImports", "function imports", counts.functionImports),
            ("actionImports", "action imports", counts.actionImports),
            ("properties", "properties", counts.properties),
            ("navigationProperties", "navigation properties", counts.navigationProperties),
        ]
    }

    /// Returns the summary as a JSON object.
    public func json() -> String {
        var json = IndentedJSON()
        json.object { json in
            json.string("version", value: version.rawValue)
            for number in numbers { json.number(number.name, value: number.count) }
            json.array("diagnostics", of: diagnostics) { json, diagnostic in
                json.string("severity", value: diagnostic.severity.rawValue)
                json.string("path", value: diagnostic.path)
                json.number("line", value: diagnostic.line)
                json.string("message", value: diagnostic.message)
            }
        }
        return json.text
    }

    /// Returns the summary for people, lines ending with a newline.
    public func text() -> String {
        var lines = ["OData \(version.rawValue)"]
        if !container.isEmpty { lines.append("container \(container)") }
        if !namespaces.isEmpty {
            let shown = namespaces.prefix(5).joined(separator: ", ")
            let rest = namespaces.count > 5 ? " and \(namespaces.count - 5) more" : ""
            lines.append("namespace \(shown)\(rest)")
        }
        lines.append("")
        let present = numbers.filter { $0.count > 0 }
        let width = present.map { String($0.count).utf8.count }.max() ?? 1
        for number in present {
            let count = String(number.count)
            let padding = String(repeating: " ", count: width - count.utf8.count)
            let one = number.title.replacing("ies", with: "ys").dropLast()
            let title = number.count == 1 ? String(one) : number.title
            lines.append("  \(padding)\(count)  \(title)")
        }
        lines += diagnosticLines
        return lines.map { $0 + "\n" }.joined()
    }

    private var diagnosticLines: [String] {
        guard !diagnostics.isEmpty else { return [] }
        let errors = diagnostics.count { $0.severity == .error }
        let warnings = diagnostics.count - errors
        let parts = [
            errors > 0 ? MetadataSummary.amount(errors, of: "error") : nil,
            warnings > 0 ? MetadataSummary.amount(warnings, of: "warning") : nil,
        ]
        let title = parts.compactMap(\.self).joined(separator: ", ")
        return ["", title] + diagnostics.map { "  \($0)" }
    }

    private static func amount(_ count: Int, of noun: String) -> String {
        count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
    }
}
