/// What an open element of an Atom document is to its reader.
enum AtomFrame {
    case feed
    case entry
    /// A link that leads along a navigation property.
    case navigationLink
    case inline
    case content
    case properties
    /// A property, an item of a collection, or a part of a complex value.
    case value
    /// An element whose text says something.
    case text(AtomText)
    /// The links of a navigation property (`$links`).
    case references
    case error
    /// Passed over with all that is inside.
    case skipped
}
