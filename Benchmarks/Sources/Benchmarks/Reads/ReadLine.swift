/// One line of the table: the same work done by C and by the store.
struct ReadLine {
    let name: String
    /// What the store may take.
    let limit: String
    let repeats: Int
    /// Runs C's side; answers its CPU seconds.
    let yardstick: () throws -> Double
    let store: () throws -> Void
    /// CPU seconds of the store that belong to something else.
    var deduction = 0.0
}
