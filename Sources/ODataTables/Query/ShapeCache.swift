import ODataSQL
import ODataValues
import ODataModel
import Synchronization

/// Shapes of rows that have been worked out: requests that differ in what they filter and order share them.
package final class ShapeCache: Sendable {

    package init() {}
    /// More are not kept: a client asks for few selections in few forms.
    static let maximumCount = 256

    private let shapes = Mutex<[Key: RowShape]>([:])

    /// What a shape without computed values depends on besides the layout.
    struct Key: Hashable {
        var source: NavigationSource
        var type: StructuredTypeID
        var places: [Int]
        var selections: [Int: MemberSelection] = [:]
        var format: AnswerFormat
    }

    /// How many are kept.
    var count: Int { shapes.guarded { $0.count } }

    /// Returns a shape, made by the closure the first time.
    func shape(_ key: Key, make: () -> RowShape) -> RowShape {
        if let known = shapes.guarded({ $0[key] }) { return known }
        let made = make()
        shapes.guarded { shapes in
            if shapes.count >= Self.maximumCount { shapes = [:] }
            shapes[key] = made
        }
        return made
    }
}

extension Layout {
    /// Shapes of the tables' rows.
    var shapes: ShapeCache { companion.value { ShapeCache() } }
}
