import OfflineOData
import ODataHTTP
import Testing

/// A service of version 3 that answers nothing but Atom, written out byte by byte.
struct AtomShop {
    let service: RecordedService
    let provider: OfflineODataProvider

    static let names =
        #"xmlns="http://www.w3.org/2005/Atom" xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata""#
    static let related = "http://schemas.microsoft.com/ado/2007/08/dataservices/related/"
    static let scheme = "http://schemas.microsoft.com/ado/2007/08/dataservices/scheme"

    static let model = """
        <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
        <edmx:DataServices m:DataServiceVersion="3.0"
         xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
        <Schema Namespace="Shop" xmlns="http://schemas.microsoft.com/ado/2009/11/edm">
        <ComplexType Name="Address"><Property Name="City" Type="Edm.String"/><Property Name="Zip" Type="Edm.Int32"/></ComplexType>
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Title" Type="Edm.String"/>
        <Property Name="Open" Type="Edm.Boolean"/><Property Name="Total" Type="Edm.Decimal" Precision="9" Scale="2"/>
        <Property Name="At" Type="Edm.DateTime"/><Property Name="Length" Type="Edm.Time"/>
        <Property Name="Data" Type="Edm.Binary"/><Property Name="Ship" Type="Shop.Address"/>
        <Property Name="Tags" Type="Collection(Edm.String)" Nullable="false"/>
        <Property Name="Stops" Type="Collection(Shop.Address)" Nullable="false"/>
        <NavigationProperty Name="Items" Relationship="Shop.OI" FromRole="Order" ToRole="Items"/></EntityType>
        <EntityType Name="Rush" BaseType="Shop.Order"><Property Name="Rank" Type="Edm.Int64"/></EntityType>
        <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int64" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
        <NavigationProperty Name="Order" Relationship="Shop.OI" FromRole="Items" ToRole="Order"/></EntityType>
        <EntityType Name="Thing" Abstract="true"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
        <EntityType Name="Photo" BaseType="Shop.Thing" m:HasStream="true"><Property Name="Name" Type="Edm.String"/></EntityType>
        <Association Name="OI"><End Type="Shop.Order" Role="Order" Multiplicity="0..1"/>
        <End Type="Shop.Item" Role="Items" Multiplicity="*"/></Association>
        <EntityContainer Name="C" m:IsDefaultEntityContainer="true">
        <EntitySet Name="Orders" EntityType="Shop.Order"/><EntitySet Name="Items" EntityType="Shop.Item"/>
        <EntitySet Name="Photos" EntityType="Shop.Photo"/>
        <AssociationSet Name="OI" Association="Shop.OI"><End Role="Order" EntitySet="Orders"/>
        <End Role="Items" EntitySet="Items"/></AssociationSet>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    /// An order as a service writes it.
    static func order(
        _ id: Int,
        _ properties: String = "",
        type: String = "Order",
        etag: String = "1",
        items: String = "",
        _ names: String = ""
    ) -> String {
        """
        <entry\(names) m:etag="W/&quot;\(etag)&quot;">
          <id>http://service.test/odata/Orders(\(id))</id>
          <title type="text"/><updated>2024-01-01T00:00:00Z</updated><author><name/></author>
          <link rel="edit" title="Order" href="Orders(\(id))"/>
          <link rel="\(related)Items" type="application/atom+xml;type=feed" title="Items" href="Orders(\(id))/Items">\(items)</link>
          <category term="Shop.\(type)" scheme="\(scheme)"/>
          <content type="application/xml">
            <m:properties>
              <d:ID m:type="Edm.Int32">\(id)</d:ID>\(properties)
            </m:properties>
          </content>
        </entry>
        """
    }

    static func item(_ id: Int, _ name: String, _ names: String = "") -> String {
        """
        <entry\(names)><id>http://service.test/odata/Items(\(id)L)</id><link rel="edit" href="Items(\(id)L)"/>\
        <link rel="\(related)Order" type="application/atom+xml;type=entry" href="Items(\(id)L)/Order"/>\
        <category term="Shop.Item" scheme="\(scheme)"/><content type="application/xml"><m:properties>\
        <d:ID m:type="Edm.Int64">\(id)</d:ID><d:Name>\(name)</d:Name></m:properties></content></entry>
        """
    }

    static func photo(_ id: Int, etag: String = "a", _ names: String = "") -> String {
        """
        <entry\(names) m:etag="W/&quot;p&quot;"><id>http://service.test/odata/Photos(\(id))</id><link rel="edit" href="Photos(\(id))"/>\
        <link rel="edit-media" href="Photos(\(id))/$value" m:etag="&quot;\(etag)&quot;"/>\
        <category term="Shop.Photo" scheme="\(scheme)"/><content type="image/png" src="Photos(\(id))/$value"/>\
        <m:properties><d:ID m:type="Edm.Int32">\(id)</d:ID><d:Name>n</d:Name></m:properties></entry>
        """
    }

    static let root = " \(names) xml:base=\"http://service.test/odata/\""

    static func feed(_ entries: String, next: String? = nil) -> HTTPResponse {
        let link = next.map { "<link rel=\"next\" href=\"\($0)\"/>" } ?? ""
        return atom(
            """
            <?xml version="1.0" encoding="utf-8"?>
            <feed\(root)>
            <id>http://service.test/odata/x</id><title type="text">x</title><updated>2024-01-01T00:00:00Z</updated>
            <link rel="self" href="x"/><m:count>99</m:count>
            \(entries)\(link)</feed>
            """,
            type: "application/atom+xml;type=feed;charset=utf-8"
        )
    }

    static func atom(
        _ body: String,
        status: Int = 200,
        type: String = "application/atom+xml;type=entry;charset=utf-8",
        headers: HTTPHeaders = [:]
    ) -> HTTPResponse {
        var headers = headers
        headers["Content-Type"] = type
        headers["DataServiceVersion"] = "3.0"
        return HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
    }

    static func error(_ message: String, status: Int) -> HTTPResponse {
        atom(
            "<m:error \(names)><m:code>E1</m:code><m:message xml:lang=\"en\">\(message)</m:message></m:error>",
            status: status,
            type: "application/xml"
        )
    }

    /// Opens a store of all sets; batches are refused.
    static func opened(
        orders: String = order(1, "<d:Title>one</d:Title>"),
        items: String = item(8, "Lamp"),
        photos: String = photo(5)
    ) async throws -> AtomShop {
        let service = try RecordedService(metadata: model)
        service.set("GET Orders", feed(orders))
        service.set("GET Items", feed(items))
        service.set("GET Photos", feed(photos))
        service.set("POST $batch", HTTPResponse(status: 404))
        let provider = try await service.opened(["Orders", "Items", "Photos"])
        service.clearLog()
        return AtomShop(service: service, provider: provider)
    }

    /// The requests of the last upload that were no batch.
    var sent: [HTTPRequest] { service.log.filter { !$0.url.hasSuffix("$batch") } }

    func entity(_ query: String) async throws -> EntityValue {
        try #require(try await provider.executeQuery(query).first)
    }
}
