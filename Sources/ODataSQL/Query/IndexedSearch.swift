import ODataSQLite
import ODataURL

/// A search as an expression of FTS5, whose NOT has two operands (https://www.sqlite.org/fts5.html#fts5_boolean_operators).
struct IndexedSearch {
    /// The expression.
    let text: String
    /// Whether the rows are wanted that the expression does not find.
    private(set) var isNegated: Bool
    private let depth: Int
    private let termCount: Int

    /// FTS5's parser has a stack of 100, of which a level takes two.
    private static let maximumDepth = 30
    /// FTS5 keeps a cursor for each.
    private static let maximumTerms = 256

    /// Translates a search; nil where FTS5 could not take it.
    init?(_ search: SearchExpression) {
        switch search {
        case .term(let text, _): self.init(term: text)
        case .not(let operand):
            guard let operand = IndexedSearch(operand) else { return nil }
            self = operand
            isNegated.toggle()
        case .and(let left, let right), .or(let left, let right):
            guard let left = IndexedSearch(left), let right = IndexedSearch(right) else {
                return nil
            }
            var isAnd = false
            if case .and = search { isAnd = true }
            self.init(left, right, isAnd: isAnd)
        }
    }

    private init(term: String) {
        text = Self.quoted(term)
        (isNegated, depth, termCount) = (false, 0, 1)
    }

    private init?(_ left: IndexedSearch, _ right: IndexedSearch, isAnd: Bool) {
        switch (left.isNegated, right.isNegated) {
        case (false, false): self.init(left, isAnd ? "AND" : "OR", right)
        case (true, true): self.init(left, isAnd ? "OR" : "AND", right, isNegated: true)
        // a and not b: a NOT b; not a or b: not (a NOT b).
        case (false, true) where isAnd: self.init(left, "NOT", right)
        case (true, false) where isAnd: self.init(right, "NOT", left)
        case (true, false): self.init(left, "NOT", right, isNegated: true)
        case (false, true): self.init(right, "NOT", left, isNegated: true)
        }
    }

    private init?(
        _ left: IndexedSearch,
        _ word: String,
        _ right: IndexedSearch,
        isNegated: Bool = false
    ) {
        text = "(\(left.text) \(word) \(right.text))"
        self.isNegated = isNegated
        depth = max(left.depth, right.depth) + 1
        termCount = left.termCount + right.termCount
        guard depth <= Self.maximumDepth, termCount <= Self.maximumTerms else { return nil }
    }

    /// In quotes no word is an operator; FTS5 reads up to a NUL, which separates words as a space does.
    private static func quoted(_ term: String) -> String {
        let text = String(
            String.UnicodeScalarView(term.unicodeScalars.map { $0 == "\0" ? " " : $0 })
        )
        return text.sqlQuoted
    }
}
