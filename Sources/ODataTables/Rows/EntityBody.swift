package import ODataValues
package import ODataModel
package import ODataPayload

/// One entity of a payload as values: what a local change or a single answer brings.
///
/// Pages of a download never take this form.
package struct EntityBody: Sendable {
    /// The plan it was read with.
    package var plan: EntityPlan
    /// Values by slot, in the order of the payload.
    package var values: [SlotValue] = []
    /// Members that the plan does not know, as JSON text.
    package var undeclared: [(name: String, json: String)] = []
    /// Control information.
    package var control: [EntityControl: String] = [:]
    /// The media ETags of stream properties.
    package var streamETags: [String: String] = [:]
    /// References to entities that are there already.
    package var bindings: [Binding] = []
    /// Entities inline.
    package var inline: [Inline] = []

    /// The value of a slot.
    package struct SlotValue: Sendable {
        package var slot: Int
        package var value: Scalar
        /// The text, where the scalar does not say all.
        package var exact: String?

        /// Creates a value.
        package init(slot: Int, value: Scalar, exact: String? = nil) {
            (self.slot, self.value, self.exact) = (slot, value, exact)
        }
    }

    /// A reference of a navigation property.
    package struct Binding: Sendable {
        package var navigation: NavigationPropertyID
        package var reference: String

        package init(navigation: NavigationPropertyID, reference: String) {
            (self.navigation, self.reference) = (navigation, reference)
        }
    }

    /// What a body says inline of a navigation property: its entities, none of them, or changes.
    package struct Inline: Sendable {
        package var navigation: NavigationPropertyID
        package var entities: [EntityBody]
        package var isDelta: Bool
        /// Entities of a collection that stand there by reference; they are among the body's bindings too.
        package var references: [String] = []
        /// Entities that a delta says to be gone.
        package var removals: [Removal] = []
        /// Whether a link leads to further entities, so that those that are missing are not meant to go.
        package var isPartial = false

        /// Creates what is said inline.
        package init(navigation: NavigationPropertyID, entities: [EntityBody], isDelta: Bool) {
            (self.navigation, self.entities, self.isDelta) = (navigation, entities, isDelta)
        }

        /// Whether it says that there is no entity.
        package var isEmpty: Bool { entities.isEmpty && references.isEmpty && removals.isEmpty }
    }

    /// An entity that leaves a collection.
    package struct Removal: Sendable {
        /// Its id, or its key predicate alone.
        package var id: String
        /// Whether the entity is deleted, or only related no more.
        package var reason: RemovalReason
    }

    /// Creates a body without values.
    package init(plan: EntityPlan) {
        self.plan = plan
    }

    /// Returns the value of a slot; nil where the payload does not mention it.
    package func value(of slot: Int) -> Scalar? {
        place(of: slot).map { values[$0].value }
    }

    /// Returns where among the values that of a slot stands.
    func place(of slot: Int) -> Int? {
        // By index: a closure would copy each value.
        for index in values.indices.reversed() where values[index].slot == slot { return index }
        return nil
    }

    /// Whether the payload gives a slot a value, null among them.
    package func mentions(_ slot: Int) -> Bool { place(of: slot) != nil }

    /// Whether there are references or entities inline.
    var hasRelated: Bool { !bindings.isEmpty || !inline.isEmpty }

    /// Sets the value of a slot.
    package mutating func set(_ value: Scalar, exact: String? = nil, slot: Int) {
        if mentions(slot) { values.removeAll { $0.slot == slot } }
        values.append(SlotValue(slot: slot, value: value, exact: exact))
    }
}
