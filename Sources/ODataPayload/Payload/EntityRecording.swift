import ODataValues
package import ODataModel

/// The calls of a reader to a sink, recorded in a compact form to replay into another sink.
///
/// So one thread reads a payload while another works in what was read before. There is no object per entity or value:
///
///     words   | what, slot, length | value | what, slot, length | what, slot, length | value | …
///     bytes   | texts and blobs, one after the other                                     | …
///
/// What is rare (links, navigation properties) stands in lists of its own, in the order in which it came.
package struct EntityRecording: EntitySink, Sendable {
    private(set) var words: [UInt64] = []
    private(set) var bytes: [UInt8] = []
    private(set) var plans: [EntityPlan] = []
    private(set) var controls: [EntityControl] = []
    private(set) var navigations: [NavigationPropertyID] = []
    private(set) var nextLinks: [String?] = []
    private(set) var links: [LinkChange] = []
    /// Where the innermost entity begins, as long as it is plain.
    private var plainStart: (word: Int, byte: Int)?
    /// How many exact texts it has so far.
    private var exactCount = 0

    /// Creates an empty recording with room for the values of so many bytes of JSON.
    package init(payloadBytes: Int = 0) {
        words.reserveCapacity(payloadBytes / 10)
        bytes.reserveCapacity(payloadBytes / 2)
    }

    /// Forgets everything; the memory is used again.
    package mutating func reset() {
        words.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
        plans.removeAll(keepingCapacity: true)
        controls.removeAll(keepingCapacity: true)
        navigations.removeAll(keepingCapacity: true)
        nextLinks.removeAll(keepingCapacity: true)
        links.removeAll(keepingCapacity: true)
        plainStart = nil
        exactCount = 0
    }

    /// Whether no call was recorded.
    package var isEmpty: Bool { words.isEmpty }

    private mutating func add(_ name: RecordedCall.Name, number: Int = 0, length: Int = 0) {
        let call = RecordedCall(name, number: number, length: length)
        if !call.isPlain { plainStart = nil }
        words.append(call.word)
    }

    private mutating func add(_ name: RecordedCall.Name, number: Int = 0, text: Span<UInt8>) {
        add(name, number: number, length: text.count)
        bytes.append(bytes: text)
    }
}

// MARK: - Entities and values

extension EntityRecording {
    package mutating func beginEntity(_ plan: EntityPlan) {
        add(.beginEntity, number: number(of: plan))
        plainStart = (words.count - 1, bytes.count)
        exactCount = 0
    }

    package mutating func type(_ plan: EntityPlan) { add(.type, number: number(of: plan)) }

    package mutating func endEntity() {
        guard let start = plainStart else { return add(.endEntity) }
        let plan = RecordedCall(words[start.word]).number
        let length = words.count - start.word
        words[start.word] = RecordedCall(.beginEntity, number: plan, length: length).word
        add(.endEntity, number: exactCount, length: bytes.count - start.byte)
    }

    /// There are as many plans as types in the payload: few.
    private mutating func number(of plan: EntityPlan) -> Int {
        if let known = plans.firstIndex(where: { $0 === plan }) { return known }
        plans.append(plan)
        return plans.count - 1
    }

    package mutating func null(_ slot: Int) { add(.null, number: slot) }

    package mutating func integer(_ value: Int64, slot: Int) {
        add(.integer, number: slot)
        words.append(UInt64(bitPattern: value))
    }

    package mutating func real(_ value: Double, slot: Int) {
        add(.real, number: slot)
        words.append(value.bitPattern)
    }

    package mutating func text(_ value: Span<UInt8>, slot: Int) {
        add(.text, number: slot, text: value)
    }

    package mutating func blob(_ value: Span<UInt8>, slot: Int) {
        add(.blob, number: slot, text: value)
    }

    package mutating func exact(_ text: Span<UInt8>, slot: Int) {
        exactCount += 1
        add(.exact, number: slot, text: text)
    }

    package mutating func undeclared(_ name: Span<UInt8>, json: Span<UInt8>) {
        add(.undeclared, number: 0, text: name)
        words.append(UInt64(json.count))
        bytes.append(bytes: json)
    }

    package mutating func streamControl(
        _ property: Span<UInt8>,
        _ information: EntityControl,
        value: Span<UInt8>
    ) {
        controls.append(information)
        add(.streamControl, number: 0, text: property)
        words.append(UInt64(value.count))
        bytes.append(bytes: value)
    }

    package mutating func control(_ information: EntityControl, value: Span<UInt8>) {
        if information == .etag { return add(.etag, number: 0, text: value) }
        controls.append(information)
        add(.control, number: 0, text: value)
    }
}

// MARK: - Links

extension EntityRecording {
    package mutating func bind(_ navigation: NavigationPropertyID, to reference: Span<UInt8>) {
        navigations.append(navigation)
        add(.reference, number: 0, text: reference)
    }

    package mutating func beginNavigation(_ navigation: NavigationPropertyID, isDelta: Bool) {
        navigations.append(navigation)
        add(isDelta ? .beginDeltaNavigation : .beginNavigation)
    }

    package mutating func endNavigation(_ navigation: NavigationPropertyID, nextLink: String?) {
        navigations.append(navigation)
        nextLinks.append(nextLink)
        add(.endNavigation)
    }

    package mutating func removed(id: Span<UInt8>, reason: RemovalReason) {
        add(reason == .deleted ? .removed : .removedChanged, number: 0, text: id)
    }

    package mutating func link(_ change: LinkChange) {
        links.append(change)
        add(.link)
    }
}

// MARK: - Reading

extension PayloadReader {
    /// Takes bytes as `feed` does and records their calls.
    ///
    /// It stands in this module so that the whole reader is compiled for this one sink.
    package mutating func record(_ bytes: Span<UInt8>, into recording: inout EntityRecording) throws
    {
        try feed(bytes, into: &recording)
    }
}
