import ODataValues
import ODataText

/// An operator between two operands, with its place in the order of precedence (OData 4.01 Part 2 § 5.1.1.17).
enum BinaryOperator {
    case or, and
    case comparison(ComparisonOperator)
    case arithmetic(ArithmeticOperator)
    case has, isIn

    /// Returns the operator that is spelt so.
    init?(_ word: some Sequence<UInt8>, ignoringCase: Bool) {
        // The longest operator has five letters; they fit into one integer.
        var packed: UInt64 = 0
        for byte in word {
            guard packed < 1 << 40 else { return nil }
            packed = packed << 8 | UInt64(ignoringCase ? ASCII.lowercased(byte) : byte)
        }
        guard let found = Self.spellings[packed] else { return nil }
        self = found
    }

    private static let spellings: [UInt64: BinaryOperator] = {
        var all: [UInt64: BinaryOperator] = [:]
        func add(_ word: String, _ operation: BinaryOperator) {
            all[word.utf8.reduce(0) { $0 << 8 | UInt64($1) }] = operation
        }
        add("or", .or)
        add("and", .and)
        add("has", .has)
        add("in", .isIn)
        for operation: ComparisonOperator in [
            .equal, .notEqual, .greater, .greaterOrEqual, .less, .lessOrEqual,
        ] {
            add(operation.rawValue, .comparison(operation))
        }
        for operation: ArithmeticOperator in [
            .add, .subtract, .multiply, .divide, .divideBy, .modulo,
        ] {
            add(operation.rawValue, .arithmetic(operation))
        }
        return all
    }()

    /// Strength of binding; what binds more strongly is larger.
    var precedence: Int {
        switch self {
        case .or: 1
        case .and: 2
        case .comparison(.equal), .comparison(.notEqual): 3
        case .comparison: 4
        case .arithmetic(.add), .arithmetic(.subtract): 5
        case .arithmetic: 6
        case .has, .isIn: 8
        }
    }

    /// Strength of `not` and of the minus sign.
    static let unaryPrecedence = 7
}
