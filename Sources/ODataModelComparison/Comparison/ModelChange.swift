/// One difference between two models.
public struct ModelChange: Sendable, Equatable {
    /// What happened to the element.
    public enum Kind: String, Sendable {
        /// The element is new.
        case added
        /// The element is missing in the new model.
        case removed
        /// The element is in both models, with differences.
        case changed
    }

    /// What kind of element it is.
    public enum Subject: String, Sendable {
        /// The OData version of the document.
        case version
        /// An entity container.
        case entityContainer
        /// An entity type.
        case entityType
        /// A complex type.
        case complexType
        /// An enumeration type.
        case enumType
        /// A member of an enumeration type.
        case enumMember
        /// A type definition.
        case typeDefinition
        /// A structural property.
        case property
        /// A navigation property.
        case navigationProperty
        /// The key of an entity type.
        case key
        /// An entity set.
        case entitySet
        /// A singleton.
        case singleton
        /// A navigation property binding.
        case navigationPropertyBinding
        /// A function.
        case function
        /// An action.
        case action
        /// A function import.
        case functionImport
        /// An action import.
        case actionImport
    }

    /// Path of the element, `NS.Type/Property`; empty for the document itself.
    public var path: String
    /// What happened to it.
    public var change: Kind
    /// What kind of element it is.
    public var what: Subject
    /// Whether a store with the old model can be upgraded over it.
    public var isCompatible: Bool
    /// Whether a store can be upgraded over it, but not everything that was called before can be called after.
    public var isWarning = false
    /// Whether an incompatible change is explicitly allowed (``ModelComparison/allowing(_:)``).
    public var isAllowed = false
    /// What exactly changed, and why it matters.
    public var detail: String
    /// Index in the old model of the operation that was removed or changed.
    package var operation: Int?

    /// Creates a change.
    public init(
        path: String,
        change: Kind,
        what: Subject,
        isCompatible: Bool,
        detail: String
    ) {
        self.path = path
        self.change = change
        self.what = what
        self.isCompatible = isCompatible
        self.detail = detail
    }
}
