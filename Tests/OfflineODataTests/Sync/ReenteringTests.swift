import OfflineOData
import ODataHTTP
import Testing

/// What an entity leads to that comes back to the result of a query, or that nobody keeps any more.
@Suite struct ReenteringTests {
    private static let tags = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="A"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Val" Type="Edm.Int32"/>
        <NavigationProperty Name="Tags" Type="Collection(N.T)"/></EntityType>
        <EntityType Name="T"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="Notes" Type="Collection(N.T)"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="As" EntityType="N.A">
        <NavigationPropertyBinding Path="Tags" Target="Ts"/></EntitySet>
        <EntitySet Name="Ts" EntityType="N.T"><NavigationPropertyBinding Path="Notes" Target="Ts"/></EntitySet>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private static func page(_ entities: String, delta: String) -> HTTPResponse {
        RecordedService.json("{\"value\":[\(entities)],\"@odata.deltaLink\":\"\(delta)\"}")
    }

    /// A delta need not say which links an entity has lost while the query did not hold it.
    @Test(arguments: [
        (#"{"ID":1,"Val":6}"#, []), (#"{"ID":1,"Val":6,"Tags":[{"ID":1}]}"#, [1]),
    ])
    func takesNoFormerLinksForThoseOfWhatComesBack(_ change: String, _ tags: [Int]) async throws {
        let service = try RecordedService(metadata: Self.tags)
        let query = "As?$filter=Val%20gt%201&$expand=Tags"
        service.set("GET As", Self.page(#"{"ID":1,"Val":5}"#, delta: "a1"))
        service.set("GET Ts", Self.page(#"{"ID":1}"#, delta: "t1"))
        service.set("GET t1", Self.page("", delta: "t1"))
        service.set("GET \(query)", Self.page(#"{"ID":1,"Val":5,"Tags":[{"ID":1}]}"#, delta: "q1"))
        service.set("GET a1", Self.page(#"{"ID":1,"Val":0}"#, delta: "a2"))
        let left = #"{"@removed":{"reason":"changed"},"@id":"As(1)"}"#
        service.set("GET q1", Self.page(left, delta: "q2"))
        service.set("GET a2", Self.page(#"{"ID":1,"Val":6}"#, delta: "a3"))
        service.set("GET q2", Self.page(change, delta: "q3"))
        let provider = try await service.opened(["As", "Ts", query])
        try await provider.download()
        #expect(try await provider.executeQuery("As(1)/Tags").isEmpty)
        try await provider.download()
        let found = try await provider.executeQuery("As(1)/Tags")
        #expect(found.map { $0["ID"] } == tags.map { .integer(Int64($0)) })
        #expect(service.requests.filter { $0 == "GET \(query)" }.count == 1)
    }

    /// A query that has brought links from another place says nothing of those that an entity has in its result.
    @Test func readsLinksAnewThatAnotherQueryHasBrought() async throws {
        let service = try RecordedService(metadata: Self.tags)
        let (low, high) = (
            "As?$filter=Val%20lt%202&$expand=Tags", "As?$filter=Val%20ge%202&$expand=Tags"
        )
        service.set("GET \(low)", Self.page(#"{"ID":1,"Val":1,"Tags":[{"ID":1}]}"#, delta: "l1"))
        service.set(
            "GET \(high)",
            Self.page("", delta: "h1"),
            Self.page(#"{"ID":1,"Val":5,"Tags":[]}"#, delta: "h3")
        )
        service.set("GET Ts", Self.page(#"{"ID":1}"#, delta: "t1"))
        service.set("GET t1", Self.page("", delta: "t1"))
        let left = #"{"@removed":{"reason":"changed"},"@id":"As(1)"}"#
        service.set("GET l1", Self.page(left, delta: "l2"))
        service.set("GET h1", Self.page(#"{"ID":1,"Val":5}"#, delta: "h2"))
        let provider = try await service.opened([high, low, "Ts"])
        try await provider.download()
        #expect(try await provider.executeQuery("As(1)/Tags").isEmpty)
        #expect(service.requests.filter { $0 == "GET \(high)" }.count == 2)
    }

    private static let zoo = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Z" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="A" OpenType="true"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Val" Type="Edm.Int32"/>
        <Property Name="Color" Type="Edm.String"/>
        <NavigationProperty Name="Toys" Type="Collection(Z.Toy)" ContainsTarget="true"/>
        <NavigationProperty Name="Friends" Type="Collection(Z.A)"/>
        <NavigationProperty Name="Tags" Type="Collection(Z.T)" Partner="As"/></EntityType>
        <EntityType Name="Toy"><Key><PropertyRef Name="No"/></Key>
        <Property Name="No" Type="Edm.Int32" Nullable="false"/></EntityType>
        <EntityType Name="T"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="As" Type="Collection(Z.A)" Partner="Tags"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="As" EntityType="Z.A">
        <NavigationPropertyBinding Path="Tags" Target="Ts"/><NavigationPropertyBinding Path="Friends" Target="As"/>
        </EntitySet><EntitySet Name="Ts" EntityType="Z.T"><NavigationPropertyBinding Path="As" Target="As"/>
        </EntitySet></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    struct Narrowing: Sendable, CustomTestStringConvertible {
        var name: String
        /// The query that stays, and what it brings.
        var narrow = "As?$select=ID"
        var shown = #"{"ID":1}"#
        var isDelta = true
        /// What is known in the end.
        var tags = 0
        var testDescription: String { name }
    }

    /// What no query brings any more of an entity that stays is unknown: properties, dynamic ones, contained entities and links.
    @Test(arguments: [
        Narrowing(name: "a delta"), Narrowing(name: "a full read", isDelta: false),
        Narrowing(
            name: "links from the other end",
            narrow: "Ts?$expand=As($select=ID)",
            shown: #"{"ID":1,"As":[{"ID":1}]}"#,
            tags: 1
        ),
    ])
    func knowsNothingMoreOfWhatNoQueryBrings(_ case: Narrowing) async throws {
        let service = try RecordedService(metadata: Self.zoo)
        let wide = "As?$filter=Val%20gt%201&$expand=Toys,Tags"
        service.set("GET \(`case`.narrow)", Self.page(`case`.shown, delta: "n1"))
        service.set("GET n1", Self.page("", delta: "n1"))
        service.set("GET Ts", Self.page(#"{"ID":1}"#, delta: "t1"))
        service.set("GET t1", Self.page("", delta: "t1"))
        let one = #"{"ID":1,"Val":5,"Color":"Red","Dyn":"x","Toys":[{"No":1}],"Tags":[{"ID":1}]}"#
        service.set("GET \(wide)", Self.page(one, delta: "w1"), Self.page("", delta: "w2"))
        let left = #"{"@removed":{"reason":"changed"},"@id":"As(1)"}"#
        service.set(
            "GET w1",
            `case`.isDelta ? Self.page(left, delta: "w2") : HTTPResponse(status: 410)
        )
        let provider = try await service.opened([wide, `case`.narrow, "Ts"])
        #expect(try await provider.executeQuery("As(1)/Toys").count == 1)
        try await provider.download()
        let entity = try #require(try await provider.executeQuery("As(1)").first)
        #expect(entity["Color"] == nil)
        #expect(entity["Dyn"] == nil)
        #expect(try await provider.executeQuery("As(1)/Toys").isEmpty)
        #expect(try await provider.executeQuery("As(1)/Tags").count == `case`.tags)
    }

    /// The same of an entity that leaves the result of a query and comes inside of other entities still.
    @Test(arguments: ["first", "last", "full read"])
    func knowsNothingMoreOfWhatComesInsideOnly(_ removal: String) async throws {
        let service = try RecordedService(metadata: Self.zoo)
        let query = "As?$filter=Val%20gt%201&$expand=Friends($select=ID,Val)"
        let one = #"{"ID":1,"Val":5,"Color":"Red","Dyn":"x","Friends":[]}"#
        let two = { (val: Int) in #"{"ID":2,"Val":5,"Friends":[{"ID":1,"Val":\#(val)}]}"# }
        service.set(
            "GET \(query)",
            Self.page(one + "," + two(5), delta: "w1"),
            Self.page(two(0), delta: "w2")
        )
        let left = #"{"@removed":{"reason":"changed"},"@id":"As(1)"}"#
        let changes = removal == "first" ? [left, two(0)] : [two(0), left]
        service.set(
            "GET w1",
            removal == "full read"
                ? HTTPResponse(status: 410) : Self.page(changes.joined(separator: ","), delta: "w2")
        )
        let provider = try await service.opened([query])
        try await provider.download()
        let entity = try #require(try await provider.executeQuery("As(1)").first)
        #expect(entity["Val"] == .integer(0))
        #expect(entity["Color"] == nil)
        #expect(entity["Dyn"] == nil)
    }

    /// What a delta mentions inside of another entity has not left the result.
    @Test func keepsTheValuesOfWhatADeltaMentionsInside() async throws {
        let service = try RecordedService(metadata: Self.zoo)
        let query = "As?$filter=Val%20gt%201&$expand=Friends($select=ID,Val)"
        let one = #"{"ID":1,"Val":5,"Color":"Red","Friends":[]}"#
        service.set("GET \(query)", Self.page(one, delta: "w1"))
        let two = #"{"ID":2,"Val":5,"Friends":[{"ID":1,"Val":5}]}"#
        service.set("GET w1", Self.page(two, delta: "w2"))
        let provider = try await service.opened([query])
        try await provider.download()
        let entity = try #require(try await provider.executeQuery("As(1)").first)
        #expect(entity["Color"] == .string("Red"))
    }

    /// What an entity contains that has left a collection goes, though another query brings the entity itself.
    @Test func forgetsWhatIsBelowAnEntityThatHasLeftACollection() async throws {
        let service = try RecordedService(metadata: Self.zoo)
        let query = "Ts?$expand=As($filter=Val%20gt%201;$expand=Toys)"
        let one = #"{"ID":1,"As":[{"ID":1,"Val":5,"Toys":[{"No":1}]}]}"#
        service.set("GET \(query)", Self.page(one, delta: "w1"))
        service.set("GET As", Self.page(#"{"ID":1,"Val":5}"#, delta: "a1"))
        service.set("GET a1", Self.page(#"{"ID":1,"Val":0}"#, delta: "a2"))
        let left = #"{"@removed":{"reason":"changed"},"@id":"As(1)"}"#
        service.set("GET w1", Self.page("{\"ID\":1,\"As@delta\":[\(left)]}", delta: "w2"))
        let provider = try await service.opened([query, "As"])
        #expect(try await provider.executeQuery("As(1)/Toys").count == 1)
        try await provider.download()
        #expect(try await provider.executeQuery("As(1)/Toys").isEmpty)
        #expect(try await provider.executeQuery("As(1)").first?["Val"] == .integer(0))
    }

    private static let keepers = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="K" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="A"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="KeeperID" Type="Edm.Int32"/>
        <NavigationProperty Name="Toys" Type="Collection(K.Toy)" ContainsTarget="true"/>
        <NavigationProperty Name="Keeper" Type="K.Keeper" Partner="As">
        <ReferentialConstraint Property="KeeperID" ReferencedProperty="ID"/></NavigationProperty></EntityType>
        <EntityType Name="Toy"><Key><PropertyRef Name="No"/></Key>
        <Property Name="No" Type="Edm.Int32" Nullable="false"/></EntityType>
        <EntityType Name="Keeper"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="As" Type="Collection(K.A)" Partner="Keeper"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="As" EntityType="K.A">
        <NavigationPropertyBinding Path="Keeper" Target="Keepers"/></EntitySet>
        <EntitySet Name="Keepers" EntityType="K.Keeper"><NavigationPropertyBinding Path="As" Target="As"/>
        </EntitySet></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    /// A foreign key that one query changes ends what another one reaches by it, whichever is merged first.
    @Test(arguments: [true, false])
    func releasesWhatAForeignKeyLedToThatAnotherQueryChanges(_ isFirst: Bool) async throws {
        let service = try RecordedService(metadata: Self.keepers)
        let query = "Keepers?$expand=As($expand=Toys)"
        let animal = #"{"ID":1,"KeeperID":7,"Toys":[{"No":1}]}"#
        service.set("GET \(query)", Self.page("{\"ID\":7,\"As\":[\(animal)]}", delta: "k1"))
        service.set("GET As", Self.page(#"{"ID":1,"KeeperID":7}"#, delta: "a1"))
        service.set("GET k1", Self.page("", delta: "k2"))
        service.set("GET a1", Self.page(#"{"ID":1,"KeeperID":null}"#, delta: "a2"))
        let provider = try await service.opened(isFirst ? ["As", query] : [query, "As"])
        #expect(try await provider.executeQuery("As(1)/Toys").count == 1)
        try await provider.download()
        #expect(try await provider.executeQuery("As").count == 1)
        #expect(try await provider.executeQuery("As(1)/Toys").isEmpty)
    }

    /// The same at the end that has the foreign key: the former keeper goes, since no other query brings it.
    @Test(arguments: [true, false])
    func releasesTheFormerPrincipal(_ isFirst: Bool) async throws {
        let service = try RecordedService(metadata: Self.keepers)
        let query = "As?$expand=Keeper"
        let before = #"{"ID":1,"KeeperID":7,"Keeper":{"ID":7}}"#
        service.set("GET \(query)", Self.page(before, delta: "q1"))
        service.set("GET As", Self.page(#"{"ID":1,"KeeperID":7}"#, delta: "a1"))
        service.set("GET q1", Self.page(#"{"ID":1,"KeeperID":null,"Keeper":null}"#, delta: "q2"))
        service.set("GET a1", Self.page(#"{"ID":1,"KeeperID":null}"#, delta: "a2"))
        let provider = try await service.opened(isFirst ? ["As", query] : [query, "As"])
        #expect(try await provider.executeQuery("Keepers").count == 1)
        try await provider.download()
        #expect(try await provider.executeQuery("Keepers").isEmpty)
    }

    private static let sites = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="W"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="C" Type="Edm.Int32"/>
        <Property Name="S" Type="Edm.Int32"/><NavigationProperty Name="Customer" Type="S.C">
        <ReferentialConstraint Property="C" ReferencedProperty="ID"/></NavigationProperty>
        <NavigationProperty Name="Site" Type="S.S">
        <ReferentialConstraint Property="S" ReferencedProperty="ID"/></NavigationProperty></EntityType>
        <EntityType Name="C"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="Sites" Type="Collection(S.S)" Partner="Customer"/></EntityType>
        <EntityType Name="S"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="C" Type="Edm.Int32"/>
        <NavigationProperty Name="Customer" Type="S.C" Partner="Sites">
        <ReferentialConstraint Property="C" ReferencedProperty="ID"/></NavigationProperty></EntityType>
        <EntityContainer Name="E"><EntitySet Name="Ws" EntityType="S.W">
        <NavigationPropertyBinding Path="Customer" Target="Cs"/><NavigationPropertyBinding Path="Site" Target="Ss"/>
        </EntitySet><EntitySet Name="Cs" EntityType="S.C"><NavigationPropertyBinding Path="Sites" Target="Ss"/>
        </EntitySet><EntitySet Name="Ss" EntityType="S.S"><NavigationPropertyBinding Path="Customer" Target="Cs"/>
        </EntitySet></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    /// An entity to which two ways lead goes when both have ended, whichever is looked at first.
    @Test(arguments: ["Site,Customer($expand=Sites)", "Customer($expand=Sites),Site"])
    func releasesWhatTwoWaysLedTo(_ expand: String) async throws {
        let service = try RecordedService(metadata: Self.sites)
        let query = "Ws?$expand=\(expand)"
        let site = #"{"ID":1,"C":1}"#
        let customer = "{\"ID\":1,\"Sites\":[\(site)]}"
        let work = "{\"ID\":1,\"C\":1,\"S\":1,\"Site\":\(site),\"Customer\":\(customer)}"
        service.set("GET \(query)", Self.page(work, delta: "q1"))
        let gone = #"{"@removed":{"reason":"deleted"},"@id":"Ws(1)"}"#
        service.set("GET q1", Self.page(gone, delta: "q2"))
        let provider = try await service.opened([query])
        #expect(try await provider.executeQuery("Ss").count == 1)
        try await provider.download()
        #expect(try await provider.executeQuery("Cs").isEmpty)
        #expect(try await provider.executeQuery("Ss").isEmpty)
    }

    /// The service has deleted an entity that is changed here; once the change is taken back, nothing leads to its tags.
    @Test(arguments: ["discard", "undo", "accept"])
    func releasesWhatADeletedEntityLedTo(_ way: String) async throws {
        let service = try RecordedService(metadata: Self.tags)
        let query = "As?$expand=Tags"
        service.set("GET \(query)", Self.page(#"{"ID":1,"Val":5,"Tags":[{"ID":1}]}"#, delta: "q1"))
        let provider = try await service.opened([query])
        try await provider.send("PATCH", "As(1)", #"{"Val":7}"#)
        let gone = #"{"@removed":{"reason":"deleted"},"@id":"As(1)"}"#
        service.set("GET q1", Self.page(gone, delta: "q2"))
        service.set("GET q2", Self.page("", delta: "q2"))
        try await provider.download()
        #expect(try await provider.executeQuery("Ts").count == 1)
        switch way {
        case "undo": try await provider.undoPendingChanges("As(1)")
        case "accept": try await provider.resolveConflict("As(1)", with: .server)
        default:
            service.set("PATCH As(1)", HTTPResponse(status: 404))
            try await provider.upload()
            let id = try #require(try await provider.errorArchive().first?.id)
            try await provider.discardError(id)
        }
        try await provider.download()
        #expect(try await provider.executeQuery("As").isEmpty)
        #expect(try await provider.executeQuery("Ts").isEmpty)
    }
}
