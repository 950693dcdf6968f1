import ODataURL
import ODataModel

/// The binder's place in the segments of a resource path.
struct ResourceWalk {
    /// All segments.
    let segments: [WrittenSegment]
    /// Index of the next one.
    var index = 0
    /// Conditions given as `$filter(…)` segments.
    var filter: BoundExpression?
    /// Type of the property that the path ends with.
    var propertyType: TypeReference?

    init(segments: [WrittenSegment]) {
        self.segments = segments
    }

    /// The next segment.
    var next: WrittenSegment? { after(-1) }

    /// Returns the segment that many places after the next one.
    func after(_ distance: Int) -> WrittenSegment? {
        let place = index + distance + 1
        return place < segments.count ? segments[place] : nil
    }
}
