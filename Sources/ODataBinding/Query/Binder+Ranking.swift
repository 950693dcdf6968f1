import ODataURL
import ODataValues

/// `topcount` and its kin (OData Data Aggregation 4.0 § 3.3.1).
extension Binder {
    mutating func ranking(_ written: WrittenTransformation, in scope: BindingScope)
        throws(ODataURLError) -> BoundTransformation
    {
        guard let ranking = BoundTransformation.Ranking(rawValue: written.name),
            case .expression(let amount)? = written.arguments.first,
            case .expression(let value)? = written.arguments.last
        else {
            throw ODataURLError(
                .notSupported,
                at: written.offset,
                "the transformation \(written.name) is not offered",
                found: written.name
            )
        }
        let bound = try expression(amount, in: scope)
        try expectFit(bound, for: ranking, at: amount.offset)
        guard case .literal(_, let form) = bound, form.isNumeric else {
            throw ODataURLError(
                .notSupported,
                at: amount.offset,
                "the first argument of \(written.name) must be a number",
                expected: ["a number"]
            )
        }
        let ranked = try expression(value, in: scope)
        try expectNoCollection(ranked, writtenAs: value)
        return .ranked(ranking, amount: bound, by: ranked)
    }

    /// Checks the first argument of a ranking: a count is a positive whole number, a percentage above 0 and at most 100
    /// (OData Data Aggregation 4.0 § 3.3.1).
    private func expectFit(
        _ amount: BoundExpression,
        for ranking: BoundTransformation.Ranking,
        at offset: Int
    ) throws(ODataURLError) {
        let expected: String
        switch ranking {
        case .topcount, .bottomcount:
            guard let number = amount.constant, number < 1 || !amount.isWhole else { return }
            expected = "a positive whole number"
        case .toppercent, .bottompercent:
            guard let number = amount.constant, !(number > 0 && number <= 100) else { return }
            expected = "a number above 0 and at most 100"
        case .topsum, .bottomsum: return
        }
        throw ODataURLError(
            .meaning,
            at: offset,
            "the first argument of \(ranking.rawValue) is out of range",
            expected: [expected]
        )
    }
}

extension BoundExpression {
    /// The number that a literal says, with a sign before it or without; nil for anything else.
    fileprivate var constant: Double? {
        switch self {
        case .negate(let operand): operand.constant.map { -$0 }
        case .literal(.integer(let value), .integer): Double(value)
        case .literal(.integer(let value), .scaledDecimal(let scale)):
            Double(DecimalText(value, scale: scale).text)
        case .literal(.real(let value), _): value
        case .literal(.text(let encoded), .decimalText):
            DecimalText(encoded: encoded).flatMap { Double($0.text) }
        default: nil
        }
    }

    /// Whether a literal is written as a whole number.
    fileprivate var isWhole: Bool {
        switch self {
        case .negate(let operand): operand.isWhole
        case .literal(_, .integer): true
        default: false
        }
    }
}
