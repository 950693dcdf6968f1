/// One difference between two models.
public struct ModelChange: Sendable, Equatable {
    /// What happened to the element.
    public enum Kind: String, Sendable {
        case added
        case removed
        case changed
    }

    /// What kind of element it is.
    public enum Subject: String, Sendable {
        case version
        case entityContainer
        case entityType
        case complexType
        case enumType
        case enumMember
        case typeDefinition
        case property
        case navigationProperty
        case key
        case entitySet
        case singleton
        case navigationPropertyBinding
        case function
        case action
        case functionImport
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
