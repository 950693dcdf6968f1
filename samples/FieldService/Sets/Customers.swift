extension Population {
    func writeCustomers(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.array("value") { writer in
                for index in 0..<customers {
                    writer.object { writeCustomer(index, to: &$0) }
                }
            }
        }
    }

    private func writeCustomer(_ index: Int, to writer: inout JSONWriter) {
        var random = SplitMix64(.customer, row: index)
        writer.string("ID", customerID(index))
        writer.string("Name", CompanyWords.name(&random))
        writer.string("Email", index % 13 == 4 ? nil : People.email("office", index + 1))
        writer.string("Phone", index == 21 ? "" : People.phone(&random))
        writer.address("Address", row: index)
        if random.happens(percent: 25) {
            writer.address("BillingAddress", row: index + 500_000)
        } else {
            writer.string("BillingAddress", nil)
        }
        writer.number("CreditLimit", creditLimit(index, &random))
        writer.string("Since", index == 60 ? "1868-02-29" : Formats.date(day: random.below(9_300)))
        writer.strings("Tags", CompanyWords.tags.filter { _ in random.happens(percent: 20) })
        writer.string("Notes", notes(index, &random))
        writeContacts(ofCustomer: index, &random, to: &writer)
    }

    private func creditLimit(_ index: Int, _ random: inout SplitMix64) -> String? {
        switch index {
        case 5: "9999999999.99"
        case 6: "0.00"
        case 7: "-0.01"
        default:
            random.happens(percent: 10)
                ? nil : Formats.money(cents: 50_000 * random.number(in: 1...400))
        }
    }

    private func notes(_ index: Int, _ random: inout SplitMix64) -> String? {
        switch index {
        case 2: ""
        // The same word composed and decomposed: two different strings to OData.
        case 11: "Cafe\u{301} im Hof"
        case 12: "Café im Hof"
        case 33: "Tab\there, quote \" and backslash \\, 𝄞 and 👩🏽‍🔧"
        default: random.happens(percent: 60) ? nil : random.pick(WorkWords.remarks)
        }
    }

    private func writeContacts(
        ofCustomer index: Int,
        _ random: inout SplitMix64,
        to writer: inout JSONWriter
    ) {
        let count = index == 19 ? 0 : random.number(in: 1...3)
        writer.array("Contacts") { writer in
            for number in 1...max(1, count) where number <= count {
                writer.object { writer in
                    writer.integer("ID", number)
                    writer.string("Name", People.name(&random))
                    let role = random.pick(CompanyWords.roles)
                    writer.string("Role", random.happens(percent: 15) ? nil : role)
                    writer.string("Email", People.email("contact", index * 10 + number))
                    writer.string("Phone", number == 1 ? People.phone(&random) : nil)
                    writer.boolean("IsPrimary", number == 1)
                }
            }
        }
    }
}
