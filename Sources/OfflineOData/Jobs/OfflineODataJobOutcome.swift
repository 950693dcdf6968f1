public import OfflineProvider

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What became of one store of a job.
public struct OfflineODataJobOutcome: Sendable, Hashable {
    /// How the work on a store ended.
    public enum Status: String, Sendable, Hashable, CaseIterable {
        /// Every step was carried out.
        case done
        /// Every step was carried out, and the error archive holds changes that the service has refused, in this upload or before.
        case refused
        /// The service could not be reached, or another process synchronised the store.
        case unreachable
        /// A step failed for another reason.
        case failed
    }

    /// What became of one step.
    public struct Step: Sendable, Hashable {
        /// The step's name.
        public var name: String
        /// When it was last carried out.
        public var finished: Date
        /// How long it took.
        public var duration: Duration
        /// Amounts by their names, such as `entities` or `carriedOut`.
        public var counts: [String: Int]
        /// Whether it was not due this time; the other members are those of the last time.
        public var isSkipped = false
    }

    /// The step that ended the work, and why.
    public struct Failure: Sendable, Hashable {
        /// The step's name, or `before` for a hook and `prepare` for what comes before the first step.
        public var step: String
        /// The name of the error's category.
        public var category: String
        /// What happened and what to do.
        public var message: String
    }

    /// Path of the store as the job names it.
    public var store: String
    /// How it ended.
    public var status: Status
    /// How often it was tried.
    public var attempts: Int
    /// When the work began.
    public var started: Date
    /// How long it took, with the pauses between the attempts.
    public var duration: Duration
    /// The steps that were carried out, in order.
    public var steps: [Step]
    /// Requests that the service has refused, in this upload or before, and that wait for a decision; empty where no upload was due.
    public var refusedRequestIDs: [OfflineODataRequest.ID] = []
    /// Whether the store's file was removed after its upload.
    public var isCleared = false
    /// Why it was not done; nil where it was.
    public var failure: Failure?

    /// When the work ended.
    public var finished: Date { started.addingTimeInterval(duration / .seconds(1)) }

    /// Whether nothing is left to do.
    public var isFinished: Bool { status == .done || status == .refused }
}
