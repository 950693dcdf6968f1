import ODataBinding
import ODataAnswers
import ODataModel
import ODataTables

/// Brings the streams that a service begins with into its file: contents first, piece by piece, then with one change their places.
struct StreamLoading {
    let store: TableEntityStore
    let model: EdmModel

    /// A content in the file, and where it belongs.
    struct Stored: Sendable {
        var content: Int64
        var url: String
        var owner: EntityPath
        var property: String
    }

    /// Stores the contents of streams, not visible yet.
    ///
    /// - Throws: ``StandaloneServiceError`` where a URL addresses no stream, and what the contents throw.
    func store(_ streams: [StandaloneStream]) async throws -> [Stored] {
        var stored: [Stored] = []
        do {
            for stream in streams {
                var place = try place(of: stream.url)
                place.content = try await store.load {
                    try $0.streams.begin(contentType: stream.contentType)
                }
                stored.append(place)
                try await append(stream.content, to: place.content)
            }
            return stored
        } catch {
            try? await discard(stored)
            throw error
        }
    }

    private func append(
        _ pieces: some AsyncSequence<[UInt8], any Error>,
        to content: Int64
    ) async throws {
        var rest: [UInt8] = []
        for try await piece in pieces {
            rest += piece
            while rest.count >= StreamTable.pieceSize {
                let full = Array(rest.prefix(StreamTable.pieceSize))
                try await store.load { try $0.streams.append(full, to: content) }
                rest.removeFirst(full.count)
            }
        }
        // Most sequences of a cancelled task end as if they were whole.
        try Task.checkCancellation()
        let last = rest
        try await store.load { try $0.streams.append(last, to: content) }
    }

    /// Removes contents that no entity refers to.
    func discard(_ stored: [Stored]) async throws {
        try await store.load { writing in
            for stream in stored { try writing.streams.remove(content: stream.content) }
        }
    }

    /// Makes contents the streams of entities, inside the transaction that has created these.
    static func place(_ stored: [Stored], writing: TableWriting) throws {
        for stream in stored {
            do {
                try writing.setStream(
                    .stored(stream.content),
                    at: stream.owner,
                    property: stream.property,
                    precondition: .none
                )
            } catch let error as EditError {
                let set = writing.schema.model.name(of: stream.owner.source)
                throw ImportError(set: set, message: "the stream \(stream.url): \(error.message)")
            }
        }
    }

    private func place(of url: String) throws -> Stored {
        guard let request = try? BoundRequest(parsing: url, in: model),
            case .entities(var owner) = request.resource, let property = property(owner)
        else {
            let set = String(url.prefix { $0 != "(" && $0 != "/" })
            throw StandaloneServiceError("\(url) addresses no stream", entitySet: set)
        }
        owner.target = .entities
        return Stored(content: 0, url: url, owner: owner, property: property)
    }

    /// The name of the stream property that a path leads to, empty for the stream of a media entity; nil where it leads elsewhere.
    private func property(_ path: EntityPath) -> String? {
        switch path.target {
        case .mediaStream:
            guard let type = path.entityType(in: model) else { return nil }
            return model.hierarchy(below: type).contains { model.hasStream($0) } ? "" : nil
        case .property(let names, _): return model.streamProperty(names, of: path)
        default: return nil
        }
    }
}
