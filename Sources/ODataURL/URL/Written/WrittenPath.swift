/// A segment of a resource path as written.
public struct WrittenSegment: Sendable {
    /// Byte offset in the text given.
    public var offset: Int
    /// The whole segment, decoded: what a key given as a segment would be.
    public var text: String
    /// The name before any parenthesis (`Orders`, `NS.Type`, `$count`); nil where the segment is no name.
    public var name: String?
    /// What stands in parentheses, group by group; `()` is an empty group.
    public var groups: [[WrittenArgument]]
    /// Why the segment is no name; thrown where it cannot be a key either.
    public var fault: ODataURLError?
    /// Names of the sets of `$crossjoin(…)`.
    public var crossjoin: [WrittenPathName]

    package init(
        offset: Int,
        text: String,
        name: String? = nil,
        groups: [[WrittenArgument]],
        fault: ODataURLError? = nil,
        crossjoin: [WrittenPathName]
    ) {
        self.offset = offset
        self.text = text
        self.name = name
        self.groups = groups
        self.fault = fault
        self.crossjoin = crossjoin
    }
}
