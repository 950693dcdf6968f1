import StoreRecords
import ODataSQL
import ODataBinding
import ODataModel
import ODataTables
import OfflineStore
import TestSupport
import Testing

@testable import OfflineProvider
@testable import OfflineValues
@testable import OfflineOData

/// What a creation answers without reading it, against what a read of the row says.
@Suite struct CreatedEntityTests {
    private static let metadata = """
        <?xml version="1.0" encoding="utf-8"?>
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="M" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <EnumType Name="Kind"><Member Name="Big" Value="1"/></EnumType>
          <ComplexType Name="Place"><Property Name="City" Type="Edm.String"/>
            <Property Name="Height" Type="Edm.Decimal" Precision="9" Scale="2"/></ComplexType>
          <EntityType Name="Thing"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Guid" Nullable="false">
              <Annotation Term="Org.OData.Core.V1.ComputedDefaultValue"/></Property>
            <Property Name="Flag" Type="Edm.Boolean"/><Property Name="Long" Type="Edm.Int64"/>
            <Property Name="Double" Type="Edm.Double"/>
            <Property Name="Fixed" Type="Edm.Decimal" Precision="12" Scale="2"/>
            <Property Name="Wide" Type="Edm.Decimal" Precision="30" Scale="variable"/>
            <Property Name="Text" Type="Edm.String" DefaultValue="none"/>
            <Property Name="At" Type="Edm.DateTimeOffset" Precision="12"/>
            <Property Name="Bytes" Type="Edm.Binary"/><Property Name="Kind" Type="M.Kind"/>
            <Property Name="Place" Type="M.Place"/>
            <NavigationProperty Name="Parts" Type="Collection(M.Part)"/>
          </EntityType>
          <EntityType Name="Machine" BaseType="M.Thing"><Property Name="Power" Type="Edm.Int32"/></EntityType>
          <EntityType Name="Part"><Key><PropertyRef Name="Number"/></Key>
            <Property Name="Number" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Tags" Type="Collection(Edm.String)"/>
          </EntityType>
          <EntityContainer Name="C"><EntitySet Name="Things" EntityType="M.Thing">
            <NavigationPropertyBinding Path="Parts" Target="Parts"/></EntitySet>
            <EntitySet Name="Parts" EntityType="M.Part"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private let directory: TemporaryDirectory
    private let store: LocalStore

    init() throws {
        directory = try TemporaryDirectory()
        store = try LocalStore(path: directory.path + "/a.sqlite", isCreating: true)
        let schema = try StoreSchema.make(Array(Self.metadata.utf8))
        try store.file.writeBlocking { try StoreSchema.save(schema, on: $0) }
    }

    private static let id = "01234567-89ab-cdef-0123-456789abcdef"

    private static let things: [(members: [(String, ODataValue)], isShown: Bool)] = [
        ([("ID", .string(id))], true),
        // The key is the service's to give.
        ([("Text", .string("\"é\\\n"))], true),
        (
            [
                ("ID", .string(id)), ("Flag", true), ("Long", .integer(.max)), ("Double", 0.5),
                ("Fixed", 12.25), ("Wide", .number("1234567890.123456789012")), ("Text", .null),
                ("At", "2024-02-29T12:00:00.123456789012+02:00"), ("Bytes", "AQID"),
                ("Kind", "Big"),
            ], true
        ),
        ([("Place", .object([("City", "Leeds"), ("Height", 1.5)]))], true),
        ([("Place", .object([]))], true),
        ([("Place", .null), ("@odata.type", "#M.Machine"), ("Power", 7)], true),
        ([("Parts", .collection([.object([("Number", 1)])]))], false),
    ]

    @Test(arguments: things)
    func looksAsItIsRead(members: [(String, ODataValue)], isShown: Bool) throws {
        let entity = EntityValue(
            entitySet: "Things",
            members: members.map { (name: $0.0, value: $0.1) }
        )
        let schema = try store.file.readBlocking { try store.schema($0) }
        let source = try #require(schema.model.navigationSource(named: "Things"))
        let plan = try #require(schema.plans.plan(for: source))
        let body = try #require(
            try EntityBodyReader.readStrictly(entity.body(), plan: plan, in: schema)
        )
        try store.changeBlocking(ChangeOptions()) { transaction in
            let created = try transaction.insert(body, at: EntityPath(source: source))
            let read = try schema.singleReads.object(created.row, query: transaction.query())
            guard isShown else { return #expect(created.inserted == nil) }
            let shown = try #require(created.inserted).object(in: schema.layout)
            #expect(
                String(decoding: shown, as: UTF8.self)
                    == String(decoding: read ?? [], as: UTF8.self)
            )
        }
    }

    @Test func readsWhatHoldsJSON() throws {
        let created = try store.changeBlocking(ChangeOptions()) { transaction in
            try LocalWork(writing: transaction).create(
                EntityValue(entitySet: "Parts", ["Number": 5, "Tags": ["a", "b"]])
            )
        }
        #expect(created["Tags"]?.items?.count == 2)
        #expect(created.readLink == "Parts(5)")
    }

    /// Ids that stand beside each other in the file change few of its pages.
    @Test func localIDsFollowEachOther() {
        let ids = (0..<1_000).map { _ in LocalID().bytes }
        #expect(Set(ids).count == ids.count)
        // The clock is that of the system, which may be set back by a little.
        let steps = zip(ids, ids.dropFirst()).count {
            $0.prefix(7).lexicographicallyPrecedes($1.prefix(7)) || $0.prefix(7) == $1.prefix(7)
        }
        #expect(steps > 990)
    }
}
