#if canImport(Darwin)
    import libxml2
#else
    import CLibXML2
#endif

/// Reads small XML documents (configuration files) into nodes by libxml2's tree parser: no network, no external DTD, no entities
/// but the predefined ones.
package enum XMLTree {
    /// Whether a document may have a DOCTYPE.
    ///
    /// It is never loaded, and one that declares anything is refused.
    package enum DocumentType: Sendable {
        case refused
        case ignored
    }

    /// Why no document can be read.
    static let missingLibrary = "the library libxml2 is missing; Debian's package is libxml2"

    /// Reads a document.
    ///
    /// libxml2 refuses elements nested deeper than 256.
    package static func read(
        _ bytes: [UInt8],
        documentType: DocumentType = .refused
    ) throws(CSDLError) -> XMLNode {
        guard let size = Int32(exactly: bytes.count), size > 0 else {
            throw CSDLError(.malformed, "The document is empty.", line: 1)
        }
        guard let context = unsafe xmlNewParserCtxt() else {
            throw CSDLError(.unreadable, missingLibrary, line: 0)
        }
        defer { unsafe xmlFreeParserCtxt(context) }
        let options = [XML_PARSE_NONET, XML_PARSE_NOERROR, XML_PARSE_NOWARNING, XML_PARSE_NOCDATA]
            .reduce(0) { $0 | Int32($1.rawValue) }
        let document = unsafe bytes.withUnsafeBytes { bytes in
            unsafe xmlCtxtReadMemory(
                context,
                bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                size,
                nil,
                nil,
                options
            )
        }
        guard let document = unsafe document else { throw unsafe failure(context) }
        defer { unsafe xmlFreeDoc(document) }
        if unsafe xmlGetIntSubset(document) != nil {
            guard documentType == .ignored,
                unsafe document.pointee.intSubset.pointee.children == nil
            else {
                throw CSDLError(
                    .documentType,
                    "A DOCTYPE with declarations is not allowed: it could bring entities.",
                    line: 1
                )
            }
        }
        guard let root = unsafe xmlDocGetRootElement(document) else {
            throw CSDLError(.malformed, "The document has no element.", line: 1)
        }
        return unsafe node(root)
    }

    @unsafe private static func failure(_ context: xmlParserCtxtPtr) -> CSDLError {
        guard let error = unsafe xmlCtxtGetLastError(context) else {
            return CSDLError(.malformed, "Not well-formed XML.", line: 1)
        }
        let text = unsafe error.pointee.message.map { unsafe String(cString: $0) } ?? ""
        return CSDLError(
            .malformed,
            "Not well-formed XML: " + text.split(separator: "\n").joined(separator: " "),
            line: Int(unsafe error.pointee.line),
            column: Int(unsafe error.pointee.int2)
        )
    }

    @unsafe private static func node(_ element: xmlNodePtr) -> XMLNode {
        var node = unsafe XMLNode(
            name: string(element.pointee.name),
            namespace: element.pointee.ns.map { unsafe string($0.pointee.href) },
            attributes: attributes(of: element),
            children: [],
            text: "",
            line: Int(xmlGetLineNo(element))
        )
        var next = unsafe element.pointee.children
        while let child = unsafe next {
            switch unsafe child.pointee.type {
            case XML_ELEMENT_NODE: node.children.append(unsafe Self.node(child))
            case XML_TEXT_NODE, XML_CDATA_SECTION_NODE:
                let text = unsafe string(child.pointee.content)
                unsafe node.textLine = node.textLine ?? beginning(of: text, xmlGetLineNo(child))
                node.text += text
            default: break
            }
            unsafe next = child.pointee.next
        }
        return node
    }

    /// The line at which a text begins that is not white space; libxml2 reports the line of its end.
    private static func beginning(of text: String, _ end: Int) -> Int? {
        let visible = text.drop { $0.isWhitespace }
        guard !visible.isEmpty else { return nil }
        return end - visible.count(where: \.isNewline)
    }

    @unsafe private static func attributes(of element: xmlNodePtr) -> [(
        name: String, value: String
    )] {
        var found: [(name: String, value: String)] = []
        var next = unsafe element.pointee.properties
        while let attribute = unsafe next {
            let value = unsafe attribute.pointee.children.map { unsafe string($0.pointee.content) }
            found.append((unsafe string(attribute.pointee.name), value ?? ""))
            unsafe next = attribute.pointee.next
        }
        return found
    }

    @unsafe private static func string(_ text: UnsafePointer<xmlChar>?) -> String {
        unsafe text.map { unsafe String(cString: $0) } ?? ""
    }
}
