public import OfflineValues

/// The forms that call back, for code that is not asynchronous.
extension OfflineODataProvider {
    /// Opens the store and calls back; see `open()`.
    @discardableResult
    public func open(
        completionHandler: @escaping @Sendable (_ error: OfflineODataError?) -> Void
    ) -> CancelToken {
        start({ try await self.open() }, completionHandler: completionHandler)
    }

    /// Downloads and calls back; see `download()`.
    @discardableResult
    public func download(
        completionHandler: @escaping @Sendable (_ error: OfflineODataError?) -> Void
    ) -> CancelToken {
        start({ _ = try await self.download() }, completionHandler: completionHandler)
    }

    /// Uploads and calls back; see `upload()`.
    @discardableResult
    public func upload(
        completionHandler: @escaping @Sendable (_ error: OfflineODataError?) -> Void
    ) -> CancelToken {
        start({ _ = try await self.upload() }, completionHandler: completionHandler)
    }

    /// Downloads some of the defining queries, by name, and calls back.
    @discardableResult
    public func download(
        withSubset names: [String],
        completionHandler: @escaping @Sendable (_ error: OfflineODataError?) -> Void
    ) -> CancelToken {
        start(
            { _ = try await self.download(withSubset: names) },
            completionHandler: completionHandler
        )
    }

    /// Uploads the changes of some categories and calls back.
    @discardableResult
    public func upload(
        categories: [String],
        completionHandler: @escaping @Sendable (_ error: OfflineODataError?) -> Void
    ) -> CancelToken {
        start(
            { _ = try await self.upload(categories: categories) },
            completionHandler: completionHandler
        )
    }

    /// Sends a copy of the store and calls back; see `sendStore()`.
    @discardableResult
    public func sendStore(
        completionHandler: @escaping @Sendable (_ error: OfflineODataError?) -> Void
    ) -> CancelToken {
        start({ try await self.sendStore() }, completionHandler: completionHandler)
    }

    private func start(
        _ operation: @escaping @Sendable () async throws -> Void,
        completionHandler: @escaping @Sendable (OfflineODataError?) -> Void
    ) -> CancelToken {
        let task = Task {
            do {
                try await operation()
                completionHandler(nil)
            } catch let error as OfflineODataError {
                completionHandler(error)
            } catch {
                completionHandler(
                    OfflineODataError(.cancelled, "the operation was cancelled", cause: error)
                )
            }
        }
        return CancelToken { task.cancel() }
    }
}
