import ODataText

/// An element of a metadata document; attributes and children keep their order.
struct CSDLXMLElement {
    /// Spaces of one level in the document.
    private static let indentation = 2

    /// The name with its prefix.
    let name: String
    private var attributes: [(name: String, value: String)] = []
    private var children: [CSDLXMLElement] = []
    /// What stands between the tags of an element without children.
    private let text: String?

    /// Creates an element without attributes.
    init(_ name: String, text: String? = nil) {
        self.name = name
        self.text = text
    }

    /// The value of an attribute, which is set once; nil where there is none.
    subscript(name: String) -> String? {
        get { attributes.first { $0.name == name }?.value }
        set { if let newValue { attributes.append((name, newValue)) } }
    }

    /// Adds a child behind the others.
    mutating func append(_ child: CSDLXMLElement) { children.append(child) }

    /// Writes the element with its children, one on a line.
    func write(to output: inout [UInt8], depth: Int = 0) {
        output.append(0x0A)
        output.append(contentsOf: repeatElement(0x20, count: depth * Self.indentation))
        output.append(UInt8(ascii: "<"))
        output.append(contentsOf: name.utf8)
        for (name, value) in attributes {
            output.append(contentsOf: " \(name)=\"\(Self.escaped(value))\"".utf8)
        }
        guard text != nil || !children.isEmpty else {
            output.append(contentsOf: "/>".utf8)
            return
        }
        output.append(UInt8(ascii: ">"))
        writeContent(to: &output, depth: depth)
        output.append(contentsOf: "</\(name)>".utf8)
    }

    private func writeContent(to output: inout [UInt8], depth: Int) {
        if let text { return output.append(contentsOf: Self.escaped(text).utf8) }
        for child in children { child.write(to: &output, depth: depth + 1) }
        output.append(0x0A)
        output.append(contentsOf: repeatElement(0x20, count: depth * Self.indentation))
    }

    /// Characters that JSON has and XML has not are replaced (XML 1.0 § 2.2).
    private static func escaped(_ text: String) -> String {
        let escaped = XMLText.escaped(text, replacesControls: true)
        guard escaped.utf8.contains(0xEF) else { return escaped }
        let scalars = escaped.unicodeScalars.map { scalar -> Unicode.Scalar in
            scalar.value == 0xFFFE || scalar.value == 0xFFFF ? "\u{FFFD}" : scalar
        }
        var result = String.UnicodeScalarView()
        result.append(contentsOf: scalars)
        return String(result)
    }
}
