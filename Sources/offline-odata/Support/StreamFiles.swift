import CommandSupport
import ODataProtocol
import OfflineOData

/// The streams of a set as files: in `Set.streams` beside `Set.json`, one each, with a list of them.
struct StreamFiles {
    /// A stream and its file.
    struct Item: Sendable, Equatable {
        /// Where the stream is, relative to the service root: `Photos(1)/$value`.
        var url: String
        /// Name of the file in the directory.
        var file: String
        var contentType: String
        var etag: String?
    }

    static let indexName = "index.json"
    let directory: String

    /// Finds the directory that belongs to a file of entities.
    init(besides path: String) {
        directory = (path.hasSuffix(".json") ? String(path.dropLast(5)) : path) + ".streams"
    }

    private var index: String { directory + "/" + Self.indexName }

    func path(of item: Item) -> String { directory + "/" + item.file }

    // MARK: Writing

    func write(_ items: [Item]) throws(CommandFailure) {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("value")
        writer.beginArray()
        for item in items {
            writer.beginObject()
            writer.member("url", value: item.url)
            writer.member("file", value: item.file)
            writer.member("contentType", value: item.contentType)
            if let etag = item.etag { writer.member("etag", value: etag) }
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        try FileBytes.write(writer.bytes + [0x0A], to: index)
    }

    /// Removes what an export has written; other files stay, and the directory with them.
    func remove() throws(CommandFailure) {
        guard FileBytes.exists(index) else { return }
        for name in try FileBytes.names(in: directory)
        where name == Self.indexName || name.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) {
            try FileBytes.remove(directory + "/" + name)
        }
        FileBytes.removeEmptyDirectory(directory)
    }

    // MARK: Reading

    /// Returns the contents of the streams that the list names, read from their files when they are asked for.
    func contents() throws(CommandFailure) -> [OfflineODataDataContent] {
        try items().map { item in
            let path = path(of: item)
            return OfflineODataDataContent(
                url: item.url,
                contentType: item.contentType,
                etag: item.etag,
                place: path,
                pieces: FilePieces(path: path)
            )
        }
    }

    /// Returns the streams that the list names; none where there is no directory.
    ///
    /// - Throws: ``CommandFailure`` (invalid) where the directory has no list, the list is none, or it names a file that is not there.
    func items() throws(CommandFailure) -> [Item] {
        guard FileBytes.exists(index) else {
            guard FileBytes.exists(directory) else { return [] }
            throw CommandFailure(
                .invalid,
                "\(directory) has no \(Self.indexName), which says whose streams its files are: write one, or remove the directory"
            )
        }
        let text = String(decoding: try FileBytes.read(index), as: UTF8.self)
        guard case .object(let members)? = ODataValue(json: text),
            case .collection(let values)? = members.first(where: { $0.name == "value" })?.value
        else { throw CommandFailure(.invalid, "\(index): expected {\"value\":[…]}") }
        var items: [Item] = []
        for (number, value) in values.enumerated() {
            guard let item = Item(value) else {
                throw CommandFailure(
                    .invalid,
                    "\(index): value[\(number)] needs url, file and contentType, the file a name without a path"
                )
            }
            guard FileBytes.isFile(path(of: item)) else {
                let what =
                    FileBytes.exists(path(of: item)) ? "is no file" : "is not in \(directory)"
                throw CommandFailure(
                    .invalid,
                    "\(index): value[\(number)] names the file \(item.file), which \(what)"
                )
            }
            guard !items.contains(where: { $0.url == item.url }) else {
                throw CommandFailure(
                    .invalid,
                    "\(index): value[\(number)] is another content of \(item.url): a stream has one"
                )
            }
            items.append(item)
        }
        return items
    }
}

extension StreamFiles.Item {
    /// Reads an entry of the list; a file elsewhere is none of the export.
    fileprivate init?(_ value: ODataValue) {
        guard case .object(let members) = value else { return nil }
        let texts = Dictionary(members.map { ($0.name, $0.value.stringValue) }) { first, _ in first
        }
        guard let url = texts["url"] ?? nil, let file = texts["file"] ?? nil,
            let contentType = texts["contentType"] ?? nil,
            !file.isEmpty, file != ".", file != "..", !file.contains("/")
        else { return nil }
        self.init(url: url, file: file, contentType: contentType, etag: texts["etag"] ?? nil)
    }
}
