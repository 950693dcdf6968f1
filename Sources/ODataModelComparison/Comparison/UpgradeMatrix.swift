public import ODataModel

/// Which versions of a model stores can be upgraded from, and to which.
public struct UpgradeMatrix: Sendable {
    /// A way from one version to another.
    public struct Step: Sendable {
        /// Index of the version that stores have.
        public let from: Int
        /// Index of the version that they are to have.
        public let to: Int
        /// The outcome.
        public let verdict: ModelComparison.Verdict
        /// Changes that stand against it.
        public let incompatibleCount: Int
    }

    /// Names of the versions, in the order given: the oldest first.
    public let names: [String]
    /// Each way between two different versions, row by row.
    public let steps: [Step]

    /// Compares every version with every other one.
    public init(_ versions: [(name: String, model: EdmModel)]) {
        names = versions.map(\.name)
        steps = versions.indices.flatMap { from in
            versions.indices.filter { $0 != from }.map { to in
                let comparison = ModelComparison(from: versions[from].model, to: versions[to].model)
                return Step(
                    from: from,
                    to: to,
                    verdict: comparison.verdict,
                    incompatibleCount: comparison.changes.filter { !$0.isCompatible }.count
                )
            }
        }
    }

    /// The versions from which stores cannot be upgraded to the last one.
    public var stranded: [String] {
        steps.filter { $0.to == names.count - 1 && $0.verdict == .incompatible }
            .map { names[$0.from] }
    }
}
