extension Array where Element: Sendable {
    /// Runs work for each element, a few at a time, and returns the results in the order of the elements.
    ///
    /// - Throws: The first error; what runs then is cancelled, and nothing more begins.
    func atOnce<Result: Sendable>(
        _ maximumCount: Int,
        work: @escaping @Sendable (Int, Element) async throws -> Result
    ) async throws -> [Result] {
        var results: [Result?] = Array<Result?>(repeating: nil, count: count)
        try await withThrowingTaskGroup(of: (Int, Result).self) { group in
            var waiting = enumerated().makeIterator()
            func start() {
                guard let (index, element) = waiting.next() else { return }
                group.addTask { (index, try await work(index, element)) }
            }
            for _ in 0..<Swift.min(count, Swift.max(1, maximumCount)) { start() }
            while let (index, result) = try await group.next() {
                results[index] = result
                start()
            }
        }
        return results.compactMap { $0 }
    }
}
