import CommandSupport
import ODataProtocol

/// Operands of a command with actions: `ACTION STORE …`, also `STORE ACTION …`.
struct StoreAction {
    var action: String
    var store: String
    var rest: ArraySlice<String>

    /// Splits words into action, store and the rest; without an action word the fallback applies.
    ///
    /// - Throws: ``CommandFailure`` (invalid) that lists the actions.
    static func split(
        _ operands: [String],
        actions: [String],
        fallback: String? = nil
    ) throws(CommandFailure) -> StoreAction {
        if let first = operands.first, actions.contains(first), operands.count > 1 {
            return StoreAction(action: first, store: operands[1], rest: operands[2...])
        }
        if operands.count > 1, actions.contains(operands[1]) {
            return StoreAction(action: operands[1], store: operands[0], rest: operands[2...])
        }
        if let fallback, operands.count == 1, let store = operands.first {
            return StoreAction(action: fallback, store: store, rest: [])
        }
        let word = operands.prefix(2).first { !$0.contains { "./".contains($0) } } ?? ""
        let nearest = NearestName.of(word, among: actions).map { "; did you mean \($0)?" } ?? ""
        throw .usage(
            "'\(word)' is no action\(nearest)",
            advice: "One of: " + actions.joined(separator: ", ")
        )
    }
}
