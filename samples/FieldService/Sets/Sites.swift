extension Population {
    func writeSites(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.array("value") { writer in
                for index in 0..<sites {
                    writer.object { writeSite(index, to: &$0) }
                }
            }
        }
    }

    private func writeSite(_ index: Int, to writer: inout JSONWriter) {
        var random = SplitMix64(.site, row: index)
        let customer = customer(ofSite: index)
        writer.integer("ID", siteID(index))
        writer.string("CustomerID", customerID(customer))
        writer.string("Name", random.pick(CompanyWords.siteNames))
        // A customer's first site is where the customer is.
        writer.address("Address", row: index < customers ? index : index + 1_000_000)
        writer.number("FloorArea", floorArea(index, &random))
        let opens = random.happens(percent: 30) ? nil : 30 * random.number(in: 10...18)
        writer.string("OpensAt", opens.map(Formats.timeOfDay(minute:)))
        writer.string("ClosesAt", opens.map { Formats.timeOfDay(minute: $0 + 540) })
        let travel = random.happens(percent: 5) ? nil : 5 * random.number(in: 0...24)
        writer.string("TravelTime", travel.map(Formats.duration(minutes:)))
        writeDynamicProperties(&random, to: &writer)
    }

    private func floorArea(_ index: Int, _ random: inout SplitMix64) -> String? {
        switch index {
        case 50: "1.7976931348623157E308"
        case 51: "5E-324"
        case 52: "-0.0"
        case 53: "\"INF\""
        default:
            random.happens(percent: 10)
                ? nil : Formats.decimal(random.number(in: 350...98_000), digits: 1)
        }
    }

    /// The type is open: what a technician should know of one site and not of another.
    private func writeDynamicProperties(_ random: inout SplitMix64, to writer: inout JSONWriter) {
        if random.happens(percent: 20) {
            writer.string("GateCode", Formats.padded(random.below(10_000), 4) + "#")
        }
        if random.happens(percent: 15) { writer.integer("Floors", random.number(in: 1...32)) }
        if random.happens(percent: 15) { writer.boolean("HasLift", random.happens(percent: 50)) }
        if random.happens(percent: 5) {
            writer.string("SurveyedOn@odata.type", "#Date")
            writer.string("SurveyedOn", Formats.date(day: random.number(in: 8_000...9_300)))
        }
    }
}
