import ODataSQLite
import ODataAnswers
public import ODataModel
public import ODataHTTP

/// An OData service of its own: a model and a database, without any other service behind it.
public struct StandaloneService: Sendable {
    private let store: TableEntityStore
    private let model: EdmModel
    /// Answers the requests.
    public let handler: any HTTPHandler

    /// Makes the service of a metadata document.
    ///
    /// - Parameters:
    ///   - metadata: The document as it is answered to `$metadata`.
    ///   - model: The model that was read from the document.
    ///   - database: Path of the SQLite file that holds the entities; a temporary one where nil.
    ///   - options: How the service behaves.
    /// - Throws: ``StandaloneServiceError`` where the file cannot be used.
    public init(
        metadata: [UInt8],
        model: EdmModel,
        database: String? = nil,
        options: StandaloneOptions = StandaloneOptions()
    ) throws(StandaloneServiceError) {
        do {
            store = try TableEntityStore(path: database, document: metadata, model: model)
        } catch let error as StandaloneServiceError {
            throw error
        } catch let error as SQLiteError {
            throw StandaloneServiceError("\(database ?? "the database") \(error.fileMessage)")
        } catch {
            throw StandaloneServiceError("\(error)")
        }
        self.model = model
        var options = options
        options.service.obeysRestrictions = true
        handler = StandaloneHandler(store: store, options: options)
    }

    /// Creates the entities of files in one transaction; answers how many there are.
    ///
    /// - Parameter files: By the name of an entity set or singleton: `{"value":[…]}`, `[…]`, or the entity of a singleton. Entities may
    ///   refer to any others of all files.
    /// - Throws: ``StandaloneServiceError`` that names the set; nothing is created then.
    @discardableResult
    public func load(_ files: [String: [UInt8]]) async throws(StandaloneServiceError) -> Int {
        do {
            return try await load(files, streams: [])
        } catch let error as StandaloneServiceError {
            throw error
        } catch {
            throw StandaloneServiceError("\(error)")
        }
    }

    /// Whether a load has come to its end in this database, now or when it was served before.
    public var isLoaded: Bool {
        get async throws(StandaloneServiceError) {
            do {
                return try await store.isFilled
            } catch {
                throw StandaloneServiceError("\(error)")
            }
        }
    }

    /// Brings what was written into the database file itself, out of the write-ahead log beside it; the service may go on.
    public func checkpoint() async throws(StandaloneServiceError) {
        do {
            try await store.checkpoint()
        } catch {
            throw StandaloneServiceError("\(error)")
        }
    }

    /// Creates the entities of files with their streams, all or none; answers how many entities there are.
    ///
    /// - Parameters:
    ///   - files: As those of ``load(_:)``.
    ///   - streams: Of any size: they are read piece by piece.
    /// - Throws: ``StandaloneServiceError``, and what the contents of streams throw.
    @discardableResult
    public func load(_ files: [String: [UInt8]], streams: [StandaloneStream]) async throws -> Int {
        let sources = DataOrder.names(of: files, in: model).compactMap { name in
            files[name].map { DataImporter.Source(name: name, json: $0) }
        }
        let loading = StreamLoading(store: store, model: model)
        let stored = try await loading.store(streams)
        do {
            return try await DataImporter(store).importAll(sources) { writing in
                try StreamLoading.place(stored, writing: writing)
                try writing.markFilled()
            }
        } catch {
            try? await loading.discard(stored)
            guard let error = error as? ImportError else { throw error }
            throw StandaloneServiceError(error.message, entitySet: error.set)
        }
    }
}

/// Why a service could not be made or filled.
public struct StandaloneServiceError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The set whose data is refused; nil where it is about the database.
    public let entitySet: String?
    /// Whether the file for the database cannot be used: it is another program's, or cannot be opened.
    public let isFileRefused: Bool
    /// What happened.
    public let message: String

    init(_ message: String, entitySet: String? = nil, isFileRefused: Bool = false) {
        self.message = message
        self.entitySet = entitySet
        self.isFileRefused = isFileRefused
    }

    /// The set and what happened.
    public var description: String { (entitySet.map { "\($0): " } ?? "") + message }
}
