import FuzzSupport
import ODataModel
import ODataProtocol

/// A payload of any bytes, read whole and cut into two at each input's own place, says the same both times.
@main
struct FuzzPayload {
    static func main() {
        unsafe FuzzDriver.run { start, count in
            let bytes = unsafe FuzzInput.bytes(start, count)
            for model in FuzzModel.models {
                let whole = read(bytes, cutAt: 0, model)
                let cut = read(bytes, cutAt: Int(bytes.first ?? 0) % (bytes.count + 1), model)
                precondition(whole == cut, "what a payload says depends on its pieces")
            }
            return 0
        }
    }
}

/// Returns what the payload says of its page, or its fault.
private func read(_ bytes: [UInt8], cutAt place: Int, _ model: EdmModel) -> String {
    guard let set = model.container.entitySets.first else { return "" }
    let plans = FuzzPlans(model)
    var reader = PayloadReader(model: model, plan: plans.plan(set.type), plans: plans)
    var sink = FuzzSink()
    do {
        try reader.feed(bytes.span.extracting(0..<place), into: &sink)
        try reader.feed(bytes.span.extracting(place..<bytes.count), into: &sink)
        let page = try reader.finish()
        precondition(sink.isBalanced, "an entity has not ended")
        return page.nextLink ?? "complete"
    } catch {
        return "refused"
    }
}
