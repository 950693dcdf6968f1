package import ODataModel
package import ODataPayload

/// Writes down what a reader tells it, a line per event, indented by nesting.
package struct RecordingSink: PlainEntitySink {
    /// The lines.
    package private(set) var lines: [String] = []

    private let plans: ModelPlans
    private var depth = 0

    /// Creates a sink for plans of a model.
    package init(_ plans: ModelPlans) { self.plans = plans }

    private mutating func note(_ line: String) {
        lines.append(String(repeating: "  ", count: depth) + line)
    }

    private func text(_ bytes: Span<UInt8>) -> String {
        var all: [UInt8] = []
        for index in bytes.indices { all.append(bytes[index]) }
        return String(decoding: all, as: UTF8.self)
    }

    private func name(_ slot: Int) -> String { plans.slotNames[slot] }

    private func name(_ navigation: NavigationPropertyID) -> String {
        plans.model[navigation].name
    }

    private func typeName(_ plan: EntityPlan) -> String {
        let name = plans.model[plan.type].name
        return String(
            name[(name.lastIndex(of: ".").map { name.index(after: $0) } ?? name.startIndex)...]
        )
    }

    package mutating func beginEntity(_ plan: EntityPlan) {
        note("begin \(typeName(plan))")
        depth += 1
    }

    package mutating func null(_ slot: Int) { note("\(name(slot)) null") }

    package mutating func integer(_ value: Int64, slot: Int) { note("\(name(slot)) = \(value)") }

    package mutating func real(_ value: Double, slot: Int) { note("\(name(slot)) ~ \(value)") }

    package mutating func text(_ value: Span<UInt8>, slot: Int) {
        note("\(name(slot)) '\(text(value))'")
    }

    package mutating func blob(_ value: Span<UInt8>, slot: Int) {
        let digits = value.indices.map { index in
            let byte = String(value[index], radix: 16)
            return byte.count == 1 ? "0" + byte : byte
        }
        note("\(name(slot)) x\(digits.joined())")
    }

    package mutating func exact(_ text: Span<UInt8>, slot: Int) {
        note("\(name(slot)) exactly \(self.text(text))")
    }

    package mutating func undeclared(_ name: Span<UInt8>, json: Span<UInt8>) {
        note("dynamic \(text(name)) \(text(json))")
    }

    package mutating func control(_ information: EntityControl, value: Span<UInt8>) {
        note("@\(information) \(text(value))")
    }

    package mutating func type(_ plan: EntityPlan) { note("type \(typeName(plan))") }

    package mutating func bind(_ navigation: NavigationPropertyID, to reference: Span<UInt8>) {
        note("bind \(name(navigation)) -> \(text(reference))")
    }

    package mutating func beginNavigation(_ navigation: NavigationPropertyID, isDelta: Bool) {
        note("\(name(navigation))\(isDelta ? " changes" : "") [")
        depth += 1
    }

    package mutating func endNavigation(_ navigation: NavigationPropertyID, nextLink: String?) {
        depth -= 1
        note("]" + (nextLink.map { " next \($0)" } ?? ""))
    }

    package mutating func endEntity() {
        depth -= 1
        note("end")
    }

    package mutating func removed(id: Span<UInt8>, reason: RemovalReason) {
        note("removed \(text(id)) \(reason)")
    }

    package mutating func link(_ change: LinkChange) {
        let sign = change.isAdded ? "+" : "-"
        note("link \(sign) \(change.source) \(change.relationship) \(change.target ?? "")")
    }
}

/// Takes everything and keeps nothing but a count.
package struct CountingSink: EntitySink {
    /// Entities that were ended.
    package private(set) var entities = 0
    /// Values of slots.
    package private(set) var values = 0

    /// Creates a sink.
    package init() {}

    package mutating func beginEntity(_ plan: EntityPlan) {}
    package mutating func null(_ slot: Int) { values += 1 }
    package mutating func integer(_ value: Int64, slot: Int) { values += 1 }
    package mutating func real(_ value: Double, slot: Int) { values += 1 }
    package mutating func text(_ value: Span<UInt8>, slot: Int) { values += 1 }
    package mutating func blob(_ value: Span<UInt8>, slot: Int) { values += 1 }
    package mutating func exact(_ text: Span<UInt8>, slot: Int) {}
    package mutating func undeclared(_ name: Span<UInt8>, json: Span<UInt8>) {}
    package mutating func control(_ information: EntityControl, value: Span<UInt8>) {}
    package mutating func type(_ plan: EntityPlan) {}
    package mutating func bind(_ navigation: NavigationPropertyID, to reference: Span<UInt8>) {}
    package mutating func beginNavigation(_ navigation: NavigationPropertyID, isDelta: Bool) {}
    package mutating func endNavigation(_ navigation: NavigationPropertyID, nextLink: String?) {}
    package mutating func endEntity() { entities += 1 }
    package mutating func removed(id: Span<UInt8>, reason: RemovalReason) {}
    package mutating func link(_ change: LinkChange) {}
}
