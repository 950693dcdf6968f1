import ODataText
import ODataValues

/// How the JSON is written: into the innermost entry, or outside of entries to the reader of the JSON.
extension AtomConverter {
    mutating func withOutput(_ body: (inout [UInt8]) -> Void) {
        if entries.isEmpty {
            body(&output)
        } else {
            body(&entries[entries.count - 1].members)
        }
    }

    mutating func write(_ literal: StaticString) {
        withOutput { $0.append(literal: literal) }
    }

    mutating func write(string: String) {
        let bytes = Array(string.utf8)
        withOutput { JSONString.append(bytes.span, to: &$0) }
    }

    /// Begins a member of the innermost entry.
    mutating func beginMember(_ name: String) {
        write(",")
        breakLines()
        write(string: name)
        write(":")
    }

    /// Catches up with the lines of the XML.
    mutating func breakLines() {
        let missing = place.line - writtenLine
        guard missing > 0 else { return }
        writtenLine = place.line
        withOutput { $0.append(contentsOf: repeatElement(UInt8(ascii: "\n"), count: missing)) }
    }

    // MARK: Ends of elements

    mutating func end() throws(PayloadError) {
        guard let frame = frames.popLast() else { return }
        if let base = bases.last, base.depth == frames.count { bases.removeLast() }
        switch frame {
        case .feed, .references: endFeed()
        case .entry: endEntry()
        case .navigationLink: endLink()
        case .inline: endInline()
        case .value: try endValue()
        case .text(let meaning): endText(meaning)
        case .error: endError()
        case .content, .properties, .skipped: return
        }
        if frames.isEmpty { endRoot(frame) }
    }

    private mutating func endRoot(_ frame: AtomFrame) {
        // The object of a property by itself stands inside that of the answer.
        if case .value = frame { write("}") }
        write("}")
    }

    private mutating func endFeed() {
        guard let feed = feeds.popLast() else { return }
        if !feed.isBroken { write("]") }
        member("__count", value: feed.count)
        member("__next", value: feed.nextLink)
        member("__delta", value: feed.deltaLink)
        write("}")
    }

    private mutating func member(_ name: String, value: String?) {
        guard let value else { return }
        write(",")
        write(string: name)
        write(":")
        write(string: value)
    }

    private mutating func endEntry() {
        guard let entry = entries.popLast() else { return }
        withOutput { entry.append(to: &$0) }
    }

    private mutating func endInline() {
        let link = links[links.count - 1]
        guard !link.hasContent else { return }
        write(link.isFeed ? "{\"results\":[]}" : "null")
    }

    private mutating func endLink() {
        guard let link = links.popLast(), !link.isExpanded else { return }
        beginMember(link.name)
        write("{\"__deferred\":{\"uri\":")
        write(string: link.target)
        write("}}")
    }

    private mutating func endText(_ meaning: AtomText) {
        let text = String(decoding: text, as: UTF8.self)
        let trimmed = String(
            text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()
        )
        switch meaning {
        case .id: entries[entries.count - 1].id = trimmed.isEmpty ? nil : trimmed
        case .count: feeds[feeds.count - 1].count = trimmed
        case .nextReferences: feeds[feeds.count - 1].nextLink = trimmed
        case .reference:
            write("{\"uri\":")
            write(string: trimmed)
            write("}")
        case .errorCode: error.code = trimmed
        case .errorMessage: error.message = trimmed
        }
    }

    private mutating func endError() {
        write("\"error\":{\"code\":")
        write(string: error.code)
        write(",\"message\":{\"value\":")
        write(string: error.message)
        write("}}")
    }
}
