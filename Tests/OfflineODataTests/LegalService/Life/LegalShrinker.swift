/// Finds the shortest life that still fails in the same way.
struct LegalShrinker {
    /// Lives tried, at most.
    private static let mostLives = 250

    /// Returns the shortest life found, with its failure and its log.
    static func shrink(_ life: LegalLife, _ failure: LegalFailure) async -> (
        life: LegalLife, failure: LegalFailure, log: [String]
    ) {
        var best = life
        var (found, log) = (failure, [String]())
        var count = 0
        func fails(_ candidate: LegalLife) async -> Bool {
            count += 1
            guard count <= mostLives, let run = try? LegalRun(candidate) else { return false }
            guard let other = await run.run(), other.kind == failure.kind else { return false }
            (best, found, log) = (candidate, other, run.log)
            return true
        }
        _ = await fails(life)
        var size = max(1, best.steps.count / 2)
        while size >= 1 {
            var start = 0
            var hasShrunk = false
            while start < best.steps.count {
                var candidate = best
                let end = min(start + size, candidate.steps.count)
                candidate.steps.removeSubrange(start..<end)
                if await fails(candidate) { hasShrunk = true } else { start += size }
            }
            if size > 1 { size /= 2 } else if !hasShrunk || count > mostLives { break }
        }
        for trait in best.traits {
            var candidate = best
            candidate.traits.removeAll { $0 == trait }
            _ = await fails(candidate)
        }
        for change in simplifications {
            var candidate = best
            change(&candidate)
            _ = await fails(candidate)
        }
        return (best, found, log)
    }

    private static let simplifications: [@Sendable (inout LegalLife) -> Void] = [
        { $0.optimizes = false }, { $0.repeatable = false }, { $0.json = false },
        { $0.batchSize = 100 }, { $0.cutCount = 0 }, { $0.cutCount = 1 }, { $0.cutCount = 2 },
    ]
}
