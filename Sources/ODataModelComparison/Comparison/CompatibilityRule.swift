/// A rule by which a difference of two models is judged, and its reason.
public struct CompatibilityRule: Sendable, Hashable, Identifiable {
    /// What a difference means for stores with the old model.
    public enum Effect: String, Sendable {
        /// Stores can be upgraded.
        case compatible
        /// Stores can be upgraded, but calls that wait in a queue may fail.
        case warning
        /// Stores cannot be upgraded.
        case incompatible
    }

    /// What kind of element it is about.
    public let what: ModelChange.Subject
    /// What happened to the element.
    public let change: ModelChange.Kind
    /// What that means for stores.
    public let effect: Effect
    /// Which changes of the element are meant.
    public let text: String
    /// Why it is so.
    public let reason: String

    /// Name of the rule, such as `property-removed` or `property-changed-incompatible`.
    public var id: String { Self.id(what, change: change, effect: effect) }

    static func id(
        _ what: ModelChange.Subject,
        change: ModelChange.Kind,
        effect: Effect
    ) -> String {
        let base = "\(what.rawValue)-\(change.rawValue)"
        return change == .changed ? "\(base)-\(effect.rawValue)" : base
    }
}

// MARK: - The rules

extension CompatibilityRule {
    private init(
        _ what: ModelChange.Subject,
        change: ModelChange.Kind,
        effect: Effect,
        text: String,
        reason: String
    ) {
        (self.what, self.change, self.effect) = (what, change, effect)
        (self.text, self.reason) = (text, reason)
    }

    /// All rules, in the order of the elements.
    public static let all: [CompatibilityRule] = documents + types + members + sets + operations

    private static let rowsStay = "Rows, copies and waiting changes stay as they are."
    private static let columnStays =
        "Stored values have a column of this name and type, and waiting changes name it."

    private static let documents = [
        CompatibilityRule(
            .version,
            change: .changed,
            effect: .compatible,
            text: "the version changes within 2.0 and 3.0, or within 4.0 and 4.01",
            reason: "The protocol stays the same."
        ),
        CompatibilityRule(
            .version,
            change: .changed,
            effect: .incompatible,
            text: "the version changes between 3.0 and 4.0",
            reason:
                "The protocols differ; a store speaks one of them, and waiting changes are written in it."
        ),
        CompatibilityRule(
            .entityContainer,
            change: .changed,
            effect: .compatible,
            text: "the container has another name",
            reason: "Requests do not name the container."
        ),
    ]

    private static let types = [
        CompatibilityRule(
            .entityType,
            change: .added,
            effect: .compatible,
            text: "an entity type is added",
            reason: "Its entities come with the next download."
        ),
        CompatibilityRule(
            .entityType,
            change: .removed,
            effect: .incompatible,
            text: "an entity type is removed or renamed",
            reason: "Stored entities of the type have no place any more."
        ),
        CompatibilityRule(
            .entityType,
            change: .changed,
            effect: .compatible,
            text: "the type becomes open, a media type, or no longer abstract",
            reason: rowsStay
        ),
        CompatibilityRule(
            .entityType,
            change: .changed,
            effect: .incompatible,
            text:
                "another base type, abstract, no longer open, no longer a media type, or a complex type",
            reason: "Stored entities may be of what the type is no longer."
        ),
        CompatibilityRule(
            .complexType,
            change: .added,
            effect: .compatible,
            text: "a complex type is added",
            reason: rowsStay
        ),
        CompatibilityRule(
            .complexType,
            change: .removed,
            effect: .incompatible,
            text: "a complex type is removed or renamed",
            reason: "Stored values of the type have no place any more."
        ),
        CompatibilityRule(
            .complexType,
            change: .changed,
            effect: .compatible,
            text: "the type becomes open or is no longer abstract",
            reason: rowsStay
        ),
        CompatibilityRule(
            .complexType,
            change: .changed,
            effect: .incompatible,
            text: "another base type, abstract, no longer open, or an entity type",
            reason: "Stored values may be of what the type is no longer."
        ),
        CompatibilityRule(
            .enumType,
            change: .added,
            effect: .compatible,
            text: "an enumeration is added",
            reason: rowsStay
        ),
        CompatibilityRule(
            .enumType,
            change: .removed,
            effect: .incompatible,
            text: "an enumeration is removed or renamed",
            reason: "Stored values of the type have no meaning any more."
        ),
        CompatibilityRule(
            .enumType,
            change: .changed,
            effect: .compatible,
            text: "a wider underlying type, or several members may be chosen",
            reason: "Every stored value is still one of the type."
        ),
        CompatibilityRule(
            .enumType,
            change: .changed,
            effect: .incompatible,
            text: "a narrower underlying type, or only one member may be chosen",
            reason: "A stored value may not be one of the type any more."
        ),
        CompatibilityRule(
            .enumMember,
            change: .added,
            effect: .compatible,
            text: "a member is added",
            reason: rowsStay
        ),
        CompatibilityRule(
            .enumMember,
            change: .removed,
            effect: .incompatible,
            text: "a member is removed or renamed",
            reason: "Stored values and waiting changes may name it."
        ),
        CompatibilityRule(
            .enumMember,
            change: .changed,
            effect: .incompatible,
            text: "a member has another value",
            reason: "Stored values are numbers: they would mean another member."
        ),
        CompatibilityRule(
            .typeDefinition,
            change: .added,
            effect: .compatible,
            text: "a type definition is added",
            reason: rowsStay
        ),
        CompatibilityRule(
            .typeDefinition,
            change: .removed,
            effect: .incompatible,
            text: "a type definition is removed or renamed",
            reason: "Stored values of the type have no place any more."
        ),
        CompatibilityRule(
            .typeDefinition,
            change: .changed,
            effect: .compatible,
            text: "wider facets",
            reason: "Every stored value is still allowed."
        ),
        CompatibilityRule(
            .typeDefinition,
            change: .changed,
            effect: .incompatible,
            text: "another underlying type, or narrower facets",
            reason: "A stored value or a waiting change may not be allowed any more."
        ),
    ]

