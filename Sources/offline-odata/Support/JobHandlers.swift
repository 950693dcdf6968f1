import CommandSupport
import MetadataCommands
import OfflineOData
import OfflineResources

/// What the command line does of a job: hooks, exports, policies that stores keep, the log.
enum JobHandlers {
    static func make(
        _ terminal: Terminal,
        _ display: JobDisplay
    ) -> OfflineODataJobRunner.Handlers {
        var handlers = OfflineODataJobRunner.Handlers()
        handlers.prepare = { path, parameters in
            parameters.logger = terminal.logger?.naming(store: path)
            if let recording = terminal.recording {
                parameters.transport = try recording.recording(parameters.standardTransport())
            }
            // A plain REST service is spoken to by the templates that the store keeps.
            guard FileBytes.exists(path) else { return }
            let rest = try RESTTransport.kept(
                inStoreAt: path,
                storeKey: parameters.storeKey,
                pageSize: parameters.preferredPageSize,
                base: try parameters.transport ?? parameters.standardTransport()
            )
            if let rest { parameters.transport = rest }
        }
        handlers.upload = { try await upload($0, categories: $1) }
        handlers.export = { provider, directory in
            try FileBytes.makeDirectories(directory)
            let counts = try await ExportDirectory.write(provider, to: directory)
            return [
                "sets": counts.sets, "entities": counts.entities, "links": counts.links,
                "streams": counts.streams,
            ]
        }
        handlers.hook = { try await HookProcess.run($0) }
        handlers.outcome = { display.add($0) }
        return handlers
    }

    private static func upload(
        _ provider: OfflineODataProvider,
        categories: [String]?
    ) async throws -> OfflineODataUploadResult {
        var options = PolicyEngineOptions()
        options.ordersChangesByKind = true
        options.onlyQueues = true
        guard let engine = try PolicyEngine.kept(in: provider, options: options) else {
            return try await provider.upload(categories: categories)
        }
        return try await engine.synchronize(categories: categories).outcome
    }
}
