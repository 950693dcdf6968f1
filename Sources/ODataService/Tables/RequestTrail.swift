import ODataAnswers
import ODataModel
import ODataSQL
import ODataTables
import ODataValues

/// Which request of a change set has made rows what they are: a fault that is found at the end is answered with that request.
struct RequestTrail {
    private struct Step {
        var request: Int
        /// The noted columns before the request, by their places; nil where it created the row.
        var before: [Int: Scalar]?
    }

    /// The request that is carried out, by its place; nil outside of a change set.
    var request: Int?
    private var steps: [RowReference: [Step]] = [:]
    private var ends: [RowReference: [NavigationPropertyID: Int]] = [:]

    /// Whether the request that is carried out changes a row for the first time.
    func isFirstChange(of entity: RowReference) -> Bool {
        request != nil && steps[entity]?.last?.request != request
    }

    /// Notes a row before the request changes it, or one that it has created.
    mutating func note(_ entity: RowReference, before: [Int: Scalar]?) {
        guard let request, isFirstChange(of: entity) else { return }
        steps[entity, default: []].append(Step(request: request, before: before))
    }

    /// Notes that the request has ended a relation.
    mutating func noteEnd(of navigation: NavigationPropertyID, of entity: RowReference) {
        if let request { ends[entity, default: [:]][navigation] = request }
    }

    /// The last request that gave columns the values that they have.
    func setter(of present: [Int: Scalar], of entity: RowReference) -> Int? {
        steps[entity]?.last { step in
            guard let before = step.before else { return true }
            return present.contains { before[$0.key] != $0.value }
        }?.request
    }

    /// The request that left an entity without a related one: it ended the relation or created the entity.
    func ender(of navigation: NavigationPropertyID, of entity: RowReference) -> Int? {
        ends[entity]?[navigation] ?? steps[entity]?.first { $0.before == nil }?.request
    }

    /// The error with the request that caused it, where that is known.
    static func blamed(_ error: any Error, on request: Int?) -> any Error {
        request.map { DeferredFault(request: $0, cause: error) } ?? error
    }
}
