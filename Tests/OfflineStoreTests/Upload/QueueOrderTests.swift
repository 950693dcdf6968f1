import StoreRecords
import Testing

@testable import StoreUpload

/// Which requests may stand beside each other where calls keep their place in the order.
@Suite struct QueueOrderTests {
    /// `c` a change, `A` a call, `s` a stream; in brackets what is one transaction.
    private static func units(_ text: String) -> [[QueueEntry]] {
        var (units, id, isOpen) = ([[QueueEntry]](), Int64(0), false)
        for letter in text {
            if letter == "[" { units.append([]) }
            if letter == "[" || letter == "]" {
                isOpen = letter == "["
                continue
            }
            id += 1
            let entry = QueueEntry(
                id: id,
                status: .pending,
                method: letter == "A" ? "POST" : "PATCH",
                url: letter == "A" ? "Close" : "Orders(\(id))",
                stream: letter == "s" ? id : nil,
                flags: letter == "A" ? .operation : [],
                dependsOn: []
            )
            if isOpen { units[units.count - 1].append(entry) } else { units.append([entry]) }
        }
        return units
    }

    private static func chosen(_ text: String, isKept: Bool, without left: Int? = nil) -> String {
        var order = QueueOrder()
        let units = units(text)
        for entry in units.joined() {
            order.append(entry.id, isCall: entry.isUnboundCall, isSent: false)
        }
        var chosen = ""
        for (index, unit) in units.enumerated() where index != left {
            guard order.allows(unit, isKept: isKept) else { continue }
            order.choose(unit)
            chosen += "\(index)"
        }
        return chosen
    }

    /// What goes in one message whose requests are carried out in order, and in one whose are not.
    @Test(arguments: [
        ("ccc", "012", "012"), ("cAc", "012", "0"), ("Acc", "012", "0"), ("AA", "01", "0"),
        ("csAc", "01", "01"), ("sA", "0", "0"), ("As", "01", "0"), ("[cA]c", "01", "0"),
        ("c[cA]c", "012", "0"),
    ])
    func choosesWhatKeepsTheOrder(_ queue: String, _ kept: String, _ free: String) {
        #expect(Self.chosen(queue, isKept: true) == kept)
        #expect(Self.chosen(queue, isKept: false) == free)
    }

    /// One request is at the service, or cannot go now.
    @Test(arguments: [
        ("cAc", 0, ""), ("ccAc", 1, "0"), ("Acc", 0, ""), ("cAc", 1, "0"), ("cccA", 3, "012"),
        ("AcA", 2, "01"), ("[cA]c", 0, ""),
    ])
    func waitsForWhatIsNotThere(_ queue: String, _ left: Int, _ chosen: String) {
        #expect(Self.chosen(queue, isKept: true, without: left) == chosen)
    }

    @Test(arguments: [
        ("Close", true), ("Close?ID=1", true), ("Close(ID=1)", true), ("Close(N='a/b')", true),
        ("Orders/Shop.Close", true),
        ("Orders(1)/Shop.Close", false), ("Orders(1)/Items/Shop.Close", true),
        ("Orders(1)/Shop.Close()", false),
    ])
    func knowsWhatIsBoundToAnEntity(_ url: String, _ isUnbound: Bool) {
        let entry = QueueEntry(
            id: 1,
            status: .pending,
            method: "POST",
            url: url,
            flags: .operation,
            dependsOn: []
        )
        #expect(entry.isUnboundCall == isUnbound)
    }
}
