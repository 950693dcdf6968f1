public import ODataValues
public import ODataModel
import Synchronization

/// How a reader treats the members of an entity of one type: which slot each leaf property goes to and in which form.
///
/// Made once per type and source, used for every entity. A class, because plans refer to each other along navigation properties.
public final class EntityPlan: Sendable {
    /// The entity type.
    public let type: StructuredTypeID
    /// Number by which the owner of the slots knows this plan's table or record.
    public let destination: Int
    /// Members in the order of the type.
    public let members: [Member]
    /// Whether undeclared members are kept (open type); else they are skipped with a diagnostic.
    public let isOpen: Bool
    private let knownLayout = AtomicLazyReference<PlanLayout>()

    /// Creates a plan.
    public init(type: StructuredTypeID, destination: Int, members: [Member], isOpen: Bool) {
        self.type = type
        self.destination = destination
        self.members = members
        self.isOpen = isOpen
    }

    /// Returns what the model, which is the one that the plan was made for, says of its members.
    func layout(in model: EdmModel) -> PlanLayout {
        knownLayout.load() ?? knownLayout.storeIfNil(PlanLayout(self, model: model))
    }

    /// A declared member of the payload.
    public struct Member: Sendable {
        /// Name in the payload.
        public let name: String
        /// The name as it is written.
        package let written: JSONName
        /// What is done with it.
        public var kind: Kind

        /// Creates a member.
        public init(name: String, kind: Kind) {
            self.name = name
            self.kind = kind
            written = JSONName(name)
        }
    }

    /// What is done with a member.
    public enum Kind: Sendable {
        /// A primitive value in a form.
        case scalar(ScalarForm, slot: Int)
        /// A complex value whose leaves have slots; `presence` is the slot that distinguishes null from an object (1).
        case complex([Member], presence: Int?)
        /// Kept as JSON text: collections, recursive complex values.
        case json(slot: Int)
        /// Entities inline or bound.
        case navigation(NavigationPropertyID, isCollection: Bool)
        /// A stream property: its links and ETag are annotations, its value never inline.
        case stream
    }
}

/// Finds the plan of inline entities and of derived types while a payload is read.
public protocol EntityPlanSource {
    /// Returns the plan for entities of a navigation property of entities with the given plan; nil to skip them.
    func plan(for navigation: NavigationPropertyID, from plan: EntityPlan) -> EntityPlan?
    /// Returns the plan for a named type where the given plan was expected; nil where it is unknown or not derived.
    func plan(forTypeNamed name: String, insteadOf plan: EntityPlan) -> EntityPlan?
    /// Returns the plan for entities of another set in a delta payload, named as in its context URL; nil to skip them.
    func plan(forEntitySetNamed name: String, insteadOf plan: EntityPlan) -> EntityPlan?
}

extension EntityPlanSource {
    /// Skips entities of other sets.
    public func plan(forEntitySetNamed name: String, insteadOf plan: EntityPlan) -> EntityPlan? {
        nil
    }
}
