package import ODataBinding
import ODataSQL
package import ODataModel

/// A request that a connection has met before, with the plans made for it.
package final class KnownRequest {
    /// The request, bound to the model that the connection's plans belong to.
    package let bound: BoundRequest
    /// The entities that it asks for, nil where it addresses none; computed on first use.
    private var requested: RequestedEntities??
    private var plans: [(form: Form, plan: LevelPlan)] = []

    /// What plans of one request differ in.
    private struct Form: Equatable {
        var format: AnswerFormat
        var pageSize: Int?
        /// The table of the lists whose rows answer; nil where the request chooses them.
        var list: String?
    }

    /// A client asks for one thing in one form; more forms than these are not kept.
    private static let maximumPlans = 4

    /// Takes a request.
    package init(_ bound: BoundRequest) {
        self.bound = bound
    }

    /// Returns the entities that it asks for; nil where it addresses none.
    ///
    /// - Parameter model: The model that the request is bound to.
    package func entities(in model: @autoclosure () -> EdmModel) -> RequestedEntities? {
        if let requested { return requested }
        let made = RequestedEntities(bound, in: model())
        requested = .some(made)
        return made
    }

    /// Returns the plan for a form of the answer, made by the function the first time.
    func plan(
        _ format: AnswerFormat,
        pageSize: Int?,
        list: String? = nil,
        make: () throws -> LevelPlan
    ) rethrows -> LevelPlan {
        let form = Form(format: format, pageSize: pageSize, list: list)
        if let known = plans.first(where: { $0.form == form }) { return known.plan }
        let plan = try make()
        if plans.count < Self.maximumPlans, !plan.statement.isMomentary {
            plans.append((form, plan))
        }
        return plan
    }
}
