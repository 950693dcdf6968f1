public import ODataModel

/// Reads the JSON of an answer or request while its bytes arrive, and drives a sink with the entities.
///
/// It takes pages of collections, single entities and delta payloads of version 4 (with and without `odata.` in names), and
/// `{"d": …}` of versions 1 to 3. Nothing is built per entity: each is read as soon as its last byte is there, out of a window of
/// 256 KiB that grows only for a larger entity.
///
///     bytes -> window -> item by item -> sink
///
/// The outer objects are followed by a state machine that can stop at any byte; an item is read in one go.
public struct PayloadReader: ~Copyable {
    let window: ByteWindow
    let plan: CompiledPlan
    let limits: PayloadLimits
    /// Versions 1 to 3, where `d` is the envelope.
    let isOld: Bool
    let expectation: PayloadExpectation
    /// Whether the items of a collection have come, or the one that there is.
    var hasContent = false
    var scanner: ItemScanner
    var entities: EntityReader

    var state = State.start
    /// Place in the window of the next byte to be read.
    var index = 0
    /// The objects around the items, outermost first.
    var envelopes: [Envelope] = []
    /// Name of the member of the innermost envelope that is being read.
    var name: [UInt8] = []
    private var failure: PayloadError?

    /// Bytes held at most while entities are smaller.
    private static let windowSize = 256 << 10

    enum State {
        case start
        case name(isFirst: Bool)
        case colon
        case value
        case afterMember
        case item(isFirst: Bool)
        case afterItem
        /// The innermost envelope is an entity itself.
        case single
        case end
    }

    struct Envelope {
        /// Place of its opening brace.
        var start: Int
        /// Whether it is known to be an envelope, and no entity.
        var isDecided = false
        var names: Set<[UInt8]> = []
    }

    /// Creates a reader of one payload.
    ///
    /// - Parameters:
    ///   - model: The model of the service; its version says which form the payload has.
    ///   - plan: What to do with the entities.
    ///   - plans: Finds the plans of inline entities and derived types.
    ///   - isDelta: Whether a delta payload is expected; one that says so itself is recognised anyhow.
    ///   - expectation: What was asked for; what is not that is refused.
    ///   - limits: What the payload may ask for.
    public init(
        model: EdmModel,
        plan: EntityPlan,
        plans: some EntityPlanSource,
        isDelta: Bool = false,
        expecting expectation: PayloadExpectation = PayloadExpectation(),
        limits: PayloadLimits = PayloadLimits()
    ) {
        self.init(
            plan: plan,
            plans: CompiledPlans(model: model, source: plans),
            isDelta: isDelta,
            expecting: expectation,
            limits: limits
        )
    }

    /// Creates a reader of one payload with plans that others have compiled.
    package init(
        plan: EntityPlan,
        plans: CompiledPlans,
        isDelta: Bool = false,
        expecting expectation: PayloadExpectation = PayloadExpectation(),
        limits: PayloadLimits = PayloadLimits()
    ) {
        isOld = !plans.version.isV4
        self.plan = plans.compile(plan)
        self.limits = limits
        self.expectation = expectation
        window = ByteWindow(capacity: Self.windowSize)
        scanner = ItemScanner(limits: limits)
        entities = EntityReader(
            plans: plans,
            limits: limits,
            isVerbose: isOld,
            isDelta: isDelta,
            expectation: expectation
        )
    }

    /// Takes bytes in the order in which they arrive; whatever they complete is given to the sink.
    ///
    /// - Throws: ``PayloadError``, or what the sink throws. The reader is of no use afterwards.
    public mutating func feed(_ bytes: Span<UInt8>, into sink: inout some EntitySink) throws {
        if let failure { throw failure }
        var offset = 0
        while offset < bytes.count {
            let room =
                window.count < Self.windowSize ? Self.windowSize - window.count : Self.windowSize
            let end = min(bytes.count, offset + room)
            window.append(bytes.extracting(offset..<end))
            offset = end
            do {
                while try step(&sink) {}
            } catch let fault as PayloadFault {
                throw fail(fault)
            } catch let refusal as PayloadRefusal {
                throw fail(fault(refusal))
            }
            discard()
        }
    }

