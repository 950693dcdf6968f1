public import OfflineValues
package import StoreRecords
import ODataAnswers
import ODataTables
import OfflineStore

/// Media entities and stream properties: changed in the store at once, queued for the upload.
///
/// Long contents are stored piece by piece as they come; they take effect, all at once, with the last piece. Where the task is
/// cancelled before, they throw `CancellationError`, and the content is what it was. What the sequence of pieces throws is passed on.
extension OfflineODataProvider {
    /// Creates a media entity from its content; answers it with its read link.
    ///
    /// Properties that the entity has are queued as an update behind the creation.
    ///
    /// - Parameter content: Pieces of any size.
    /// - Throws: ``OfflineODataError`` where the set holds no media entities, or a value breaks a rule; nothing is changed then.
    @discardableResult
    public func createMedia<Content: AsyncSequence>(
        _ entity: EntityValue,
        content: Content,
        contentType: String,
        options: OfflineODataRequestOptions = OfflineODataRequestOptions()
    ) async throws -> EntityValue where Content.Element == [UInt8] {
        let change = try mapping {
            try options.all.changeOptions(isOptimizing: settings.optimizesQueue)
        }
        return try await withStored(content, contentType: contentType) { [self] stored in
            try await observed(.create(in: entity.entitySet)) {
                try await store.change(change) { writing in
                    try LocalWork(writing: writing).createMedia(entity, content: .stored(stored))
                }
            }
        }
    }

    /// Creates a media entity from a content in memory.
    @discardableResult
    public func createMedia(
        _ entity: EntityValue,
        content: [UInt8],
        contentType: String,
        options: OfflineODataRequestOptions = OfflineODataRequestOptions()
    ) async throws(OfflineODataError) -> EntityValue {
        try await change(options, change: .create(in: entity.entitySet)) {
            try $0.createMedia(entity, content: .bytes(content, contentType: contentType))
        }
    }

    /// Replaces the content of a media entity, or of one of its stream properties.
    ///
    /// - Parameter content: Pieces of any size.
    public func uploadMedia<Content: AsyncSequence>(
        of entity: EntityValue,
        property: String? = nil,
        content: Content,
        contentType: String,
        options: OfflineODataRequestOptions = OfflineODataRequestOptions()
    ) async throws where Content.Element == [UInt8] {
        let change = try mapping {
            try options.all.changeOptions(isOptimizing: settings.optimizesQueue)
        }
        try await withStored(content, contentType: contentType) { [self] stored in
            try await observed(.stream(entity.address)) {
                try await store.change(change) { writing in
                    try LocalWork(writing: writing).setStream(
                        entity,
                        property: property,
                        content: .stored(stored)
                    )
                }
            }
        }
    }

    /// Replaces the content of a media entity, or of one of its stream properties, by bytes in memory.
    public func uploadMedia(
        of entity: EntityValue,
        property: String? = nil,
        content: [UInt8],
        contentType: String,
        options: OfflineODataRequestOptions = OfflineODataRequestOptions()
    ) async throws(OfflineODataError) {
        try await change(options, change: .stream(entity.address)) {
            try $0.setStream(
                entity,
                property: property,
                content: .bytes(content, contentType: contentType)
            )
        }
    }

    /// Removes the content of a stream property; without one a media entity, with its content (OData 4.01 Part 1 § 11.4.7.3).
    ///
    /// Services of the versions 2 and 3 say themselves what becomes of a media entity whose content is deleted: in the store it stays.
    public func deleteMedia(
        of entity: EntityValue,
        property: String? = nil,
        options: OfflineODataRequestOptions = OfflineODataRequestOptions()
    ) async throws(OfflineODataError) {
        try await change(options, change: .stream(entity.address)) {
            try $0.setStream(entity, property: property, content: nil)
        }
    }

    /// Reads the content of a media entity, or of one of its stream properties, from the store; nil where the store has none.
    public func downloadMedia(
        of entity: EntityValue,
        property: String? = nil
    ) async throws -> OfflineODataStream? {
        try await mapping {
            let link = try entity.link(in: await store.schema())
            return try await stream(link + "/" + (property ?? "$value"))
        }
    }

    // MARK: By URL

    /// Reads the content that a URL addresses, `Photos(1)/$value` or `People(2)/Picture`; nil where there is none.
    ///
    /// - Throws: ``OfflineODataError`` where the URL addresses no stream.
    public func stream(_ url: String) async throws -> OfflineODataStream? {
        try await mapping {
            guard let address = try await streamAddress(url) else {
                throw OfflineODataError(.invalidInput, "the URL addresses no stream")
            }
            return try await stream(ReadRequest(.stream(url)), at: address)
        }
    }

    /// Reads a content with what the reader says to the rules.
    package func stream(_ request: ReadRequest) async throws -> OfflineODataStream? {
        try await mapping {
            guard let url = request.url, let address = try await streamAddress(url) else {
                throw OfflineODataError(.invalidInput, "the URL addresses no stream")
            }
            return try await stream(request, at: address)
        }
    }

