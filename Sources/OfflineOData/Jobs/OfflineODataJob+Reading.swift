import ODataClient
import ODataText
import OfflineValues
import ODataModel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension OfflineODataJob {
    /// More stores than this in one job are refused.
    public static let maximumStoreCount = 100_000
    /// More bytes than this in a job or a list of stores are refused.
    public static let maximumByteCount = 64 * 1024 * 1024

    /// Reads the job in a file; paths in it are relative to the file's directory.
    ///
    /// - Throws: ``OfflineODataError`` (invalid input) that names line, path and what was expected.
    public init(contentsOf path: String) throws(OfflineODataError) {
        let directory = path.lastIndex(of: "/").map { String(path[..<$0]) }
        try self.init(
            json: Self.contents(of: path),
            directory: directory.map { $0.isEmpty ? "/" : $0 } ?? ""
        )
    }

    /// Reads a job.
    ///
    /// - Parameters:
    ///   - json: The job, a JSON object.
    ///   - directory: What paths in it are relative to; empty for the process's own directory.
    /// - Throws: ``OfflineODataError`` (invalid input) that names line, path and what was expected.
    public init(json: [UInt8], directory: String = "") throws(OfflineODataError) {
        self.init()
        self.directory = directory
        let root = JobNode(node: try Self.tree(json), path: "")
        for member in try root.members(Self.names) { try read(member.name, member.value) }
        try check(root)
    }

    private static let names = [
        "service", "stores", "storesFrom", "queries", "steps", "credentials", "headers",
        "storeKey", "options", "concurrency", "retries", "every", "afterUpload", "hooks",
    ]

    private static func tree(_ json: [UInt8]) throws(OfflineODataError) -> JSONNode {
        guard json.count <= maximumByteCount else {
            throw OfflineODataError(
                .invalidInput,
                "the job has more than 64 MB",
                code: .limitExceeded
            )
        }
        let start = ByteOrderMark.count(aheadOf: json)
        do {
            return try JSONTreeReader.read(json, from: start, line: 1, maximumDepth: 16)
        } catch {
            throw OfflineODataError(
                .invalidInput,
                "line \(error.line): \(error.message)",
                place: .init(line: error.line)
            )
        }
    }

    private mutating func read(_ name: String, _ value: JobNode) throws(OfflineODataError) {
        switch name {
        case "service": service = try Self.service(value)
        case "stores": try addStores(value)
        case "storesFrom": try addStores(listedIn: value)
        case "queries": queries += try Self.queries(value)
        case "steps": steps = try Self.steps(value)
        case "credentials": credentials = try Self.credentials(value)
        case "headers": headers = try Self.headers(value)
        case "storeKey": storeKey = try value.secret()
        case "options": options = try Self.options(value)
        case "concurrency": concurrency = try value.number(1...256)
        case "retries": retries = try Self.retries(value)
        case "every": every = try value.duration()
        case "afterUpload": afterUpload = try value.choice(of: AfterUpload.self)
        case "hooks": hooks = try Self.hooks(value)
        default: break
        }
    }

    private func check(_ root: JobNode) throws(OfflineODataError) {
        guard !stores.isEmpty else {
            throw root.failure("expected 'stores' or 'storesFrom' with at least one store")
        }
        guard stores.count <= Self.maximumStoreCount else {
            throw root.failure("expected at most \(Self.maximumStoreCount) stores")
        }
        for store in stores
        where ["", ".", ".."].contains(
            store.path.split(separator: "/", omittingEmptySubsequences: false).last
        ) {
            throw root.failure("'\(store.path)' is a directory: name the file of the store")
        }
        var paths: Set<String> = []
        for store in stores where !paths.insert(file(of: store)).inserted {
            throw root.failure("the store \(store.path) is named twice")
        }
        for store in stores { try checkVariables(of: store, root) }
        try checkExports(root)
    }

    /// The one path of a store's file, however it is written.
    private func file(of store: Store) -> String {
        URL(filePath: resolved(store.path)).standardizedFileURL.resolvingSymlinksInPath().path
    }

    /// Two stores that are exported to one directory would overwrite each other.
    private func checkExports(_ root: JobNode) throws(OfflineODataError) {
        for step in steps {
            guard case .export(let directory) = step.action else { continue }
            var directories: Set<String> = []
            for store in stores
            where !directories.insert(JobVariables(store).filled(directory)).inserted {
                let wayOut =
                    directory.contains("{name}")
                    ? "give the stores different names" : "put {name} into 'directory'"
                throw root.failure(
                    "the store \(store.path) would be exported to the directory of another one; \(wayOut)"
                )
            }
        }
    }

    /// A name in braces that no variable has would be sent as it is.
    private func checkVariables(
        of store: Store,
        _ root: JobNode
    ) throws(OfflineODataError) {
        var texts = queries.map(\.query) + [store.service ?? service ?? ""]
        for step in steps {
            if case .export(let directory) = step.action { texts.append(directory) }
        }
        for text in texts {
            if let name = JobVariables(store).unknownName(in: text) {
                throw root.failure(
                    "the store \(store.path) has no variable '\(name)'; give it as \"variables\": {\"\(name)\": …}"
                )
            }
        }
    }

    static func contents(of path: String) throws(OfflineODataError) -> [UInt8] {
        if let data = try? Data(contentsOf: URL(filePath: path)) { return Array(data) }
        let type = try? FileManager.default.attributesOfItem(atPath: path)[.type]
        let isDirectory = type as? FileAttributeType == .typeDirectory
        let reason = isDirectory ? "it is a directory" : "see that the file exists and can be read"
        throw OfflineODataError(.invalidInput, "cannot read \(path): \(reason)")
    }
}

