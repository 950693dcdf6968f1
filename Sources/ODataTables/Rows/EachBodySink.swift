package import ODataPayload
package import ODataModel

/// Hands out each entity of the top level as soon as it is complete, so that memory does not grow with the payload.
package struct EachBodySink: EntitySink {
    private let take: (EntityBody) throws -> Void
    private var collector = EntityBodyCollector()
    private var depth = 0

    /// Creates a sink.
    ///
    /// - Parameter take: What it throws ends the reading; `PayloadRefusal` gets the entity's place.
    package init(_ take: @escaping (EntityBody) throws -> Void) {
        self.take = take
    }

    package mutating func beginEntity(_ plan: EntityPlan) {
        depth += 1
        collector.beginEntity(plan)
    }

    package mutating func endEntity() throws {
        depth -= 1
        collector.endEntity()
        guard depth == 0 else { return }
        for body in collector.entities { try take(body) }
        collector = EntityBodyCollector()
    }

    package mutating func type(_ plan: EntityPlan) { collector.type(plan) }
    package mutating func null(_ slot: Int) { collector.null(slot) }
    package mutating func integer(_ value: Int64, slot: Int) {
        collector.integer(value, slot: slot)
    }
    package mutating func real(_ value: Double, slot: Int) { collector.real(value, slot: slot) }
    package mutating func text(_ value: Span<UInt8>, slot: Int) {
        collector.text(value, slot: slot)
    }
    package mutating func blob(_ value: Span<UInt8>, slot: Int) {
        collector.blob(value, slot: slot)
    }
    package mutating func exact(_ text: Span<UInt8>, slot: Int) {
        collector.exact(text, slot: slot)
    }
    package mutating func undeclared(_ name: Span<UInt8>, json: Span<UInt8>) {
        collector.undeclared(name, json: json)
    }
    package mutating func control(_ information: EntityControl, value: Span<UInt8>) {
        collector.control(information, value: value)
    }
    package mutating func bind(_ navigation: NavigationPropertyID, to reference: Span<UInt8>) {
        collector.bind(navigation, to: reference)
    }
    package mutating func beginNavigation(_ navigation: NavigationPropertyID, isDelta: Bool) {
        collector.beginNavigation(navigation, isDelta: isDelta)
    }
    package mutating func endNavigation(_ navigation: NavigationPropertyID, nextLink: String?) {
        collector.endNavigation(navigation, nextLink: nextLink)
    }
    package mutating func removed(id: Span<UInt8>, reason: RemovalReason) {}
    package mutating func link(_ change: LinkChange) {}
}
