import OfflinePolicies
public import ODataHTTP
public import OfflineOData

/// The templates of a plain REST service, kept in the store that is filled from it: a later process needs no configuration for them.
extension RESTTransport {
    static let key = "restTemplates"

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
        try await router.keep(text(templates, overwrites: express != nil, pageSize: size), as: key)
    }

    /// The templates that a store keeps, as it keeps them; nil where it keeps none.
    ///
    /// - Throws: ``OfflineODataError`` (internal) for one that cannot be read: without it changes would go to another URL.
    static func templates(kept text: String?) throws(OfflineODataError) -> [RESTTemplate]? {
        guard let text else { return nil }
        return try read(templates(ODataValue(json: text)))
    }

    private static func read(_ texts: [String]) throws(OfflineODataError) -> [RESTTemplate] {
        var read: [RESTTemplate] = []
        for text in texts {
            do {
                read.append(try RESTTemplate(text))
            } catch {
                throw OfflineODataError(
                    .internal,
                    "the store keeps the template '\(text)' of its service, which cannot be read: \(error)"
                )
            }
        }
        return read
    }

    private static func templates(_ kept: ODataValue?) -> [String] {
        (kept?["templates"]?.items ?? []).compactMap(\.stringValue)
    }

    /// Returns a URL as a store understands it: where the store keeps templates, the service's own paths may be written.
    ///
    /// `mobile/tasks/7` is `mobile_tasks(7)`, `limit=5` is `$top=5`. The calling thread waits for the disk.
    public static func localURL(_ url: String, in provider: OfflineODataProvider)
        throws(OfflineODataError) -> String
    {
        guard let templates = try templates(kept: provider.router.keptTextBlocking(key)) else {
            return url
        }
        let paths = ResourcePaths(root: provider.serviceRoot, templates: templates)
        return paths.local(PolicyEngine.relative(url))
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
    /// - Throws: ``OfflineODataError`` where there is no such file, or it cannot be read.
    public static func kept(
        inStoreAt storeFile: String,
        storeKey: OfflineODataEncryptionKey? = nil,
        pageSize: Int? = nil,
        base: any HTTPTransport
    ) throws(OfflineODataError) -> RESTTransport? {
        let parameters = OfflineODataParameters()
        parameters.storeKey = storeKey
        let provider: OfflineODataProvider
        do {
            provider = try OfflineODataProvider(storeFile: storeFile, parameters: parameters)
        } catch {
            // A store whose making was cut is an empty file, from which the next opening goes on.
            guard error.code == .notAStore else { throw error }
            return nil
        }
        guard let root = provider.serviceRoot,
            let kept = try provider.router.keptTextBlocking(key).flatMap(ODataValue.init(json:))
        else { return nil }
        var options = Options()
        options.pageSize = pageSize ?? kept["pageSize"]?.integerValue.map(Int.init)
        options.overwrites = kept["overwrites"]?.booleanValue ?? false
        let templates = try read(templates(kept))
        return RESTTransport(root: root, templates: templates, options: options, base: base)
    }

    /// Templates and options as they are kept.
    private var text: String {
        Self.text(templates.map(\.text), overwrites: options.overwrites, pageSize: options.pageSize)
    }

    private static func text(_ templates: [String], overwrites: Bool, pageSize: Int?) -> String {
        var members: [(name: String, value: ODataValue)] = [
            ("templates", .collection(templates.map { .string($0) })),
            ("overwrites", .boolean(overwrites)),
        ]
        if let pageSize { members.append(("pageSize", .integer(Int64(pageSize)))) }
        return ODataValue.object(members).json
    }
}
