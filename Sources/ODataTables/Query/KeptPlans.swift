import ODataSQLite

/// Requests translated before, kept beside the connection that runs their statements.
final class KeptPlans {
    /// Those of a connection that only reads.
    var requests: PlanCache?
    /// Reads of single entities.
    var singles: SinglePlans?
}

extension SQLiteConnection {
    /// Requests translated before, for a connection that only reads.
    package var plans: PlanCache? {
        get { keptPlans.requests }
        set { keptPlans.requests = newValue }
    }

    var keptPlans: KeptPlans {
        if let known = companion as? KeptPlans { return known }
        let plans = KeptPlans()
        companion = plans
        return plans
    }
}
