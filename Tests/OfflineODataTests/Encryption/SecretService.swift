import ODataHTTP
import OfflineOData
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A service of many books whose titles can be told anywhere, written by hand: it has no files of its own that a search would find.
final class SecretService: HTTPTransport {
    /// What every title begins with; nothing else in the world does.
    static let mark = "Zwölfboxkämpfer-jagen-Viktor"
    static let root = "http://secret.test/"
    private static let pageSize = 300
    static let pageCount = 8

    private let edition: Int
    private let onRequest: @Sendable (String) -> Void

    /// - Parameter onRequest: Called before each answer with the method and what of the URL follows the root.
    init(edition: Int = 1, onRequest: @escaping @Sendable (String) -> Void = { _ in }) {
        (self.edition, self.onRequest) = (edition, onRequest)
    }

    func send(_ request: HTTPRequest, options: HTTPRequestOptions) async throws
        -> HTTPStreamingResponse
    {
        let path = String(request.url.dropFirst(Self.root.count))
        onRequest(request.method + " " + path)
        if path == "$metadata" { return Self.answer(Self.metadata, type: "application/xml") }
        if path == "$batch" { return Self.answer("", status: 501) }
        // What was created here it has never got.
        if path.hasPrefix("Books(") { return Self.answer("", status: 404) }
        if request.method == "GET", path.hasPrefix("Books") { return Self.answer(page(path)) }
        if request.method == "POST" {
            let body = String(decoding: request.body, as: UTF8.self)
            return Self.answer(body, status: 201)
        }
        return Self.answer("", status: 204)
    }

    private func page(_ path: String) -> String {
        let number = path.firstRange(of: "skip=").flatMap { Int(path[$0.upperBound...]) } ?? 0
        let books = (0..<Self.pageSize).map { book(number * Self.pageSize + $0) }
        let next =
            number + 1 < Self.pageCount
            ? ",\"@odata.nextLink\":\"\(Self.root)Books?skip=\(number + 1)\"" : ""
        return #"{"@odata.context":"\#(Self.root)$metadata#Books","value":["#
            + books.joined(separator: ",") + "]\(next)}"
    }

    /// About a kilobyte, so that the pages are more than SQLite's cache holds.
    private func book(_ id: Int) -> String {
        let title = String(repeating: "\(Self.mark)-\(edition)-\(id) ", count: 24)
        return #"{"ID":\#(id),"Title":"\#(title)"}"#
    }

    private static func answer(
        _ text: String,
        status: Int = 200,
        type: String = "application/json"
    ) -> HTTPStreamingResponse {
        HTTPStreamingResponse(
            status: status,
            headers: ["Content-Type": type, "OData-Version": "4.0"],
            body: HTTPBody(Array(text.utf8))
        )
    }

    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Secret" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Book"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Title" Type="Edm.String"/>
        </EntityType><EntityContainer Name="C"><EntitySet Name="Books" EntityType="Secret.Book"/>
        <Annotation Term="Org.OData.Capabilities.V1.BatchSupported" Bool="false"/>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    /// The provider of a store in a directory that this service fills.
    static func provider(
        in directory: String,
        key: OfflineODataEncryptionKey?,
        _ service: SecretService = SecretService(),
        adjust: (OfflineODataParameters) -> Void = { _ in }
    ) throws -> OfflineODataProvider {
        let parameters = OfflineODataParameters()
        adjust(parameters)
        parameters.storePath = URL(filePath: directory)
        parameters.storeKey = key
        parameters.transport = service
        parameters.retryPolicy = .never
        let provider = try OfflineODataProvider(serviceRoot: root, parameters: parameters)
        try provider.add(definingQuery: OfflineODataDefiningQuery(name: "Books", query: "Books"))
        return provider
    }
}
