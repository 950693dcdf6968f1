extension Population {
    func writeParts(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.array("value") { writer in
                for index in 0..<parts {
                    writer.object { writePart(index, to: &$0) }
                }
            }
        }
    }

    private func writePart(_ index: Int, to writer: inout JSONWriter) {
        var random = SplitMix64(.part, row: index)
        let kind = PartWords.kinds[index % PartWords.kinds.count]
        writer.string("Number", partNumber(index))
        writer.string("Name", kind.name + " " + random.pick(PartWords.sizes))
        let description = random.pick(PartWords.descriptions)
        writer.string("Description", random.happens(percent: 40) ? nil : description)
        writer.number("UnitPrice", Formats.money(cents: random.number(in: 15...89_900)))
        writer.integer("InStock", index == 31 ? Int(Int32.min) : random.below(220))
        writer.integer("Barcode", barcode(index, &random))
        let grams = random.number(in: 2...18_000)
        writer.number("Weight", index % 19 == 2 ? nil : Formats.decimal(grams, digits: 3))
        let isHazardous = kind.prefix == "BAT" ? true : random.happens(percent: 20) ? nil : false
        writer.boolean("IsHazardous", isHazardous)
        let day = random.number(in: 8_000...9_600)
        writer.string("DiscontinuedOn", random.happens(percent: 85) ? nil : Formats.date(day: day))
        let icon = (0..<random.below(12)).map { _ in UInt8(random.below(256)) }
        writer.string("Icon", random.happens(percent: 60) ? nil : Formats.base64(icon))
    }

    private func barcode(_ index: Int, _ random: inout SplitMix64) -> Int? {
        switch index {
        case 15: Int(Int64.max)
        case 16: Int(Int64.min)
        default:
            random.happens(percent: 20)
                ? nil : random.number(in: 4_000_000_000_000...4_999_999_999_999)
        }
    }
}