    /// Ends the payload and returns what it said beside its entities.
    ///
    /// - Throws: ``PayloadError`` when the payload is not complete.
    public mutating func finish() throws -> PageInfo {
        if let failure { throw failure }
        guard case .end = state else {
            let isEmpty = window.discarded + window.count == 0
            let message = isEmpty ? "the payload is empty" : "the payload is cut off"
            throw fail(PayloadFault(.truncated, at: window.count, message))
        }
        return entities.info
    }

    /// Reads a complete payload.
    ///
    /// - Throws: ``PayloadError``, or what the sink throws.
    public mutating func read(
        _ bytes: Span<UInt8>,
        into sink: inout some EntitySink
    ) throws -> PageInfo {
        try feed(bytes, into: &sink)
        return try finish()
    }

    /// Discards bytes that are no longer needed.
    private mutating func discard() {
        let kept = envelopes.first { !$0.isDecided }?.start ?? index
        guard kept > 0 else { return }
        window.discard(kept)
        scanner.shift(kept)
        index -= kept
        for place in envelopes.indices { envelopes[place].start -= kept }
    }

    private mutating func fail(_ fault: PayloadFault) -> PayloadError {
        let (line, column) = window.position(of: fault.index)
        var error = PayloadError(
            code: fault.code,
            message: fault.message,
            byteOffset: window.discarded + fault.index,
            line: line,
            column: column,
            path: path(to: fault.index),
            service: fault.service
        )
        error.isOfDeclaration = fault.isOfDeclaration
        failure = error
        return error
    }

    /// The fault of an entity that the sink refuses, at the value that the refusal names.
    private func fault(_ refusal: PayloadRefusal) -> PayloadFault {
        let place = window.withCursor(index..<window.count) { cursor in
            ValueLocator.place(of: refusal.path ?? "", limit: limits.maximumDepth, &cursor)
        }
        var fault = PayloadFault(.wrongType, at: place, refusal.message)
        fault.isOfDeclaration = refusal.isOfDeclaration
        return fault
    }

    private func path(to target: Int) -> String {
        let name = String(decoding: name, as: UTF8.self)
        var path = ""
        switch state {
        case .item, .afterItem: path = "\(name)[\(entities.info.entityCount)]"
        case .value, .colon, .afterMember: return name
        case .single: break
        case .start, .name, .end: return ""
        }
        path += window.withCursor(min(index, target)..<window.count) { cursor in
            PathLocator.path(to: target, limit: limits.maximumDepth, &cursor)
        }
        return path.first == "/" ? String(path.dropFirst()) : path
    }
}

// MARK: - Steps

extension PayloadReader {
    /// Goes on by one token or item; false when more bytes are needed.
    private mutating func step(_ sink: inout some EntitySink) throws -> Bool {
        if case .start = state, try !skipByteOrderMark() { return false }
        if !scanner.isActive { skipSpace() }
        guard index < window.count else { return false }
        let byte = window[index]
        switch state {
        case .start:
            guard byte == UInt8(ascii: "{") else {
                throw PayloadFault(.malformed, at: index, "expected a JSON object" + found(byte))
            }
            open()
        case .name(let isFirst):
            guard isFirst, byte == UInt8(ascii: "}") else { return try readName(byte) }
            try close()
        case .colon:
            try expect(UInt8(ascii: ":"), byte: byte, message: "expected a colon")
            state = .value
        case .value: return try value(byte)
        case .afterMember:
            if byte == UInt8(ascii: "}") {
                try close()
            } else {
                try expect(
                    UInt8(ascii: ","),
                    byte: byte,
                    message: "expected a comma or the end of the object"
                )
                state = .name(isFirst: false)
            }
        case .item(let isFirst):
            guard isFirst, byte == UInt8(ascii: "]") else { return try item(&sink) }
            endItems()
        case .afterItem:
            if byte == UInt8(ascii: "]") {
                endItems()
            } else {
                try expect(
                    UInt8(ascii: ","),
                    byte: byte,
                    message: "expected a comma or the end of the array"
                )
                state = .item(isFirst: false)
            }
        case .single: return try single(&sink)
        case .end:
            throw PayloadFault(.trailingBytes, at: index, "bytes after the end of the payload")
        }
        return true
    }

