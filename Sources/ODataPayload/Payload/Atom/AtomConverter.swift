import ODataModel

/// Rewrites Atom of versions 1 to 3 as the verbose JSON of the same data, while its bytes arrive.
///
/// So one reader of payloads knows what values, keys, expanded entities and deltas mean, whatever the service answers. The JSON
/// breaks its lines where the XML does: a line in a message about the JSON is the line of the XML.
///
///     bytes -> libxml2 -> events -> frames -> {"d":{"results":[{"__metadata":{…},"Name":…},…],"__next":…}}
///
/// An entry is held until its end, since what describes it may stand there; everything else is passed on at once.
package struct AtomConverter {
    let parser: XMLPushParser
    let limits: PayloadLimits
    /// What the elements around the next event are, outermost first.
    var frames: [AtomFrame] = []
    /// `xml:base` by the depth of the element that has it.
    var bases: [(depth: Int, url: String)] = []
    var feeds: [AtomFeed] = []
    var links: [AtomLink] = []
    var entries: [AtomEntry] = []
    var values: [AtomValue] = []
    /// Text of the element that is a `.text` frame.
    var text: [UInt8] = []
    var error = (code: "", message: "")
    /// Line of the JSON that is being written.
    var writtenLine = 1
    /// The last start tag, for the place of a fault.
    var place = (line: 1, byteOffset: 0)
    var hasRoot = false
    /// JSON that is complete.
    var output: [UInt8] = []

    /// Elements nested deeper are refused; entities expanded ten levels deep take about sixty.
    private static let maximumDepth = 200

    /// Creates a converter of one document.
    package init(limits: PayloadLimits = PayloadLimits()) throws(PayloadError) {
        guard let parser = XMLPushParser(maximumDepth: Self.maximumDepth) else {
            throw PayloadError(
                code: .limitExceeded,
                message: "the library libxml2 is missing or has no memory",
                byteOffset: 0,
                line: 1,
                column: 1,
                path: ""
            )
        }
        self.parser = parser
        self.limits = limits
    }

    /// Returns the JSON of a complete document.
    package static func json(_ bytes: [UInt8], limits: PayloadLimits = PayloadLimits())
        throws(PayloadError) -> [UInt8]
    {
        var converter = try AtomConverter(limits: limits)
        let start = try converter.feed(bytes)
        return start + (try converter.finish())
    }

    /// Takes bytes in the order in which they arrive and returns the JSON that they complete.
    package mutating func feed(_ bytes: [UInt8]) throws(PayloadError) -> [UInt8] {
        let events: [XMLEvent]
        do {
            events = try parser.feed(bytes.span)
        } catch {
            throw PayloadError(error)
        }
        try handle(events)
        return takeOutput()
    }

    /// Ends the document and returns the end of the JSON.
    package mutating func finish() throws(PayloadError) -> [UInt8] {
        let events: [XMLEvent]
        do {
            events = try parser.finish()
        } catch {
            throw PayloadError(error)
        }
        try handle(events)
        return takeOutput()
    }

    private mutating func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }

    private mutating func handle(_ events: [XMLEvent]) throws(PayloadError) {
        for event in events {
            switch event {
            case .start(let tag):
                place = (tag.line, tag.byteOffset)
                try start(tag)
            case .text(let bytes): add(bytes)
            case .end: try end()
            }
            try refuseLongItem()
        }
    }

    private func refuseLongItem() throws(PayloadError) {
        let held = values.last?.text.count ?? text.count
        let byteCount = entries.reduce(held) { $0 + $1.members.count }
        guard byteCount > limits.maximumItemBytes else { return }
        throw fault(.limitExceeded, "an entry has more than \(limits.maximumItemBytes) bytes")
    }

    /// Returns a fault at the last start tag.
    func fault(_ code: PayloadError.Code, _ message: String) -> PayloadError {
        PayloadError(
            code: code,
            message: message,
            byteOffset: place.byteOffset,
            line: place.line,
            column: 1,
            path: ""
        )
    }
}

extension PayloadError {
    /// What the parser of XML says, as the readers of payloads say it.
    init(_ fault: XMLFault) {
        let code: Code =
            switch fault.code {
            case .malformed, .documentType: .malformed
            case .truncated: .truncated
            case .limitExceeded: .limitExceeded
            }
        self.init(
            code: code,
            message: fault.message,
            byteOffset: fault.byteOffset,
            line: fault.line,
            column: fault.column,
            path: ""
        )
    }
}
