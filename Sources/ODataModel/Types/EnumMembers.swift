/// What an enumeration type declares beside its name and the integer behind it.
package struct EnumMembers: Sendable {
    /// Members in the order of the document.
    package var members: [EnumType.Member] = []
    /// Annotations of the type.
    package var annotations: [Annotation] = []

    /// A type without members.
    package init() {}
}
