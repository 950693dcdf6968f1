/// What an application has set in an entity that it had read.
package struct AssignedMember: Sendable {
    /// The value that was read; nil where there was none.
    private let read: ODataValue?
    /// The values that were set, nil where it was taken out.
    private var given: Set<ODataValue?> = []
    /// Whether the value is another one than was read, or was in between; a number with further zeros is another one.
    package private(set) var isChange = false

    /// Values that are remembered; an entity that is bound to a text field gets one with each key.
    private static let limit = 1_000

    init(_ read: ODataValue?) { self.read = read }

    mutating func set(_ value: ODataValue?) {
        isChange = isChange || value != read || value?.json != read?.json
        if given.count < Self.limit { given.insert(value) }
    }

    /// Whether the application knows a value: it has read it, or set it itself.
    package func knows(_ value: ODataValue?) -> Bool {
        value == read || given.contains(value) || given.count == Self.limit
    }
}
