/// How many rows of each set there are, and which rows belong together.
///
/// Every fact about a row is computed from its number, so that any set can be written without the others.
struct Population {
    /// Multiplier of all row counts, at least 1.
    let scale: Int

    /// Creates a population; a scale below 1 counts as 1.
    init(scale: Int) {
        self.scale = max(1, scale)
    }

    /// Number of technicians.
    var technicians: Int { 60 * scale }
    /// Number of customers.
    var customers: Int { 200 * scale }
    /// Number of sites; each customer has at least one.
    var sites: Int { 300 * scale }
    /// Number of parts.
    var parts: Int { 150 * scale }
    /// Number of work orders.
    var workOrders: Int { 1_500 * scale }
    /// Number of time entries.
    var timeEntries: Int { 1_000 * scale }
    /// Number of attachments.
    var attachments: Int { 40 * scale }

    /// Tasks of neighbouring work orders: two on average, some orders with none.
    private static let taskPattern = [2, 3, 1, 0, 4, 2]

    /// Returns how many tasks a work order has.
    func taskCount(ofWorkOrder index: Int) -> Int {
        Self.taskPattern[index % Self.taskPattern.count]
    }

    /// Returns the key of a technician.
    func technicianID(_ index: Int) -> String {
        var random = SplitMix64(.technicianKey, row: index)
        return random.guid()
    }

    /// Returns the key of a customer.
    func customerID(_ index: Int) -> String {
        "C-" + Formats.padded(index + 1, 5)
    }

    /// Returns the key of a site.
    func siteID(_ index: Int) -> Int { 100 + index }

    /// Returns the customer whom a site belongs to.
    func customer(ofSite index: Int) -> Int {
        if index < customers { return index }
        var random = SplitMix64(.siteOwner, row: index)
        return random.below(customers)
    }

    /// Returns the key of a work order.
    func workOrderID(_ index: Int) -> Int { 1_001 + index }

    /// Returns the key of an attachment.
    func attachmentID(_ index: Int) -> String {
        var random = SplitMix64(.attachmentKey, row: index)
        return random.guid()
    }

    /// Returns the key of a part; some hold characters that a URL must escape.
    func partNumber(_ index: Int) -> String {
        let number = 1_000 + index
        switch index {
        case 40: return "HOSE-3'-\(number)"
        case 77: return "DÜSE-\(number)"
        case 90: return "KIT 12 & 14-\(number)"
        case 101: return "A+B-\(number)"
        case 120: return "50%-\(number)"
        default:
            let prefix = PartWords.kinds[index % PartWords.kinds.count].prefix
            return "\(prefix)-\(number)" + (index % 25 == 7 ? "/B" : "")
        }
    }
}
