/// What SQL has to say of a condition.
///
/// A value that no query brought is not known: a condition that depends on it neither holds nor fails, so that no row is chosen or
/// left out by a value that is not there. `not` turns one question into the other instead of standing in the SQL.
package enum Truth {
    /// True where the condition is known to be true; false or null otherwise.
    case holds
    /// True where the condition is known to be false, which null is not; false or null otherwise.
    case fails
    /// The Boolean value itself; whoever uses it asks whether what it reads is known.
    case value

    /// The question for the operand of `not`.
    var negated: Truth {
        switch self {
        case .holds: .fails
        case .fails: .holds
        case .value: .value
        }
    }
}
