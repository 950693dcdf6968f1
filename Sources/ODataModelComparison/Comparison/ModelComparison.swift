import ODataText
public import ODataModel

/// Compares two models of one service and decides whether stores with the old one can be upgraded to the new one.
///
/// Compatible is what OData allows a service to change without a new version (OData 4.01 Part 1 § 5.2) and what an
/// upgrade of a store can apply: new types, sets, properties, operations and enumeration members, wider facets, null
/// where it was not allowed, types that become open or media types. A store keeps nothing of operations, so a removed or
/// changed one is a warning. Everything else is incompatible. A rename is a removal
/// and an addition; the detail of the removal names the likely new name.
public struct ModelComparison: Sendable {
    /// The outcome as a whole.
    public enum Verdict: String, Sendable {
        /// Nothing that matters to a store differs.
        case identical
        /// Stores can be upgraded.
        case additive
        /// Stores cannot be upgraded.
        case incompatible
    }

    /// The differences, by path.
    public let changes: [ModelChange]

    /// Compares an old with a new model.
    public init(from old: EdmModel, to new: EdmModel) {
        var comparer = ModelComparer(old: old, new: new)
        comparer.compare()
        changes = comparer.changes.sorted {
            ($0.path, $0.what.rawValue, $0.change.rawValue, $0.detail)
                < ($1.path, $1.what.rawValue, $1.change.rawValue, $1.detail)
        }
    }

    /// Takes changes that are in order.
    init(changes: [ModelChange]) { self.changes = changes }

    /// The outcome as a whole, but for changes that are allowed.
    public var verdict: Verdict {
        if changes.isEmpty { return .identical }
        return changes.contains(where: \.isBreaking) ? .incompatible : .additive
    }
}

// MARK: - Writing

extension ModelComparison {
    /// Returns the comparison as a JSON object.
    public func json() -> String {
        var json = IndentedJSON()
        json.object { json in
            json.string("verdict", value: verdict.rawValue)
            json.array("changes", of: changes) { json, change in
                json.string("path", value: change.path)
                json.string("change", value: change.change.rawValue)
                json.string("what", value: change.what.rawValue)
                json.bool("compatible", value: change.isCompatible)
                if change.isWarning { json.bool("warning", value: true) }
                if change.isAllowed { json.bool("allowed", value: true) }
                json.string("rule", value: change.ruleID)
                json.string("detail", value: change.detail)
            }
        }
        return json.text
    }

    /// Returns the comparison for people, what cannot be upgraded first, lines ending with a newline.
    public func text() -> String {
        let incompatible = changes.filter(\.isBreaking)
        let allowed = changes.filter(\.isAllowed)
        let compatible = changes.filter { $0.isCompatible && !$0.isWarning }
        let warnings = changes.filter(\.isWarning)
        var lines: [String]
        switch verdict {
        case .identical: lines = ["identical: stores need no upgrade"]
        case .additive:
            let count = changes.count == 1 ? "1 change" : "\(changes.count) changes"
            let rest =
                allowed.isEmpty ? "" : "; not over the \(allowed.count) that were allowed"
            lines = ["additive: stores can be upgraded, \(count)\(rest)"]
        case .incompatible:
            lines = [
                "incompatible: stores cannot be upgraded, \(incompatible.count) of"
                    + " \(changes.count) changes prevent it"
            ]
        }
        if !incompatible.isEmpty {
            lines += ["", "Incompatible:"] + incompatible.map(ModelComparison.line)
        }
        if !allowed.isEmpty {
            lines += ["", "Allowed, though stores cannot be upgraded over them:"]
            lines += allowed.map(ModelComparison.line)
        }
        if !warnings.isEmpty {
            let title =
                "Warnings: stores are not affected, but calls that wait in a queue will fail:"
            lines += ["", title] + warnings.map(ModelComparison.line)
        }
        if !compatible.isEmpty {
            lines += ["", "Compatible:"] + compatible.map(ModelComparison.line)
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func line(_ change: ModelChange) -> String {
        let sign =
            switch change.change {
            case .added: "+"
            case .removed: "-"
            case .changed: "~"
            }
        let place = change.path.isEmpty ? "" : " " + change.path
        let detail = change.detail.isEmpty ? "" : ": " + change.detail
        return "  \(sign) \(change.what.rawValue)\(place)\(detail)"
    }
}