// MARK: - Stores

extension OfflineODataJob {
    private mutating func addStores(_ value: JobNode) throws(OfflineODataError) {
        for item in try value.items("an array of stores", atMost: Self.maximumStoreCount) {
            stores.append(try Self.store(item))
        }
    }

    /// Secrets never stand in a job.
    private static func service(_ value: JobNode) throws(OfflineODataError) -> String {
        let url = try value.text("the URL of a service")
        let authority = url.firstRange(of: "://").map { url[$0.upperBound...].prefix { $0 != "/" } }
        // A variable may stand for all of it.
        guard authority != nil || url.hasPrefix("{") else {
            throw value.failure(
                "expected the URL of a service, such as https://example.org/odata/, not '\(url)'"
            )
        }
        guard authority?.contains("@") != true else {
            throw value.failure(
                "a name and a password do not stand in a job: give them as 'credentials', by reference"
            )
        }
        // A variable may stand for any part of it.
        guard !url.contains("{") else { return url }
        do {
            _ = try ServiceURL(root: url)
        } catch {
            throw value.failure((error as? OfflineODataError)?.message ?? "\(error)")
        }
        return url
    }

    private static func store(_ value: JobNode) throws(OfflineODataError) -> Store {
        guard value.node.members != nil else {
            return Store(try value.text("the path of a store or an object with path"))
        }
        var store = Store("")
        for member in try value.members(["path", "service", "variables"]) {
            switch member.name {
            case "path": store.path = try member.value.text("the path of a store")
            case "service": store.service = try Self.service(member.value)
            default: store.variables = try member.value.textMembers()
            }
        }
        guard !store.path.isEmpty else { throw value.failure("expected the member 'path'") }
        return store
    }

    /// A path in each line; empty lines and those that begin with `#` are passed over.
    private mutating func addStores(listedIn value: JobNode) throws(OfflineODataError) {
        let path = resolved(try value.text("the path of a file with a store in each line"))
        let bytes: [UInt8]
        do { bytes = try Self.contents(of: path) } catch { throw value.failure(error.message) }
        guard bytes.count <= Self.maximumByteCount else {
            throw value.failure("expected a file of at most 64 MB")
        }
        for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            guard let text = String(validating: line, as: UTF8.self) else {
                throw value.failure("expected a file in UTF-8")
            }
            if !text.hasPrefix("#"), text.contains(where: { $0 != " " }) {
                stores.append(Store(text))
            }
        }
    }
}

