/// A condition of `$search` (OData 4.01 Part 2 § 5.1.8).
public indirect enum SearchExpression: Sendable, Equatable {
    /// A word or phrase, unquoted.
    case term(String, isPhrase: Bool)
    /// Both conditions.
    case and(SearchExpression, SearchExpression)
    /// At least one of two conditions.
    case or(SearchExpression, SearchExpression)
    /// The negation of a condition.
    case not(SearchExpression)
}
