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
    public var id: String { Self.id(what, change, effect) }

    static func id(
        _ what: ModelChange.Subject,
        _ change: ModelChange.Kind,
        _ effect: Effect
    ) -> String {
        let base = "\(what.rawValue)-\(change.rawValue)"
        return change == .changed ? "\(base)-\(effect.rawValue)" : base
    }
}

// MARK: - The rules

extension CompatibilityRule {
    private init(
        _ what: ModelChange.Subject,
        _ change: ModelChange.Kind,
        _ effect: Effect,
        _ text: String,
        _ reason: String
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
            .changed,
            .compatible,
            "the version changes within 2.0 and 3.0, or within 4.0 and 4.01",
            "The protocol stays the same."
        ),
        CompatibilityRule(
            .version,
            .changed,
            .incompatible,
            "the version changes between 3.0 and 4.0",
            "The protocols differ; a store speaks one of them, and waiting changes are written in it."
        ),
        CompatibilityRule(
            .entityContainer,
            .changed,
            .compatible,
            "the container has another name",
            "Requests do not name the container."
        ),
    ]

    private static let types = [
        CompatibilityRule(
            .entityType,
            .added,
            .compatible,
            "an entity type is added",
            "Its entities come with the next download."
        ),
        CompatibilityRule(
            .entityType,
            .removed,
            .incompatible,
            "an entity type is removed or renamed",
            "Stored entities of the type have no place any more."
        ),
        CompatibilityRule(
            .entityType,
            .changed,
            .compatible,
            "the type becomes open, a media type, or no longer abstract",
            rowsStay
        ),
        CompatibilityRule(
            .entityType,
            .changed,
            .incompatible,
            "another base type, abstract, no longer open, no longer a media type, or a complex type",
            "Stored entities may be of what the type is no longer."
        ),
        CompatibilityRule(
            .complexType,
            .added,
            .compatible,
            "a complex type is added",
            rowsStay
        ),
        CompatibilityRule(
            .complexType,
            .removed,
            .incompatible,
            "a complex type is removed or renamed",
            "Stored values of the type have no place any more."
        ),
        CompatibilityRule(
            .complexType,
            .changed,
            .compatible,
            "the type becomes open or is no longer abstract",
            rowsStay
        ),
        CompatibilityRule(
            .complexType,
            .changed,
            .incompatible,
            "another base type, abstract, no longer open, or an entity type",
            "Stored values may be of what the type is no longer."
        ),
        CompatibilityRule(
            .enumType,
            .added,
            .compatible,
            "an enumeration is added",
            rowsStay
        ),
        CompatibilityRule(
            .enumType,
            .removed,
            .incompatible,
            "an enumeration is removed or renamed",
            "Stored values of the type have no meaning any more."
        ),
        CompatibilityRule(
            .enumType,
            .changed,
            .compatible,
            "a wider underlying type, or several members may be chosen",
            "Every stored value is still one of the type."
        ),
        CompatibilityRule(
            .enumType,
            .changed,
            .incompatible,
            "a narrower underlying type, or only one member may be chosen",
            "A stored value may not be one of the type any more."
        ),
        CompatibilityRule(
            .enumMember,
            .added,
            .compatible,
            "a member is added",
            rowsStay
        ),
        CompatibilityRule(
            .enumMember,
            .removed,
            .incompatible,
            "a member is removed or renamed",
            "Stored values and waiting changes may name it."
        ),
        CompatibilityRule(
            .enumMember,
            .changed,
            .incompatible,
            "a member has another value",
            "Stored values are numbers: they would mean another member."
        ),
        CompatibilityRule(
            .typeDefinition,
            .added,
            .compatible,
            "a type definition is added",
            rowsStay
        ),
        CompatibilityRule(
            .typeDefinition,
            .removed,
            .incompatible,
            "a type definition is removed or renamed",
            "Stored values of the type have no place any more."
        ),
        CompatibilityRule(
            .typeDefinition,
            .changed,
            .compatible,
            "wider facets",
            "Every stored value is still allowed."
        ),
        CompatibilityRule(
            .typeDefinition,
            .changed,
            .incompatible,
            "another underlying type, or narrower facets",
            "A stored value or a waiting change may not be allowed any more."
        ),
    ]

    private static let members = [
        CompatibilityRule(
            .key,
            .changed,
            .incompatible,
            "the key has other properties",
            "Stored entities, links and waiting changes are found by their keys."
        ),
        CompatibilityRule(
            .property,
            .added,
            .compatible,
            "a property is added",
            "It is unknown in stored entities until the next download brings it."
        ),
        CompatibilityRule(
            .property,
            .removed,
            .incompatible,
            "a property is removed or renamed",
            columnStays
        ),
        CompatibilityRule(
            .property,
            .changed,
            .compatible,
            "null is allowed, wider facets, another default value, part of the ETag or not",
            "Every stored value is still allowed."
        ),
        CompatibilityRule(
            .property,
            .changed,
            .incompatible,
            "another type, null is no longer allowed, or narrower facets",
            "A stored value or a waiting change may not be allowed any more."
        ),
        CompatibilityRule(
            .navigationProperty,
            .added,
            .compatible,
            "a navigation property is added",
            "Its links come with the next download."
        ),
        CompatibilityRule(
            .navigationProperty,
            .removed,
            .incompatible,
            "a navigation property is removed or renamed",
            "Stored links and waiting changes name it."
        ),
        CompatibilityRule(
            .navigationProperty,
            .changed,
            .compatible,
            "null is allowed, or another partner, constraint or deletion rule",
            "Stored links still lead to the same entities."
        ),
        CompatibilityRule(
            .navigationProperty,
            .changed,
            .incompatible,
            "another target type, collection or single, containment, or null is no longer allowed",
            "Stored links may not be allowed any more, or their entities stand elsewhere."
        ),
    ]

    private static let sets = [
        CompatibilityRule(
            .entitySet,
            .added,
            .compatible,
            "an entity set is added",
            "A defining query can ask for it."
        ),
        CompatibilityRule(
            .entitySet,
            .removed,
            .incompatible,
            "an entity set is removed or renamed",
            "Stored entities, defining queries and waiting changes name it."
        ),
        CompatibilityRule(
            .entitySet,
            .changed,
            .incompatible,
            "the set has another type",
            "Stored entities are of the former type."
        ),
        CompatibilityRule(
            .singleton,
            .added,
            .compatible,
            "a singleton is added",
            "A defining query can ask for it."
        ),
        CompatibilityRule(
            .singleton,
            .removed,
            .incompatible,
            "a singleton is removed or renamed",
            "The stored entity, defining queries and waiting changes name it."
        ),
        CompatibilityRule(
            .singleton,
            .changed,
            .incompatible,
            "the singleton has another type",
            "The stored entity is of the former type."
        ),
        CompatibilityRule(
            .navigationPropertyBinding,
            .changed,
            .incompatible,
            "a navigation property leads to another set",
            "Stored links would lead to other entities."
        ),
    ]

    private static let callsOnly =
        "A store keeps nothing of operations; a call that waits in the queue will fail, so a store with such a call is not upgraded."

    private static let operations =
        [ModelChange.Subject.function, .action].flatMap { what in
            [
                CompatibilityRule(
                    what,
                    .added,
                    .compatible,
                    "an overload is added",
                    "A store keeps nothing of operations."
                ),
                CompatibilityRule(
                    what,
                    .removed,
                    .warning,
                    "an overload is removed, or has other parameters",
                    callsOnly
                ),
                CompatibilityRule(
                    what,
                    .changed,
                    .compatible,
                    "new nullable parameters at the end",
                    "Waiting calls leave them out."
                ),
                CompatibilityRule(what, .changed, .warning, "another result", callsOnly),
            ]
        }
        + [ModelChange.Subject.functionImport, .actionImport].flatMap { what in
            [
                CompatibilityRule(
                    what,
                    .added,
                    .compatible,
                    "an import is added",
                    "A store keeps nothing of operations."
                ),
                CompatibilityRule(
                    what,
                    .removed,
                    .warning,
                    "an import is removed or renamed",
                    callsOnly
                ),
                CompatibilityRule(what, .changed, .warning, "another operation", callsOnly),
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
    public var ruleID: String { CompatibilityRule.id(what, change, effect) }
}
