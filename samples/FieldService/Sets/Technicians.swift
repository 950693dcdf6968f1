extension Population {
    /// Leaders come first; everybody else reports to one of them.
    private var leaders: Int { max(1, technicians / 10) }

    func writeTechnicians(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.array("value") { writer in
                for index in 0..<technicians {
                    writer.object { writeTechnician(index, to: &$0) }
                }
            }
        }
    }

    private func writeTechnician(_ index: Int, to writer: inout JSONWriter) {
        var random = SplitMix64(.technician, row: index)
        writer.string("ID", technicianID(index))
        writer.string("Name", People.name(&random))
        writer.string("Email", index % 17 == 5 ? nil : People.email("tech", index + 1))
        writer.string("Phone", index == 8 ? "" : People.phone(&random))
        writer.string("HiredOn", Formats.date(day: random.number(in: 0...9_200)))
        writer.string("ShiftStart", shiftStart(&random))
        writer.number("HourlyRate", Formats.money(cents: random.number(in: 3_800...9_900)))
        writer.string("Skills", skills(index, &random))
        writer.strings("Certificates", certificates(&random))
        writer.boolean("IsActive", !random.happens(percent: 8))
        let supervisor = index < leaders ? nil : technicianID(random.below(leaders))
        writer.string("SupervisorID", supervisor)
    }

    private func shiftStart(_ random: inout SplitMix64) -> String? {
        if random.happens(percent: 15) { return nil }
        return Formats.timeOfDay(minute: 30 * random.number(in: 10...44))
    }

    private func skills(_ index: Int, _ random: inout SplitMix64) -> String {
        let all = ["Electrical", "Plumbing", "Heating", "Cooling", "Lifts", "Networks"]
        if index == 3 { return all.joined(separator: ",") }
        let some = all.filter { _ in random.happens(percent: 30) }
        return some.isEmpty ? "None" : some.joined(separator: ",")
    }

    private func certificates(_ random: inout SplitMix64) -> [String] {
        WorkWords.certificates.filter { _ in random.happens(percent: 35) }
    }
}
