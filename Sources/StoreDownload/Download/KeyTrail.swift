package import ODataValues
import ODataModel
import ODataPayload

/// Remembers the key of the last entity that came.
package struct KeyTrail: PlainEntitySink {
    private let slots: [Int]
    private var depth = 0
    private var current: [Scalar?]
    /// The key of the last entity of the top level.
    package private(set) var last: [Scalar]?

    package init(_ slots: [Int]) {
        self.slots = slots
        current = slots.map { _ in nil }
    }

    private mutating func note(_ value: Scalar, slot: Int) {
        guard depth == 1, let place = slots.firstIndex(of: slot) else { return }
        current[place] = value
    }

    private static func copy(_ value: Span<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(value.count)
        for index in value.indices { bytes.append(value[index]) }
        return bytes
    }

    mutating func beginEntity(_ plan: EntityPlan) {
        depth += 1
        if depth == 1 { current = slots.map { _ in nil } }
    }

    mutating func endEntity() {
        if depth == 1 {
            let key = current.compactMap { $0 }
            if key.count == slots.count { last = key }
        }
        depth -= 1
    }

    mutating func null(_ slot: Int) { note(.null, slot: slot) }
    mutating func integer(_ value: Int64, slot: Int) { note(.integer(value), slot: slot) }
    mutating func real(_ value: Double, slot: Int) { note(.real(value), slot: slot) }
    mutating func text(_ value: Span<UInt8>, slot: Int) {
        guard depth == 1, slots.contains(slot) else { return }
        note(.text(String(decoding: Self.copy(value), as: UTF8.self)), slot: slot)
    }
    mutating func blob(_ value: Span<UInt8>, slot: Int) {
        guard depth == 1, slots.contains(slot) else { return }
        note(.blob(Self.copy(value)), slot: slot)
    }
    mutating func exact(_ text: Span<UInt8>, slot: Int) {}
    mutating func undeclared(_ name: Span<UInt8>, json: Span<UInt8>) {}
    mutating func control(_ information: EntityControl, value: Span<UInt8>) {}
    mutating func type(_ plan: EntityPlan) {}
    mutating func bind(_ navigation: NavigationPropertyID, to reference: Span<UInt8>) {}
    mutating func beginNavigation(_ navigation: NavigationPropertyID, isDelta: Bool) {}
    mutating func endNavigation(_ navigation: NavigationPropertyID, nextLink: String?) {}
    mutating func removed(id: Span<UInt8>, reason: RemovalReason) {}
    mutating func link(_ change: LinkChange) {}
}
