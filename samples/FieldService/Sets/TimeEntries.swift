extension Population {
    func writeTimeEntries(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.array("value") { writer in
                for index in 0..<timeEntries {
                    writer.object { writeTimeEntry(index, to: &$0) }
                }
            }
        }
    }

    private func writeTimeEntry(_ index: Int, to writer: inout JSONWriter) {
        var random = SplitMix64(.timeEntry, row: index)
        var keys = SplitMix64(.timeEntryKey, row: index)
        let order = random.below(workOrders)
        let facts = WorkOrderFacts(order, in: self)
        let technician = facts.technician ?? random.below(technicians)
        writer.string("ID", keys.guid())
        writer.integer("WorkOrderID", workOrderID(order))
        writer.string("TechnicianID", technicianID(technician))
        let activity = random.pick(["Work", "Work", "Work", "Travel", "Waiting"])
        writer.string("Activity", activity)
        let start = facts.requestedMinute + 60 * random.number(in: 12...240)
        let offset = random.pick([0, 60, 120])
        writer.string("StartedAt", Formats.instant(minute: start, offset: offset))
        writer.string("Duration", duration(index, &random))
        writer.number("Distance", activity == "Travel" ? distance(index, &random) : nil)
        let cents = random.number(in: 3_800...9_900)
        writer.number("Rate", random.happens(percent: 25) ? nil : Formats.money(cents: cents))
        writer.boolean("IsApproved", random.pick([true, true, false, nil]))
        let comment = random.pick(WorkWords.comments)
        writer.string("Comment", index == 44 ? "" : random.happens(percent: 60) ? nil : comment)
    }

    private func duration(_ index: Int, _ random: inout SplitMix64) -> String {
        switch index {
        case 70: "PT0S"
        // A correction of an entry that was too long.
        case 71: "-PT1H15M"
        case 72: "P2DT30M"
        default: Formats.duration(minutes: 5 * random.number(in: 1...96))
        }
    }

    private func distance(_ index: Int, _ random: inout SplitMix64) -> String {
        // Halves are exact in Edm.Single.
        Formats.decimal(random.number(in: 1...360) * 5, digits: 1)
    }
}
