import OfflineOData
import Testing

/// Deltas of version 4.0 hold entities of other sets beside those of the query (OData JSON 4.0 § 14): each has its own context, and
/// members in any order.
@Suite struct RelatedTypeTests {
    private static let model = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Ward"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="Beds" Type="Collection(S.Bed)"/></EntityType>
        <EntityType Name="Bed"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
        <EntityType Name="Crib" BaseType="S.Bed"><Property Name="Bars" Type="Edm.Int32"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Wards" EntityType="S.Ward">
        <NavigationPropertyBinding Path="Beds" Target="Beds"/></EntitySet>
        <EntitySet Name="Beds" EntityType="S.Bed"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    static let items = [
        ##"{"@odata.context":"$metadata#Beds/$entity","@odata.type":"#S.Crib","ID":5,"Bars":7}"##,
        ##"{"@odata.context":"$metadata#Beds/$entity","ID":5,"Bars":7,"@odata.type":"#S.Crib"}"##,
        ##"{"@odata.context":"$metadata#Beds/S.Crib/$entity","ID":5,"Bars":7}"##,
        ##"{"@odata.context":"$metadata#Beds/S.Crib(ID,Bars)/$entity","ID":5,"Bars":7}"##,
    ]

    @Test(arguments: items, [true, false])
    func keepTheirDerivedType(_ item: String, _ isContextAhead: Bool) async throws {
        let service = try RecordedService(metadata: Self.model)
        service.set(
            "GET Wards?$expand=Beds",
            RecordedService.json(
                #"{"value":[{"ID":1,"Beds":[]}],"@odata.deltaLink":"Wards?d=1"}"#
            )
        )
        let provider = try await service.opened(["Wards?$expand=Beds"])
        let context = ##""@odata.context":"$metadata#Wards/$delta""##
        let link =
            ##"{"@odata.context":"$metadata#Wards/$link","source":"Wards(1)","relationship":"Beds","target":"Beds(5)"}"##
        let value = #""value":[\#(item),\#(link)],"@odata.deltaLink":"Wards?d=2""#
        service.set(
            "GET Wards?d=1",
            RecordedService.json(
                isContextAhead ? "{\(context),\(value)}" : "{\(value),\(context)}"
            )
        )
        try await provider.download()
        let cribs = try await provider.executeQuery("Wards(1)/Beds/S.Crib")
        #expect(cribs.map { $0["Bars"] } == [7])
    }
}