// MARK: - Members

extension OfflineODataJob {
    private static func queries(
        _ value: JobNode
    ) throws(OfflineODataError) -> [OfflineODataDefiningQuery] {
        try value.members("an object of queries: \"NAME\": \"URL\"").map {
            member throws(OfflineODataError) in
            guard member.value.node.members != nil else {
                return OfflineODataDefiningQuery(name: member.name, query: try member.value.text())
            }
            var query = OfflineODataDefiningQuery(name: member.name, query: "")
            for part in try member.value.members(["url", "streams"]) {
                if part.name == "url" {
                    query.query = try part.value.text("the URL of a query")
                } else {
                    query.automaticallyRetrievesStreams = try part.value.boolean()
                }
            }
            guard !query.query.isEmpty else {
                throw member.value.failure("expected the member 'url'")
            }
            return query
        }
    }

    private static func steps(
        _ value: JobNode
    ) throws(OfflineODataError) -> [OfflineODataJobStep] {
        let items = try value.items("an array of steps", atMost: 32)
        guard !items.isEmpty else { throw value.failure("expected at least one step") }
        var steps: [OfflineODataJobStep] = []
        for item in items {
            let step = try JobStepReader.read(item)
            guard !steps.contains(where: { $0.name == step.name }) else {
                throw item.failure("the step '\(step.name)' comes twice")
            }
            steps.append(step)
        }
        return steps
    }

    private static func credentials(_ value: JobNode) throws(OfflineODataError) -> Credentials {
        let members = try value.members(["bearer", "user"])
        guard let member = members.first, members.count == 1 else {
            throw value.failure("expected one of bearer, user")
        }
        let secret = try member.value.secret()
        return member.name == "bearer" ? .bearer(secret) : .user(secret)
    }

    private static func headers(_ value: JobNode) throws(OfflineODataError) -> [String: Value] {
        var headers: [String: Value] = [:]
        for member in try value.members("an object of header fields") {
            let text = try member.value.text()
            guard member.name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x3A }),
                text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
            else { throw member.value.failure("expected a header field of one line") }
            let secret = OfflineODataJobSecret(text)
            guard secret != nil || !OfflineODataCredentialFields.isCredential(header: member.name)
            else { throw member.value.failure("expected a reference, @FILE or env:NAME") }
            headers[member.name] = secret.map { .secret($0) } ?? .text(text)
        }
        return headers
    }

    private static func retries(_ value: JobNode) throws(OfflineODataError) -> Retries {
        guard value.node.members != nil else { return Retries(count: try value.number(0...100)) }
        var retries = Retries()
        for member in try value.members(["count", "delay"]) {
            if member.name == "count" {
                retries.count = try member.value.number(0...100)
            } else {
                retries.delay = try member.value.duration()
            }
        }
        return retries
    }

    private static func hooks(_ value: JobNode) throws(OfflineODataError) -> Hooks {
        var hooks = Hooks()
        for member in try value.members(["before", "after", "failed"]) {
            let words = try member.value.texts("an array of a program and its arguments")
            guard !words.isEmpty else { throw member.value.failure("expected a program") }
            switch member.name {
            case "before": hooks.before = words
            case "after": hooks.after = words
            default: hooks.failed = words
            }
        }
        return hooks
    }

    private static func options(_ value: JobNode) throws(OfflineODataError) -> Options {
        var options = Options()
        let names = ["timeout", "wait", "pageSize", "batchSize", "queryOptions", "ca"]
        for (name, value) in try value.members(names) {
            switch name {
            case "timeout": options.timeout = try value.duration()
            case "wait": options.wait = try value.duration()
            case "pageSize": options.pageSize = try value.number(1...1_000_000)
            case "batchSize": options.batchSize = try value.number(1...10_000)
            case "queryOptions": options.queryOptions = try value.textMembers()
            default: options.authorityFile = try value.text("the path of a PEM file")
            }
        }
        return options
    }
}
