import ODataModel

/// Plans by which one transaction reads single entities of a set that it has changed: each is made once, however many entities
/// follow.
package final class RowPlans {
    private var plans: [Place: LevelPlan] = [:]
    /// The number of the file's schema that the plans were made for: a transaction may make tables.
    private var tablesVersion: Int64?

    private struct Place: Hashable {
        var source: NavigationSource
        var format: AnswerFormat
    }

    /// Begins without plans.
    package init() {}

    /// Returns the plan of one row with all of its properties, made by the function the first time; its value is the row's number.
    func plan(
        of source: NavigationSource,
        format: AnswerFormat,
        tablesVersion: Int64?,
        make: () throws -> LevelPlan
    ) rethrows -> LevelPlan {
        if tablesVersion != self.tablesVersion {
            plans = [:]
            self.tablesVersion = tablesVersion
        }
        let place = Place(source: source, format: format)
        if let known = plans[place] { return known }
        let plan = try make()
        plans[place] = plan
        return plan
    }
}
