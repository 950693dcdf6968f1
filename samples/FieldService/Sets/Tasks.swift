extension Population {
    func writeTasks(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.array("value") { writer in
                var id = 0
                for order in 0..<workOrders {
                    let facts = WorkOrderFacts(order, in: self)
                    for position in 0..<taskCount(ofWorkOrder: order) {
                        id += 1
                        writer.object { writeTask(id, position, order, facts, to: &$0) }
                    }
                }
            }
        }
    }

    private func writeTask(
        _ id: Int,
        _ position: Int,
        _ order: Int,
        _ facts: WorkOrderFacts,
        to writer: inout JSONWriter
    ) {
        var random = SplitMix64(.task, row: id)
        let isDone = facts.isDone || facts.status == "InProgress" && position == 0
        let minutes = 5 * random.number(in: 1...30)
        let done = Formats.instant(minute: facts.requestedMinute + 1_440 + minutes, tail: ".5")
        writer.integer("ID", id)
        writer.integer("WorkOrderID", workOrderID(order))
        writer.integer("Position", id == 700 ? Int(Int16.max) : position + 1)
        writer.string("Title", random.pick(WorkWords.steps))
        let notes = random.pick(WorkWords.remarks)
        writer.string("Notes", id % 400 == 8 ? "" : random.happens(percent: 75) ? nil : notes)
        writer.boolean("IsDone", isDone)
        writer.string("DoneAt", isDone ? done : nil)
        let isUnknown = random.happens(percent: 20)
        writer.string("Effort", isUnknown ? nil : Formats.duration(minutes: minutes))
    }
}
