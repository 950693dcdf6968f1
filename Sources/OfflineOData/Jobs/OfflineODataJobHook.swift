/// A program that a job wants to have run for a store.
public struct OfflineODataJobHook: Sendable, Hashable {
    /// When it runs.
    public enum Moment: String, Sendable, Hashable {
        /// Before the first step.
        case before
        /// After the last step of a store that is done.
        case after
        /// For a store that was not done.
        case failed
    }

    /// When it runs.
    public var moment: Moment
    /// The program and its arguments.
    public var words: [String]
    /// The job's name.
    public var job: String
    /// The store's file.
    public var storeFile: String
    /// What became of the store; nil before the first step.
    public var outcome: OfflineODataJobOutcome?

    /// Variables for the environment of the program.
    public var environment: [String: String] {
        var variables = [
            "OFFLINE_ODATA_JOB": job, "OFFLINE_ODATA_STORE": storeFile,
            "OFFLINE_ODATA_HOOK": moment.rawValue,
        ]
        variables["OFFLINE_ODATA_STATUS"] = outcome?.status.rawValue
        variables["OFFLINE_ODATA_MESSAGE"] = outcome?.failure?.message
        return variables
    }
}
