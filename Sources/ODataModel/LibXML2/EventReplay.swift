import CLibXML2

/// Tells a `CSDLXMLReader` the events of chunks, in their order.
@safe
struct EventReplay: ~Copyable {
    var reader: CSDLXMLReader
    private var failure: CSDLError?
    private let entries: UnsafeMutablePointer<XMLAttributes.Entry>
    private let slots: UnsafeMutablePointer<UInt8>

    init(reader: CSDLXMLReader) {
        self.reader = reader
        unsafe entries = .allocate(capacity: SAXSession.maximumAttributeCount)
        unsafe slots = .allocate(capacity: AttributeName.allCases.count)
        unsafe slots.initialize(repeating: 0, count: AttributeName.allCases.count)
    }

    deinit {
        unsafe entries.deallocate()
        unsafe slots.deallocate()
    }

    /// Whether the document is refused; what follows is not read.
    var isFailed: Bool { failure != nil || reader.failure != nil }

    /// Returns the reader with what it has gathered.
    consuming func finish() throws(CSDLError) -> CSDLXMLReader {
        if let failure = reader.failure ?? failure { throw failure }
        return reader
    }

    /// Tells the reader all events of a chunk, or those before the first fault.
    mutating func play(_ chunk: EventChunk) {
        var place = 0
        while place < chunk.count, !isFailed { playNext(chunk, &place) }
        if !isFailed, let failure = chunk.failure { fail(failure) }
    }

    private mutating func fail(_ error: CSDLError) {
        var error = error
        error.line += reader.skippedLines
        if error.code == .malformed { error.path = reader.path }
        failure = error
    }

    private mutating func playNext(_ chunk: EventChunk, _ place: inout Int) {
        switch EventChunk.Tag(rawValue: chunk.read(&place)) {
        case .start: playStart(chunk, &place)
        case .startUnknown: playUnknownStart(chunk, &place)
        case .end:
            reader.line = Int(chunk.read(&place, as: UInt32.self))
            reader.end()
        case .text:
            let count = Int(chunk.read(&place, as: UInt32.self))
            let bytes = unsafe chunk.readBytes(&place, count)
            if reader.wantsText { unsafe reader.text.append(contentsOf: bytes) }
        case .warning:
            reader.line = Int(chunk.read(&place, as: UInt32.self))
            let count = Int(chunk.read(&place, as: UInt32.self))
            let message = unsafe String(decoding: chunk.readBytes(&place, count), as: UTF8.self)
            reader.warn("libxml2 says: \(message)")
        case nil: place = chunk.count
        }
    }

    private mutating func playStart(_ chunk: EventChunk, _ place: inout Int) {
        let element = ElementName(rawValue: chunk.read(&place))
        let namespace = XMLNamespace(code: chunk.read(&place))
        let count = Int(chunk.read(&place, as: UInt8.self))
        reader.line = Int(chunk.read(&place, as: UInt32.self))
        var hasOthers = false
        for position in 0..<count {
            let entry = unsafe XMLAttributes.Entry(chunk, &place)
            unsafe entries[position] = unsafe entry
            if let name = unsafe entry.name {
                unsafe slots[Int(name.rawValue)] = UInt8(position + 1)
            } else {
                hasOthers = true
            }
        }
        let lent = unsafe XMLAttributes(
            count: count,
            hasOthers: hasOthers,
            entries: entries,
            slots: slots
        )
        if let element { reader.start(element, in: namespace, lent) }
        for position in 0..<count {
            if let name = unsafe entries[position].name { unsafe slots[Int(name.rawValue)] = 0 }
        }
    }

    private mutating func playUnknownStart(_ chunk: EventChunk, _ place: inout Int) {
        let namespace = XMLNamespace(code: chunk.read(&place))
        reader.line = Int(chunk.read(&place, as: UInt32.self))
        let name: UnsafePointer<xmlChar>? = unsafe chunk.read(&place)
        let text = unsafe name.map { unsafe String(cString: $0) } ?? ""
        reader.startUnknown(text, in: namespace)
    }
}