    /// A rule may fetch the content first; it is read from the store then, unless it is not kept.
    private func stream(_ request: ReadRequest, at address: StreamAddress) async throws
        -> OfflineODataStream?
    {
        switch try await router.source(of: request) {
        case .nothing: nil
        case .response(let response, _): OfflineODataStream(response)
        case .store, .collection:
            try await store.streamHead(at: address.owner, property: address.property)
                .map { OfflineODataStream($0, store: store) }
        }
    }

    /// Replaces the content that a URL addresses.
    ///
    /// - Parameter content: Pieces of any size.
    /// - Throws: ``OfflineODataError`` where the URL addresses no stream.
    public func setStream<Content: AsyncSequence>(
        _ url: String,
        content: Content,
        contentType: String,
        options: OfflineODataRequestOptions = OfflineODataRequestOptions()
    ) async throws where Content.Element == [UInt8] {
        let change = try mapping {
            try options.all.changeOptions(isOptimizing: settings.optimizesQueue)
        }
        guard let address = try await streamAddress(url) else {
            throw OfflineODataError(.invalidInput, "the URL addresses no stream")
        }
        try await withStored(content, contentType: contentType) { [self] stored in
            try await observed(.stream(url)) {
                try await store.change(change) { writing in
                    try writing.setStream(
                        .stored(stored),
                        at: address.owner,
                        property: address.property,
                        precondition: .none
                    )
                }
            }
        }
    }

    /// Creates a media entity in the collection that a URL addresses; answers it with its read link.
    ///
    /// - Parameter content: Pieces of any size.
    public func createMedia<Content: AsyncSequence>(
        in url: String,
        content: Content,
        contentType: String,
        options: OfflineODataRequestOptions = OfflineODataRequestOptions()
    ) async throws -> EntityValue where Content.Element == [UInt8] {
        let change = try mapping {
            try options.all.changeOptions(isOptimizing: settings.optimizesQueue)
        }
        return try await withStored(content, contentType: contentType) { [self] stored in
            try await observed(.create(in: url)) {
                try await store.change(change) { writing in
                    try LocalWork(writing: writing).createMedia(in: url, .stored(stored))
                }
            }
        }
    }

    /// Whether a URL addresses a stream: `Photos(1)/$value`, `People(2)/Picture`.
    ///
    /// - Throws: ``OfflineODataError`` where the URL is wrong.
    public func addressesStream(_ url: String) async throws(OfflineODataError) -> Bool {
        try await streamAddress(url) != nil
    }

    /// The stream that a URL addresses; nil where it addresses something else.
    package func streamAddress(_ url: String) async throws(OfflineODataError) -> StreamAddress? {
        try await uncancelled {
            try StreamAddress(url, in: await store.schema().model)
        }
    }

    // MARK: Storing

    /// Stores a content piece by piece, then runs what makes use of it; where that fails, the content goes.
    package func withStored<Content: AsyncSequence, R: Sendable>(
        _ pieces: Content,
        contentType: String,
        use: (Int64) async throws -> R
    ) async throws -> R where Content.Element == [UInt8] {
        try await mapping {
            let stored = try await storeContent(pieces, contentType: contentType)
            do {
                return try await use(stored)
            } catch {
                try? await store.discard(content: stored)
                throw error
            }
        }
    }

    /// Stores a content piece by piece and returns its id; where that fails, what was stored goes.
    package func storeContent<Content: AsyncSequence>(_ pieces: Content, contentType: String)
        async throws
        -> Int64 where Content.Element == [UInt8]
    {
        let stored = try await store.beginContent(contentType: contentType)
        do {
            try await store(pieces, as: stored)
            return stored
        } catch {
            try? await store.discard(content: stored)
            throw error
        }
    }

    /// Cuts a content into pieces of the file's size; errors of the application's own sequence are passed on as they are.
    private func store<Content: AsyncSequence>(
        _ pieces: Content,
        as stored: Int64
    ) async throws where Content.Element == [UInt8] {
        var rest: [UInt8] = []
        do {
            for try await piece in pieces {
                // A sequence need not hear that its task is cancelled.
                guard !Task.isCancelled else { break }
                rest += piece
                while rest.count >= StreamTable.pieceSize {
                    try await append(Array(rest.prefix(StreamTable.pieceSize)), to: stored)
                    rest.removeFirst(StreamTable.pieceSize)
                }
            }
        } catch let failure as StoringFailure {
            throw failure.cause
        } catch {
            throw ApplicationError(cause: error)
        }
        // Most sequences of a cancelled task end as if they were whole.
        try Task.checkCancellation()
        if !rest.isEmpty { try await store.append(rest, to: stored) }
    }

    private func append(_ piece: [UInt8], to stored: Int64) async throws(StoringFailure) {
        do {
            try await store.append(piece, to: stored)
        } catch {
            throw StoringFailure(cause: error)
        }
    }

    /// An error of the file, as distinct from those of the sequence that is stored.
    private struct StoringFailure: Error {
        let cause: any Error
    }
}
