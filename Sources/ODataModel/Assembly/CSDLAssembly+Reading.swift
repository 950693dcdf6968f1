extension CSDLAssembly {
    /// Reads one document into the assembly.
    mutating func read(_ bytes: [UInt8], isMain: Bool, limits: CSDLLimits) throws(CSDLError) {
        try CSDLAssembly.check(byteCount: bytes.count, limits)
        let start = DocumentStart(bytes)
        switch start.format {
        case .xml:
            try readXML(bytes, from: start, isMain: isMain, limits: limits)
        case .json:
            try readJSON(bytes, from: start, isMain: isMain, limits: limits)
        case nil:
            let message =
                bytes.isEmpty
                ? "The document is empty."
                : "The document begins neither with '<' nor with '{', so it is neither XML nor JSON."
            throw CSDLError(.notCSDL, message, line: start.skippedLines + 1, column: 1)
        }
    }

    /// Reads the main document from a file of plain XML.
    mutating func read(_ file: DocumentFile, limits: CSDLLimits) throws(CSDLError) {
        try CSDLAssembly.check(byteCount: file.byteCount ?? 0, limits)
        let reader = CSDLXMLReader(assembly: self, isMain: true, skippedLines: 0, limits: limits)
        self = CSDLAssembly(limits: limits)
        var session = try SAXSession.read(file, through: reader, limits: limits)
        self = session.finishedAssembly()
    }

    static func check(byteCount: Int, _ limits: CSDLLimits) throws(CSDLError) {
        guard byteCount <= min(limits.maximumByteCount, Int(Int32.max)) else {
            let message =
                "The document has \(byteCount) bytes, where at most"
                + " \(limits.maximumByteCount) are allowed."
            throw CSDLError(.limit, message, line: 0)
        }
    }

    private mutating func readXML(
        _ bytes: [UInt8],
        from start: DocumentStart,
        isMain: Bool,
        limits: CSDLLimits
    ) throws(CSDLError) {
        let reader = CSDLXMLReader(
            assembly: self,
            isMain: isMain,
            skippedLines: start.skippedLines,
            limits: limits
        )
        // One owner of the arrays: the reader grows them in place.
        self = CSDLAssembly(limits: limits)
        var session = try SAXSession.read(bytes[start.offset...], through: reader, limits: limits)
        self = session.finishedAssembly()
    }

    /// Reads the documents that are referred to, and those that they refer to, each once.
    mutating func readReferences(
        limits: CSDLLimits,
        _ provide: (CSDLReference) -> [UInt8]?
    ) throws(CSDLError) {
        var next = 0
        var seen: Set<String> = []
        var count = 1
        while next < references.count {
            let reference = references[next]
            next += 1
            guard seen.insert(reference.uri).inserted, let bytes = provide(reference) else {
                continue
            }
            count += 1
            guard count <= limits.maximumDocumentCount else {
                let message = "More than \(limits.maximumDocumentCount) documents are referred to."
                throw CSDLError(.limit, message, line: reference.line)
            }
            do {
                try read(bytes, isMain: false, limits: limits)
            } catch {
                var error = error
                error.message = "In '\(reference.uri)': " + error.message
                throw error
            }
        }
    }
}
