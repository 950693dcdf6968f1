import ODataModel
import ODataText

/// The lines of a metadata document at which its elements stand, for reports that point into the file.
public struct ModelPlaces: Sendable {
    private var lines: [String: Int] = [:]

    /// Finds the elements of a document of CSDL XML or CSDL JSON; none where it cannot be read.
    public init(_ document: [UInt8]) {
        let start = DocumentStart(document)
        switch start.format {
        case .json:
            guard let root = try? CSDLJSONTree.read(document, from: start) else { return }
            for member in root.members ?? [] where !Self.isControl(member.name) {
                add(member.value, below: member.name, separator: ".")
            }
        case .xml, nil:
            // A document may begin with lines that libxml2 does not take.
            let skipped = document[..<start.offset].count { $0 == UInt8(ascii: "\n") }
            guard let root = try? XMLTree.read(Array(document[start.offset...])) else { return }
            add(root, below: nil, skipping: skipped)
        }
    }

    /// The line of the element of a path such as `NS.Type/Property`, counted from 1; that of the nearest element around it where the
    /// document has none of this path; nil where it has nothing of it.
    public func line(of path: String) -> Int? {
        var path = path[...]
        while true {
            if let line = lines[String(path)] { return line }
            guard let end = path.lastIndex(of: "/") else { return nil }
            path = path[..<end]
        }
    }

    // MARK: XML

    /// Adds what is declared inside of an element: types by their namespace, the rest by what it belongs to.
    private mutating func add(_ element: XMLNode, below path: String?, skipping skipped: Int) {
        // What a key and an annotation name is declared elsewhere.
        for child in element.children where !["Key", "Annotation"].contains(child.name) {
            var inner = path
            if child.name == "Schema" {
                inner = child.attribute("Namespace")
            } else if let name = child.attribute("Name") ?? child.attribute("Path"), let path {
                let isType = element.name == "Schema"
                let found = path + (isType ? "." : "/") + name
                note(found, line: child.line + skipped)
                inner = found
            }
            add(child, below: inner, skipping: skipped)
        }
    }

    // MARK: JSON

    private mutating func add(_ node: JSONNode, below path: String, separator: String) {
        for member in node.members ?? [] where !Self.isControl(member.name) {
            let found = path + separator + member.name
            note(found, line: member.value.line)
            // Overloads of operations stand in an array.
            let inner = member.value.items?.first ?? member.value
            add(inner, below: found, separator: "/")
        }
    }

    /// Whether a name is one of CSDL JSON itself, or of an annotation.
    private static func isControl(_ name: String) -> Bool {
        name.hasPrefix("$") || name.contains("@")
    }

    /// The first of several elements of one name counts, as it does for the model.
    private mutating func note(_ path: String, line: Int) {
        if lines[path] == nil { lines[path] = line }
    }
}

extension XMLNode {
    fileprivate func attribute(_ name: String) -> String? {
        attributes.first { $0.name == name }?.value
    }
}
