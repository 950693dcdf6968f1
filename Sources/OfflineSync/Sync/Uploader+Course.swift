import ODataClient
import OfflineValues
import ODataHTTP
import ODataModel
import ODataTables
import OfflineStore
import StoreUpload

extension Uploader {
    /// What changes from round to round.
    package struct Course: Sendable {
        /// Whether several requests go as one batch.
        var isBatching: Bool
        /// Whether the service takes no batches.
        var noBatch: NoBatch?
        /// Whether the service has answered a batch.
        var hasBatched = false
        /// Whether the last batch answered every request, and nothing kept others from being sent.
        var isSmooth = false
        let categories: Set<String>?
        /// The settings, with another format where the service does not take the first.
        var settings: UploadSettings
        /// How many requests go as one batch.
        var pace: BatchPace
        /// Formats of batches that the service has refused.
        var refusedFormats: Set<BatchFormat> = []
        /// Answers of the last round, all of them successes, that are not written down yet.
        var unrecorded: [UnitAnswer] = []
        /// The attempts until something is settled again.
        let budget: RetryBudget
        var result = OfflineODataUploadResult()
        private let calls = UnboundCalls()
        /// Rows whose key the service was asked for.
        var asked: Set<Int64> = []
        /// The newest request that the upload sends: who goes on changing must not keep it from ending.
        var newest = Int64.max
        /// Whether what has come meanwhile is being sent, too.
        var isExtended = false

        /// Goes on with what has come meanwhile, once; answers whether there may be anything.
        mutating func extend(newest: Int64) -> Bool {
            guard !isExtended, newest > self.newest else { return false }
            (isExtended, self.newest) = (true, newest)
            return true
        }

        /// Takes in how long the answers to a round took.
        mutating func note(_ answerTime: Duration, of round: UploadRound) {
            guard round.isBatch else { return }
            pace.note(answerTime: answerTime, requestCount: round.requestIDs.count)
        }

        /// Goes on with smaller batches, at last without.
        mutating func shrinkBatches(below round: UploadRound) {
            if round.units.count > 1 {
                pace.refuse(requestCount: round.requestIDs.count)
            } else {
                isBatching = false
            }
        }

        /// Goes on with the other format of batches, where the service may take that, else without batches.
        mutating func changeFormat(after error: OfflineODataError, mayTakeJSON: Bool) {
            refusedFormats.insert(settings.batchFormat)
            let other = settings.batchFormat == .json ? BatchFormat.multipart : .json
            guard !refusedFormats.contains(other), other == .multipart || mayTakeJSON else {
                isBatching = false
                noBatch = NoBatch(status: error.httpStatus)
                return
            }
            settings.batchFormat = other
        }

        package func choice(isHeldBack: Bool) -> RoundChoice {
            RoundChoice(
                limit: isBatching ? pace.size : 1,
                byteLimit: settings.batchBytes,
                categories: categories,
                newest: newest,
                isBatching: isBatching,
                noBatch: noBatch,
                isRepeatable: settings.isRepeatable,
                isHeldBack: isHeldBack,
                // What one JSON batch holds may be carried out in any order (OData JSON 4.01 § 19.1).
                isOrderKept: settings.batchFormat == .multipart,
                calls: calls
            )
        }
    }

    /// Returns how an upload begins.
    package func course(of categories: Set<String>?) async throws -> Course {
        let hasBatches = try await store.schema().model.isBatchSupported ?? true
        return Course(
            isBatching: hasBatches,
            noBatch: hasBatches ? nil : NoBatch(),
            categories: categories,
            settings: settings,
            pace: BatchPace(limit: settings.batchSize),
            budget: client.budget()
        )
    }
}
