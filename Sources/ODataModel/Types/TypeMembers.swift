/// What a structured type declares beside its name and kind.
package struct TypeMembers: Sendable {
    /// The key; empty where it is inherited or there is none.
    package var key: [KeyProperty] = []
    /// The structural properties, in order.
    package var properties: [StructuralProperty] = []
    /// The navigation properties, in order.
    package var navigationProperties: [NavigationProperty] = []
    /// Annotations of the type itself.
    package var annotations: [Annotation] = []
    /// Foreign keys of entities of the type that only the principal's navigation property declares.
    package var foreignKeys: [[ReferentialConstraint]] = []

    /// A type without members.
    package init() {}
}
