@testable import StoreRecords
import ODataSQL
import ODataValues
@testable import StoreUpload
import ODataModel
import ODataTables
import TestSupport
import Testing

/// Bodies of versions 1 to 3.
@Suite struct VerboseBodyWriterTests {
    private static let metadata = """
        <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx"><edmx:DataServices
          xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" m:DataServiceVersion="2.0">
        <Schema Namespace="N" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
          <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Name" Type="Edm.String"/>
            <Property Name="OwnerID" Type="Edm.Int32"/></EntityType>
          <EntityContainer Name="C" m:IsDefaultEntityContainer="true"><EntitySet Name="Items" EntityType="N.Item"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    /// A value that stands for one not known yet, such as the key of an entity created here, is left out.
    @Test func leavesOutWhatIsNotKnown() throws {
        let schema = try StoreSchema.make(Array(Self.metadata.utf8))
        let source = try #require(schema.model.navigationSource(named: "Items"))
        let plan = try #require(schema.plans.plan(for: source))
        let table = try #require(schema.layout[source])
        var body = EntityBody(plan: plan)
        for (slot, column) in table.columns.enumerated() {
            switch column.name {
            case "Name": body.set(.text("pump"), slot: slot)
            default: body.set(UnknownValue.provisional(LocalID(), in: column), slot: slot)
            }
        }
        let json = try EntityBodyWriter.json(body, in: schema, as: .verbose(uri: nil) { $0 })
        #expect(
            String(decoding: json, as: UTF8.self)
                == #"{"__metadata":{"type":"N.Item"},"Name":"pump"}"#
        )
    }
}
