/// One of several values that are read together when the first of them is used.
package struct LateItem<Value: Sendable>: Sendable {
    private let group: Late<[Value]>
    private let place: Int

    /// Creates the value at a place of a group.
    package init(_ group: Late<[Value]>, at place: Int) {
        (self.group, self.place) = (group, place)
    }

    /// The value; nil where the group turned out to be shorter.
    package var value: Value? {
        let values = group.value
        return values.indices.contains(place) ? values[place] : nil
    }
}
