public import ODataHTTP
public import OfflineOData

/// The templates of a plain REST service, kept in the store that is filled from it: a later process knows them without being told.
extension RESTTransport {
    private static let key = "restTemplates"

    /// Keeps the templates and options in a store; the calling thread waits for the disk.
    public func keep(in provider: OfflineODataProvider) throws(OfflineODataError) {
        guard try provider.router.keptTextBlocking(Self.key) != text else { return }
        try provider.router.keepBlocking(text, as: Self.key)
    }

    /// Keeps the templates of a configuration in a store, which every later process uses; updates overwrite the service's version then.
    ///
    /// - Parameter express: nil for a configuration without: the templates that the store has stay, and updates overwrite nothing.
    static func keep(_ express: ExpressConfiguration?, in router: ReadRouter) async throws {
        let kept = try await router.keptText(key).flatMap(ODataValue.init(json:))
        guard express != nil || kept?["overwrites"]?.booleanValue == true else { return }
        let templates = express?.templates.map(\.text) ?? Self.templates(kept)
        let size = kept?["pageSize"]?.integerValue.map(Int.init)
        try await router.keep(text(templates, overwrites: express != nil, size), as: key)
    }

    private static func templates(_ kept: ODataValue?) -> [String] {
        (kept?["templates"]?.items ?? []).compactMap(\.stringValue)
    }

    /// Makes the transport of a store that keeps templates; nil for any other store.
    ///
    /// The calling thread waits for the disk.
    ///
    /// - Parameters:
    ///   - storeFile: Path of the store's file.
    ///   - storeKey: The key of an encrypted store.
    ///   - pageSize: Objects asked for at once, instead of the number kept.
    ///   - base: Carries the requests.
    /// - Throws: ``OfflineODataError`` where there is no such store.
    public static func kept(
        inStoreAt storeFile: String,
        storeKey: OfflineODataEncryptionKey? = nil,
        pageSize: Int? = nil,
        base: any HTTPTransport
    ) throws(OfflineODataError) -> RESTTransport? {
        let parameters = OfflineODataParameters()
        parameters.storeKey = storeKey
        let provider = try OfflineODataProvider(storeFile: storeFile, parameters: parameters)
        guard let root = provider.serviceRoot,
            let kept = try provider.router.keptTextBlocking(key).flatMap(ODataValue.init(json:))
        else { return nil }
        var options = Options()
        options.pageSize = pageSize ?? kept["pageSize"]?.integerValue.map(Int.init)
        options.overwrites = kept["overwrites"]?.booleanValue ?? false
        let templates = templates(kept).compactMap { try? RESTTemplate($0) }
        return RESTTransport(root: root, templates: templates, options: options, base: base)
    }

    /// Templates and options as they are kept.
    private var text: String {
        Self.text(templates.map(\.text), overwrites: options.overwrites, options.pageSize)
    }

    private static func text(_ templates: [String], overwrites: Bool, _ pageSize: Int?) -> String {
        var members: [(name: String, value: ODataValue)] = [
            ("templates", .collection(templates.map { .string($0) })),
            ("overwrites", .boolean(overwrites)),
        ]
        if let pageSize { members.append(("pageSize", .integer(Int64(pageSize)))) }
        return ODataValue.object(members).json
    }
}
