import OfflineValues
import OfflineProvider
import ODataHTTP

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The parameters of a store of a job, with its credentials read anew: tokens change while a long job runs.
struct JobParameters {
    let job: OfflineODataJob
    let store: OfflineODataJob.Store

    func make() throws(OfflineODataError) -> OfflineODataParameters {
        let parameters = OfflineODataParameters()
        parameters.customHeaders = try headers()
        parameters.customQueryOptions = job.options.queryOptions
        if let timeout = job.options.timeout { parameters.timeout = timeout }
        if let wait = job.options.wait { parameters.waitsForOtherProcess = wait }
        if let size = job.options.batchSize { parameters.uploadBatchSize = size }
        parameters.preferredPageSize = job.options.pageSize
        parameters.certificateAuthorityFile = job.options.authorityFile.map { job.resolved($0) }
        if let key = job.storeKey {
            parameters.storeKey = OfflineODataEncryptionKey(try text(key))
        }
        return parameters
    }

    private func headers() throws(OfflineODataError) -> HTTPHeaders {
        var headers = HTTPHeaders()
        for (name, value) in job.headers.sorted(by: { $0.key < $1.key }) {
            switch value {
            case .text(let text): headers[name] = text
            case .secret(let secret): headers[name] = try text(secret)
            }
        }
        switch job.credentials {
        case nil: break
        case .bearer(let secret): headers["Authorization"] = "Bearer " + (try text(secret))
        case .user(let secret):
            let text = try text(secret)
            guard text.contains(":") else {
                throw OfflineODataError(
                    .invalidInput,
                    "\(secret.reference) must hold name:password"
                )
            }
            headers["Authorization"] = "Basic " + Data(text.utf8).base64EncodedString()
        }
        return headers
    }

    /// A reference may have the store's variables in it.
    private func text(_ secret: OfflineODataJobSecret) throws(OfflineODataError) -> String {
        let reference = JobVariables(store).filled(secret.reference)
        return try (OfflineODataJobSecret(reference) ?? secret).text(job.resolved)
    }
}
