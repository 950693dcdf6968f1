/// Errors are equal where they say the same; the error below one, and what a download did besides, do not count.
extension OfflineODataError: Hashable {
    /// Whether two errors say the same.
    public static func == (left: Self, right: Self) -> Bool {
        left.category == right.category && left.code == right.code && left.place == right.place
            && left.message == right.message && left.details == right.details
            && left.httpStatus == right.httpStatus
    }

    /// Feeds what makes errors equal.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(category)
        hasher.combine(code)
        hasher.combine(message)
    }
}
