/// How many requests a batch holds: as many as the settings allow, fewer where an answer takes long.
///
/// What is between here and the service ends a connection that says nothing for a minute or less, and with it the answer to a whole
/// batch is lost. So a service that needs long for its requests gets fewer of them at once.
struct BatchPace: Sendable {
    /// Where an answer takes longer, the next batches are half as large.
    static let slow = Duration.seconds(15)
    /// Where it takes less, they are twice as large again.
    static let quick = Duration.seconds(3)

    /// Requests in the next batch, at most.
    private(set) var size: Int
    /// Requests in any batch, at most: what the settings allow, or less where the service has refused so many.
    private var limit: Int

    init(limit: Int) {
        self.limit = limit
        size = limit
    }

    /// Takes in how long the answer to a batch took.
    mutating func note(answerTime: Duration, requestCount: Int) {
        if answerTime > Self.slow {
            size = max(1, min(size, requestCount / 2))
        } else if answerTime < Self.quick, requestCount >= size {
            size = min(limit, size * 2)
        }
    }

    /// Takes in that a service has refused so many requests at once.
    mutating func refuse(requestCount: Int) {
        limit = max(1, min(size, requestCount) / 2)
        size = limit
    }
}