    private static let members = [
        CompatibilityRule(
            .key,
            change: .changed,
            effect: .incompatible,
            text: "the key has other properties",
            reason: "Stored entities, links and waiting changes are found by their keys."
        ),
        CompatibilityRule(
            .property,
            change: .added,
            effect: .compatible,
            text: "a property is added",
            reason: "It is unknown in stored entities until the next download brings it."
        ),
        CompatibilityRule(
            .property,
            change: .removed,
            effect: .incompatible,
            text: "a property is removed or renamed",
            reason: columnStays
        ),
        CompatibilityRule(
            .property,
            change: .changed,
            effect: .compatible,
            text:
                "null is allowed, or left open for a collection, wider facets, another default value, part of the ETag or not",
            reason: "Every stored value is still allowed."
        ),
        CompatibilityRule(
            .property,
            change: .changed,
            effect: .incompatible,
            text: "another type, null is no longer allowed, or narrower facets",
            reason: "A stored value or a waiting change may not be allowed any more."
        ),
        CompatibilityRule(
            .navigationProperty,
            change: .added,
            effect: .compatible,
            text: "a navigation property is added",
            reason: "Its links come with the next download."
        ),
        CompatibilityRule(
            .navigationProperty,
            change: .removed,
            effect: .incompatible,
            text: "a navigation property is removed or renamed",
            reason: "Stored links and waiting changes name it."
        ),
        CompatibilityRule(
            .navigationProperty,
            change: .changed,
            effect: .compatible,
            text: "null is allowed, or another partner, constraint or deletion rule",
            reason: "Stored links still lead to the same entities."
        ),
        CompatibilityRule(
            .navigationProperty,
            change: .changed,
            effect: .incompatible,
            text:
                "another target type, collection or single, containment, or null is no longer allowed",
            reason: "Stored links may not be allowed any more, or their entities stand elsewhere."
        ),
    ]

    private static let sets = [
        CompatibilityRule(
            .entitySet,
            change: .added,
            effect: .compatible,
            text: "an entity set is added",
            reason: "A defining query can ask for it."
        ),
        CompatibilityRule(
            .entitySet,
            change: .removed,
            effect: .incompatible,
            text: "an entity set is removed or renamed",
            reason: "Stored entities, defining queries and waiting changes name it."
        ),
        CompatibilityRule(
            .entitySet,
            change: .changed,
            effect: .incompatible,
            text: "the set has another type",
            reason: "Stored entities are of the former type."
        ),
        CompatibilityRule(
            .singleton,
            change: .added,
            effect: .compatible,
            text: "a singleton is added",
            reason: "A defining query can ask for it."
        ),
        CompatibilityRule(
            .singleton,
            change: .removed,
            effect: .incompatible,
            text: "a singleton is removed or renamed",
            reason: "The stored entity, defining queries and waiting changes name it."
        ),
        CompatibilityRule(
            .singleton,
            change: .changed,
            effect: .incompatible,
            text: "the singleton has another type",
            reason: "The stored entity is of the former type."
        ),
        CompatibilityRule(
            .navigationPropertyBinding,
            change: .changed,
            effect: .incompatible,
            text: "a navigation property leads to another set",
            reason: "Stored links would lead to other entities."
        ),
        CompatibilityRule(
            .navigationPropertyBinding,
            change: .removed,
            effect: .incompatible,
            text:
                "a navigation property has no binding any more, and there is not just its former set that it can lead to",
            reason: "Stored links would lead nowhere."
        ),
    ]

    private static let callsOnly =
        "A store keeps nothing of operations; a call that waits in the queue will fail, so a store with such a call is not upgraded."

    private static let operations =
        [ModelChange.Subject.function, .action].flatMap { what in
            [
                CompatibilityRule(
                    what,
                    change: .added,
                    effect: .compatible,
                    text: "an overload is added",
                    reason: "A store keeps nothing of operations."
                ),
                CompatibilityRule(
                    what,
                    change: .removed,
                    effect: .warning,
                    text: "an overload is removed, or has other parameters",
                    reason: callsOnly
                ),
                CompatibilityRule(
                    what,
                    change: .changed,
                    effect: .compatible,
                    text: "new parameters at the end that calls may leave out",
                    reason: "Waiting calls leave them out."
                ),
                CompatibilityRule(
                    what,
                    change: .changed,
                    effect: .warning,
                    text: "another result, or a parameter takes less than before",
                    reason: callsOnly
                ),
            ]
        }
        + [ModelChange.Subject.functionImport, .actionImport].flatMap { what in
            [
                CompatibilityRule(
                    what,
                    change: .added,
                    effect: .compatible,
                    text: "an import is added",
                    reason: "A store keeps nothing of operations."
                ),
                CompatibilityRule(
                    what,
                    change: .removed,
                    effect: .warning,
                    text: "an import is removed or renamed",
                    reason: callsOnly
                ),
                CompatibilityRule(
                    what,
                    change: .changed,
                    effect: .warning,
                    text: "another operation",
                    reason: callsOnly
                ),
            ]
        }
}

// MARK: - Of a change

extension ModelChange {
    /// What the change means for stores with the old model.
    public var effect: CompatibilityRule.Effect {
        isWarning ? .warning : isCompatible ? .compatible : .incompatible
    }

    /// Name of the rule that the change was judged by; ``CompatibilityRule/all`` has its reason.
    public var ruleID: String { CompatibilityRule.id(what, change: change, effect: effect) }
}
