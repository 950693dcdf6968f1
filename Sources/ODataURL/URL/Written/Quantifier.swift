/// Whether one item or every item must meet the condition of a lambda (OData 4.01 Part 2 § 5.1.1.13).
public enum Quantifier: Sendable {
    /// One item must.
    case any
    /// Every item must.
    case all
}
