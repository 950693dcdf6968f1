/// What other sets need to know of a work order.
struct WorkOrderFacts {
    /// Number of the site.
    let site: Int
    /// Number of the technician; nil while the work order is unassigned.
    let technician: Int?
    /// When it was asked for, in minutes after 2000-01-01.
    let requestedMinute: Int
    /// Name of the member of `Status`.
    let status: String
    /// Whether it is an emergency.
    let isEmergency: Bool

    /// Computes the facts of a work order.
    init(_ index: Int, in population: Population) {
        var random = SplitMix64(.workOrder, row: index)
        site = random.below(population.sites)
        let assigned = random.below(population.technicians)
        requestedMinute = 1_440 * random.number(in: 8_950...9_650) + random.number(in: 300...1_380)
        isEmergency = random.happens(percent: 8)
        let share = random.below(100)
        switch share {
        case 0..<25: status = "Open"
        case 25..<45: status = "Scheduled"
        case 45..<60: status = "InProgress"
        case 60..<67: status = "OnHold"
        case 67..<96: status = "Done"
        default: status = "Cancelled"
        }
        technician = share < 20 ? nil : assigned
    }

    /// Whether the work is over.
    var isDone: Bool { status == "Done" }
}
