extension Population {
    func writeAttachments(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.array("value") { writer in
                for index in 0..<attachments {
                    writer.object { writeAttachment(index, to: &$0) }
                }
            }
        }
    }

    /// Returns the stream of an attachment: readings, a sketch, or a note, by turns.
    func mediaContent(ofAttachment index: Int) -> MediaContent {
        var random = SplitMix64(.attachment, row: index)
        let order = random.below(workOrders)
        return MediaContent(
            entitySet: "Attachments",
            key: attachmentID(index),
            contentType: kind(index).contentType,
            bytes: Array(content(index, workOrderID(order), &random).utf8)
        )
    }

    private func writeAttachment(_ index: Int, to writer: inout JSONWriter) {
        var random = SplitMix64(.attachment, row: index)
        let order = random.below(workOrders)
        let facts = WorkOrderFacts(order, in: self)
        writer.string("@odata.mediaContentType", kind(index).contentType)
        writer.string("ID", attachmentID(index))
        writer.integer("WorkOrderID", workOrderID(order))
        let name = "\(workOrderID(order))-\(index + 1)" + kind(index).suffix
        writer.string("FileName", index == 9 ? "Skizze für Öltank.svg" : name)
        writer.string("Description", index % 3 == 0 ? nil : random.pick(WorkWords.remarks))
        let minute = facts.requestedMinute + random.number(in: 60...9_000)
        writer.string("TakenAt", Formats.instant(minute: minute, offset: 60, tail: ".123"))
        if index % 4 == 1 {
            writer.location("Location", near: Places.town(&random), &random)
        } else {
            writer.string("Location", nil)
        }
    }

    private func kind(_ index: Int) -> (contentType: String, suffix: String) {
        switch index % 3 {
        case 0: ("image/svg+xml", ".svg")
        case 1: ("text/plain;charset=utf-8", ".txt")
        default: ("text/csv", ".csv")
        }
    }

    private func content(_ index: Int, _ order: Int, _ random: inout SplitMix64) -> String {
        switch index {
        // An empty stream, and one of more than a quarter of a mebibyte.
        case 4: return ""
        case 5: return readings(24_000, &random)
        default: break
        }
        switch index % 3 {
        case 0: return sketch(&random)
        case 1: return "Work order \(order)\n\n" + random.pick(WorkWords.remarks) + "\n"
        default: return readings(random.number(in: 10...80), &random)
        }
    }

    private func readings(_ count: Int, _ random: inout SplitMix64) -> String {
        (0..<count).reduce(into: "minute;celsius\r\n") { text, minute in
            text += "\(minute);" + Formats.decimal(random.number(in: 180...760), digits: 1) + "\r\n"
        }
    }

    private func sketch(_ random: inout SplitMix64) -> String {
        let points = (0..<8).map { _ in "\(random.below(200)),\(random.below(120))" }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="200" height="120">\
            <polyline fill="none" stroke="black" points="\(points.joined(separator: " "))"/></svg>
            """
    }
}
