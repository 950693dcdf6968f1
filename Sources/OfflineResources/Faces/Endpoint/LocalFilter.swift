public import OfflineOData

/// A condition on the entities of an answer, checked here after the fetch policy has run.
public struct LocalFilter: Sendable {
    /// How a value is compared.
    public enum Comparison: String, Sendable, CaseIterable {
        /// Equal.
        case equals
        /// Not equal.
        case notEquals
        /// Less than.
        case lessThan
        /// Less than or equal.
        case lessThanOrEqual
        /// Greater than.
        case greaterThan
        /// Greater than or equal.
        case greaterThanOrEqual
        /// The text contains the value.
        case contains
        /// The text begins with the value.
        case startsWith
    }

    /// The property.
    public var property: String
    /// The comparison.
    public var comparison: Comparison
    /// The value on its right side.
    public var value: ODataValue

    /// Creates a condition.
    public init(property: String, comparison: Comparison, value: ODataValue) {
        self.property = property
        self.comparison = comparison
        self.value = value
    }

    /// Whether an entity meets the condition; one without the property meets `notEquals` only.
    func matches(_ entity: EntityValue) -> Bool {
        let own = entity[property] ?? .null
        if let left = own.doubleValue, let right = value.doubleValue {
            return meets(left < right ? -1 : left > right ? 1 : 0)
        }
        if let left = own.stringValue, let right = value.stringValue {
            switch comparison {
            case .contains: return left.contains(right)
            case .startsWith: return left.hasPrefix(right)
            default: return meets(left < right ? -1 : left > right ? 1 : 0)
            }
        }
        let isEqual = own.json == value.json
        return comparison == .notEquals ? !isEqual : isEqual && meets(0)
    }

    private func meets(_ order: Int) -> Bool {
        switch comparison {
        case .equals: order == 0
        case .notEquals: order != 0
        case .lessThan: order < 0
        case .lessThanOrEqual: order <= 0
        case .greaterThan: order > 0
        case .greaterThanOrEqual: order >= 0
        case .contains, .startsWith: false
        }
    }
}
