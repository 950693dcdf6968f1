extension Population {
    func writeWorkOrders(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.array("value") { writer in
                for index in 0..<workOrders {
                    writer.object { writeWorkOrder(index, to: &$0) }
                }
            }
        }
    }

    private func writeWorkOrder(_ index: Int, to writer: inout JSONWriter) {
        let facts = WorkOrderFacts(index, in: self)
        var random = SplitMix64(.workOrderText, row: index)
        if facts.isEmergency { writer.string("@odata.type", "#FieldService.EmergencyWorkOrder") }
        writer.integer("ID", workOrderID(index))
        writer.string("Title", title(&random))
        writer.string("Description", description(index, &random))
        writer.string("Priority", priority(facts, &random))
        writer.string("Status", facts.status)
        writer.string("CustomerID", customerID(customer(ofSite: facts.site)))
        writer.integer("SiteID", siteID(facts.site))
        writer.string("AssignedToID", facts.technician.map(technicianID))
        writeTimes(index, facts, &random, to: &writer)
        writeAmounts(index, &random, to: &writer)
        writer.strings("Tags", WorkWords.tags.filter { _ in random.happens(percent: 12) })
        writer.string(
            "ChangedAt",
            Formats.instant(minute: facts.requestedMinute + 60, tail: ".250")
        )
        if facts.isEmergency { writeEmergency(&random, to: &writer) }
        writeRequiredParts(&random, to: &writer)
    }

    private func title(_ random: inout SplitMix64) -> String {
        let words = [WorkWords.verbs, WorkWords.objects, WorkWords.places]
        return words.map { random.pick($0) }.joined(separator: " ")
    }

    private func description(_ index: Int, _ random: inout SplitMix64) -> String? {
        if index % 250 == 99 { return "" }
        if random.happens(percent: 30) { return nil }
        return (0...random.below(3)).map { _ in random.pick(WorkWords.remarks) }
            .joined(separator: "\n")
    }

    private func priority(_ facts: WorkOrderFacts, _ random: inout SplitMix64) -> String {
        if facts.isEmergency { return "Urgent" }
        return random.pick(["Low", "Normal", "Normal", "Normal", "High", "Urgent"])
    }

    private func writeTimes(
        _ index: Int,
        _ facts: WorkOrderFacts,
        _ random: inout SplitMix64,
        to writer: inout JSONWriter
    ) {
        let offset = random.pick([
            0, 0, 0, 60, 60, 60, 120, 120, 120, -300, 330, random.pick([-210, 840]),
        ])
        let tail = "." + Formats.padded(random.below(1_000), 3)
        let requested = Formats.instant(minute: facts.requestedMinute, offset: offset, tail: tail)
        writer.string("RequestedAt", requested)
        writer.string("DueAt", dueAt(index, facts, &random))
        let day = facts.requestedMinute / 1_440 + random.number(in: 1...14)
        writer.string("ScheduledOn", facts.status == "Open" ? nil : Formats.date(day: day))
        let effort = 15 * random.number(in: 0...40)
        let isUnknown = random.happens(percent: 10)
        writer.string("EstimatedEffort", isUnknown ? nil : Formats.duration(minutes: effort))
    }

    private func dueAt(
        _ index: Int,
        _ facts: WorkOrderFacts,
        _ random: inout SplitMix64
    ) -> String? {
        switch index {
        case 200: "9999-12-31T23:59:59Z"
        case 201: "0001-01-01T00:00:00Z"
        default:
            random.happens(percent: 20)
                ? nil
                : Formats.instant(minute: facts.requestedMinute + 60 * random.number(in: 2...400))
        }
    }

    private func writeAmounts(
        _ index: Int,
        _ random: inout SplitMix64,
        to writer: inout JSONWriter
    ) {
        let cents = random.number(in: 4_500...480_000)
        let isOpen = random.happens(percent: 35)
        switch index {
        case 300: writer.number("Price", "9999999999.99")
        case 301: writer.number("Price", "-9999999999.99")
        case 302: writer.number("Price", "0")
        default: writer.number("Price", isOpen ? nil : Formats.money(cents: cents))
        }
        let discount = Formats.decimal(random.below(40) * 5, digits: 3)
        writer.number("Discount", random.happens(percent: 70) ? nil : discount)
        writer.boolean("IsBillable", random.happens(percent: 85))
        writer.string("ExternalReference", random.happens(percent: 70) ? nil : random.guid())
    }

    private func writeEmergency(_ random: inout SplitMix64, to writer: inout JSONWriter) {
        writer.string("Hazard", random.pick(WorkWords.hazards))
        writer.integer("Severity", random.number(in: 1...5))
        writer.string("RespondWithin", Formats.duration(minutes: 15 * random.number(in: 2...16)))
        writer.string("CallbackPhone", random.happens(percent: 20) ? nil : People.phone(&random))
    }

    private func writeRequiredParts(_ random: inout SplitMix64, to writer: inout JSONWriter) {
        let count = max(0, random.number(in: -2...3))
        if count == 0 { return }
        // Steps of a seventh of all parts, so that no part is named twice.
        let first = random.below(parts)
        writer.strings(
            "RequiredParts@odata.bind",
            (0..<count).map { offset in
                let part = partNumber((first + offset * (parts / 7)) % parts)
                return "Parts(\(Formats.urlKey(part)))"
            }
        )
    }
}
