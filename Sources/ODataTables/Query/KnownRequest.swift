package import ODataProtocol

/// A request that a connection has met before, with the plans made for it.
package final class KnownRequest {
    /// The request, bound to the model that the connection's plans belong to.
    package let bound: BoundRequest
    private var plans: [(format: AnswerFormat, pageSize: Int?, plan: LevelPlan)] = []

    /// A client asks for one thing in one form; more forms than these are not kept.
    private static let maximumPlans = 4

    /// Takes a request.
    package init(_ bound: BoundRequest) {
        self.bound = bound
    }

    /// Returns the plan for a form of the answer, made by the function the first time.
    func plan(
        _ format: AnswerFormat,
        pageSize: Int?,
        _ make: () throws -> LevelPlan
    ) rethrows -> LevelPlan {
        if let known = plans.first(where: { $0.format == format && $0.pageSize == pageSize }) {
            return known.plan
        }
        let plan = try make()
        if plans.count < Self.maximumPlans, !plan.statement.isMomentary {
            plans.append((format, pageSize, plan))
        }
        return plan
    }
}
