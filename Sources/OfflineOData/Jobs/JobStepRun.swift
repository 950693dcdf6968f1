import OfflineProvider
import OfflineValues

/// One step on one store of a job.
struct JobStepRun {
    let runner: OfflineODataJobRunner
    let store: OfflineODataJob.Store
    let provider: OfflineODataProvider

    /// Carries out a step and returns its amounts by their names.
    func run(_ action: OfflineODataJobStep.Action) async throws -> [String: Int] {
        switch action {
        case .open: try await open()
        case .upload(let categories): try await upload(categories)
        case .download(let isFull): try await download(isFull)
        case .check(let againstService): try await check(againstService)
        case .export(let directory): try await export(directory)
        }
    }

    private func open() async throws -> [String: Int] {
        let variables = JobVariables(store)
        for query in runner.job.queries {
            var filled = query
            filled.query = variables.filled(query.query)
            try await provider.addDefiningQuery(filled)
        }
        let loaded = try await provider.open()
        let status = try await provider.status()
        return [
            "queries": status.queries.count,
            "entities": status.entityCount,
            "requests": loaded.requestCount,
        ]
    }

    private func upload(_ categories: [String]?) async throws -> [String: Int] {
        let result = try await runner.handlers.upload(provider, categories)
        return [
            "carriedOut": result.succeededCount, "refused": result.failedCount,
            "unknownOutcome": result.unknownCount, "parked": result.parkedCount,
            "waiting": result.waitingCount, "requests": result.requestCount,
        ]
    }

    private func download(_ isFull: Bool) async throws -> [String: Int] {
        let result = try await provider.download(withSubset: nil, isFull: isFull)
        return [
            "inserted": result.insertedCount, "updated": result.updatedCount,
            "removed": result.removedCount, "links": result.linkCount,
            "conflicts": result.conflictCount,
            "requests": result.requestCount,
        ]
    }

    private func check(_ againstService: Bool) async throws -> [String: Int] {
        let faults = try await provider.checkIntegrity()
        guard faults.isEmpty else {
            throw OfflineODataError(
                .internal,
                "the store is damaged; `check` lists the faults",
                details: faults.compactMap(\.message)
            )
        }
        guard againstService else { return [:] }
        let result = try await provider.compareWithService()
        guard result.differences.isEmpty else {
            throw OfflineODataError(
                .preconditionFailed,
                "\(result.differences.count) of \(result.comparedCount) entities differ from the service;"
                    + " `check --against-service` lists them"
            )
        }
        return ["compared": result.comparedCount, "passedOver": result.passedOverCount]
    }

    private func export(_ directory: String) async throws -> [String: Int] {
        guard let export = runner.handlers.export else {
            throw OfflineODataError(.notSupported, "this application does not export in jobs")
        }
        let filled = JobVariables(store).filled(directory)
        return try await export(provider, runner.job.resolved(filled))
    }
}
