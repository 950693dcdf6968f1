/// What one query brings in one download.
struct SeamPage {
    var query: String
    var isDelta: Bool
    var text: String
    /// Whether the read did not come to its end.
    var isIncomplete = false
}
