/// A feed that is being read: what stands in JSON behind its entries.
struct AtomFeed {
    var itemCount = 0
    var count: String?
    var nextLink: String?
    var deltaLink: String?
    /// Whether the service has reported an error in place of the rest.
    var isBroken = false
}
