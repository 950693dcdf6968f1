/// A link along a navigation property that is being read.
struct AtomLink {
    var name: String
    var target: String
    /// Whether it leads to several entities.
    var isFeed: Bool
    /// Whether the element for inline entities has come.
    var isExpanded = false
    /// Whether entities have come inline.
    var hasContent = false
}