    /// What a payload is that is no JSON object, as the end of a sentence: services answer other formats under the name of JSON.
    private func found(_ first: UInt8) -> String {
        switch first {
        case UInt8(ascii: "["): return ", found an array"
        case UInt8(ascii: "\""): return ", found a string"
        case 0xFE, 0xFF, 0x00: return " in UTF-8, found UTF-16 or UTF-32 (RFC 8259 § 8.1)"
        case UInt8(ascii: "<"): break
        default: return ""
        }
        let end = min(window.count, index + 1_024)
        let head = String(
            decoding: (index..<end).map { window[$0] },
            as: UTF8.self
        ).lowercased()
        if head.contains("<html") || head.contains("<!doctype html") {
            return ", found an HTML page, most likely a logon page"
        }
        return head.contains("<feed") || head.contains("<entry")
            ? ", found Atom that is labelled as JSON" : ", found XML"
    }

    private mutating func skipByteOrderMark() throws -> Bool {
        guard window.discarded == 0, index == 0, window.count > 0, window[0] == 0xEF else {
            return true
        }
        guard window.count >= 3 else { return false }
        guard window[1] == 0xBB, window[2] == 0xBF else {
            throw PayloadFault(.malformed, at: 0, "expected a JSON object" + found(0xEF))
        }
        index = 3
        return true
    }

    private mutating func skipSpace() {
        index = window.withCursor(index..<window.count) { cursor in
            cursor.skipSpace()
            return cursor.index
        }
    }

    private mutating func expect(_ expected: UInt8, byte: UInt8, message: String) throws {
        guard byte == expected else { throw PayloadFault(.malformed, at: index, message) }
        index += 1
    }

    mutating func open() {
        envelopes.append(Envelope(start: index))
        index += 1
        state = .name(isFirst: true)
    }

    private mutating func close() throws {
        guard let envelope = envelopes.last else { return }
        guard envelope.isDecided else {
            // Nothing but control information: an entity without properties.
            try refuseEntity()
            index = envelope.start
            state = .single
            return
        }
        index += 1
        envelopes.removeLast()
        state = envelopes.isEmpty ? .end : .afterMember
        guard case .end = state, expectation.shape == .collection, !hasContent else { return }
        throw PayloadFault(.unexpectedContent, at: index - 1, "expected an array of entities")
    }

    /// Refuses one entity, or what may be one, where several were asked for.
    func refuseEntity() throws {
        guard expectation.shape == .collection else { return }
        throw PayloadFault(
            .unexpectedContent,
            at: envelopes.first?.start ?? index,
            "expected an array of entities, found a single object"
        )
    }

    private mutating func endItems() {
        index += 1
        state = .afterMember
    }

    /// Returns where the value that begins at the next byte ends, its bytes checked to be UTF-8; nil where it is not complete.
    mutating func scan() throws -> Int? {
        if !scanner.isActive { scanner.begin(at: index) }
        guard let end = try window.scan(&scanner) else { return nil }
        if scanner.hasHighBit {
            let invalid = window.withCursor(index..<window.count) { [index] cursor in
                cursor.firstInvalidUTF8(from: index, to: end)
            }
            if let invalid {
                throw PayloadFault(.malformed, at: invalid, "bytes that are not UTF-8")
            }
        }
        return end
    }

    private mutating func readName(_ byte: UInt8) throws -> Bool {
        guard byte == UInt8(ascii: "\"") else {
            throw PayloadFault(.malformed, at: index, "expected a name")
        }
        guard let end = try scan() else { return false }
        name = try window.withCursor(index..<end) { cursor in
            let token = try cursor.string()
            return try entities.bytes(token, from: &cursor)
        }
        guard envelopes[envelopes.count - 1].names.insert(name).inserted else {
            throw PayloadFault(.duplicateMember, at: index, "a second member of the same name")
        }
        guard envelopes[envelopes.count - 1].names.count <= limits.maximumMembers else {
            throw PayloadFault(.limitExceeded, at: index, "too many members")
        }
        index = end
        state = .colon
        return true
    }
}
