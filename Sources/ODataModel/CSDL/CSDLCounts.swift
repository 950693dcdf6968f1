/// How many elements of each kind a document declares, references not counted.
public struct CSDLCounts: Sendable, Equatable {
    /// Schemas.
    public var schemas = 0
    /// Entity types.
    public var entityTypes = 0
    /// Complex types.
    public var complexTypes = 0
    /// Enumeration types.
    public var enumTypes = 0
    /// Type definitions.
    public var typeDefinitions = 0
    /// Entity sets of all containers.
    public var entitySets = 0
    /// Singletons of all containers.
    public var singletons = 0
    /// Functions, each overload.
    public var functions = 0
    /// Actions, each overload.
    public var actions = 0
    /// Function imports of all containers.
    public var functionImports = 0
    /// Action imports of all containers.
    public var actionImports = 0
    /// Structural properties.
    public var properties = 0
    /// Navigation properties.
    public var navigationProperties = 0

    /// Creates counts of zero.
    public init() {}
}
