/// A Swift source made from metadata.
public struct SwiftSource: Sendable, Hashable {
    /// Name of the file, `FieldService+WorkOrder.swift`.
    public var name: String
    /// The source.
    public var text: String

    /// The first line of every source: files that begin with it may be replaced and removed.
    public static let mark = "// Generated from OData metadata; do not edit."
}
