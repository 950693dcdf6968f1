import ODataValues
import ODataHTTP
import Synchronization

/// A service whose answers a test writes byte by byte.
final class LiteralService: HTTPHandler {
    typealias Answer = @Sendable (HTTPRequest) async throws -> HTTPResponse?

    private let state: Mutex<State>

    private struct State {
        var answer: Answer
        var asked: [String] = []
        var metadata = LiteralService.metadata
    }

    init(_ answer: @escaping Answer) { state = Mutex(State(answer: answer)) }

    /// Replaces the answers.
    func set(_ answer: @escaping Answer) { state.guarded { $0.answer = answer } }

    /// Changes the metadata.
    func setMetadata(_ change: @Sendable (String) -> String) {
        state.guarded { $0.metadata = change($0.metadata) }
    }

    /// Requests so far without those for the metadata, as method and URL below the root.
    var asked: [String] { state.guarded { $0.asked } }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        if request.url.contains("$metadata") {
            return HTTPResponse(
                status: 200,
                headers: ["Content-Type": "application/xml"],
                body: Array(state.guarded { $0.metadata }.utf8)
            )
        }
        let path = String(request.url.dropFirst("/odata/".count))
        state.guarded { $0.asked.append(request.method + " " + path) }
        let answer = state.guarded { $0.answer }
        return (try? await answer(request)) ?? HTTPResponse(status: 404)
    }

    /// The answer to a read of the items of these ids.
    static func items(_ ids: [Int], _ headers: HTTPHeaders = [:]) -> HTTPResponse {
        let items = ids.map { "{\"ID\":\($0),\"Name\":\"Item \($0)\"}" }.joined(separator: ",")
        return json(
            "{\"@odata.context\":\"http://service.localhost/odata/$metadata#Items\",\"value\":[\(items)]}",
            headers
        )
    }

    /// The answer to a read of one item.
    static func item(_ id: Int, name: String, _ headers: HTTPHeaders = [:]) -> HTTPResponse {
        json(
            "{\"@odata.context\":\"http://service.localhost/odata/$metadata#Items/$entity\",\"ID\":\(id),\"Name\":\"\(name)\"}",
            headers
        )
    }

    static func json(_ text: String, _ headers: HTTPHeaders = [:], status: Int = 200)
        -> HTTPResponse
    {
        var all: HTTPHeaders = ["Content-Type": "application/json", "OData-Version": "4.0"]
        for field in headers.fields { all[field.name] = field.value }
        return HTTPResponse(status: status, headers: all, body: Array(text.utf8))
    }

    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Shop" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
        <Property Name="Note" Type="Edm.String"/><Property Name="Modified" Type="Edm.DateTimeOffset"/>
        <NavigationProperty Name="Parent" Type="Shop.Item"/>
        <NavigationProperty Name="Parts" Type="Collection(Shop.Part)" ContainsTarget="true"/>
        <NavigationProperty Name="Cards" Type="Collection(Shop.Item)"/></EntityType>
        <EntityType Name="Part"><Key><PropertyRef Name="No"/></Key>
        <Property Name="No" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="Parts" Type="Collection(Shop.Part)" ContainsTarget="true"/></EntityType>
        <EntityType Name="Photo" HasStream="true"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Title" Type="Edm.String"/>
        <Property Name="Scan" Type="Edm.Stream"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Photos" EntityType="Shop.Photo"/><EntitySet Name="Items" EntityType="Shop.Item">
        <NavigationPropertyBinding Path="Parent" Target="Items"/>
        <NavigationPropertyBinding Path="Cards" Target="Cards"/></EntitySet>
        <EntitySet Name="Cards" EntityType="Shop.Item"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """
}
