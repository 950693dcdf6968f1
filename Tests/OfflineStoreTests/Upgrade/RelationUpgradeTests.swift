import TestSupport
import Testing

@testable import StoreDownload
@testable import StoreUpgrade
@testable import StoreRecords
@testable import OfflineStore

/// Upgrades that change how entities find each other, and what a delta would not bring.
@Suite struct RelationUpgradeTests {
    private static func document(partner: String, back: String, more: String = "") -> [UInt8] {
        SmallDocument.text(
            """
            <EntityType Name="Z"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <NavigationProperty Name="As" Type="Collection(T.A)" \(partner)/></EntityType>
            <EntityType Name="A"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>\(back)</EntityType>
            \(more)
            """,
            sets: [("Zs", "T.Z", ""), ("As", "T.A", "")]
        )
    }

    /// The link table of a relationship is named after one of its ends; a new end must not change that.
    @Test func keepsLinksWhenTheOtherEndIsDeclared() async throws {
        let store = try FilledStore(Self.document(partner: "", back: ""))
        try await store.load("Zs", [#"{"ID":1}"#])
        try await store.load("As", [#"{"ID":10}"#, #"{"ID":11}"#])
        try store.link("Zs(1)/As", to: "As(11)")

        try await store.store.upgrade(
            to: Self.document(
                partner: "Partner=\"Zs\"",
                back: "<NavigationProperty Name=\"Zs\" Type=\"Collection(T.Z)\" Partner=\"As\"/>"
            )
        )

        #expect(try store.ids("Zs(1)/As") == ["11"])
        #expect(try store.ids("As(11)/Zs") == ["1"])
    }

    /// Nothing of the table changes, and yet the next delta would not tell the new values.
    @Test(arguments: [
        (
            "<ComplexType Name=\"L\"><Property Name=\"A\" Type=\"Edm.Int32\"/></ComplexType>",
            "<ComplexType Name=\"L\"><Property Name=\"A\" Type=\"Edm.Int32\"/><Property Name=\"B\" Type=\"Edm.Int32\"/></ComplexType>"
        ),
        (
            "<EnumType Name=\"L\"><Member Name=\"A\"/></EnumType>",
            "<EnumType Name=\"L\"><Member Name=\"A\"/><Member Name=\"B\"/></EnumType>"
        ),
        (
            "<ComplexType Name=\"K\"/><ComplexType Name=\"L\" BaseType=\"T.K\"/>",
            "<ComplexType Name=\"K\"><Property Name=\"B\" Type=\"Edm.Int32\"/></ComplexType><ComplexType Name=\"L\" BaseType=\"T.K\"/>"
        ),
        (
            "<TypeDefinition Name=\"L\" UnderlyingType=\"Edm.String\" MaxLength=\"3\"/>",
            "<TypeDefinition Name=\"L\" UnderlyingType=\"Edm.String\" MaxLength=\"9\"/>"
        ),
    ])
    func readsInFullWhatHoldsAGrownType(_ old: String, _ new: String) async throws {
        let properties = "<Property Name=\"Lines\" Type=\"Collection(T.L)\"/>"
        let store = try FilledStore(Self.document(partner: "", back: properties, more: old))
        try await store.load("As", [#"{"ID":1,"Lines":[]}"#])
        try await store.load("Zs", [#"{"ID":1}"#])

        try await store.store.upgrade(to: Self.document(partner: "", back: properties, more: new))

        #expect(try store.query("As").needsFullRead)
        #expect(try store.query("As").deltaLink == nil)
        #expect(try !store.query("Zs").needsFullRead)
        #expect(try store.query("Zs").deltaLink == "Zs?$deltatoken=1")
    }

    /// Entities may lead to others by what they have been given.
    @Test(arguments: ["Zs", "Z"])
    func readsInFullWhatHasANewNavigationProperty(_ name: String) async throws {
        func document(_ back: String) -> [UInt8] { Self.document(partner: "", back: back) }
        let store = try FilledStore(document(""))
        try await store.load("As", [#"{"ID":1}"#])
        try await store.load("Zs", [#"{"ID":1}"#])
        let type = name == "Zs" ? "Collection(T.Z)" : "T.Z"

        try await store.store.upgrade(
            to: document("<NavigationProperty Name=\"\(name)\" Type=\"\(type)\"/>")
        )

        #expect(try store.query("As").deltaLink == nil)
        #expect(try store.query("Zs").deltaLink == "Zs?$deltatoken=1")
    }

    /// What is contained comes with what contains it.
    @Test func readsInFullWhatContainsAGrownType() async throws {
        func document(_ more: String) -> [UInt8] {
            Self.document(
                partner: "",
                back: """
                    <NavigationProperty Name="Parts" Type="Collection(T.P)" ContainsTarget="true"/>
                    """,
                more: """
                    <EntityType Name="P"><Key><PropertyRef Name="ID"/></Key>
                    <Property Name="ID" Type="Edm.Int32" Nullable="false"/>\(more)</EntityType>
                    """
            )
        }
        let store = try FilledStore(document(""))
        try await store.load("As", [#"{"ID":1}"#])
        try await store.load("Zs", [#"{"ID":1}"#])

        try await store.store.upgrade(to: document("<Property Name=\"B\" Type=\"Edm.Int32\"/>"))

        #expect(try store.query("As").deltaLink == nil)
        #expect(try store.query("Zs").deltaLink == "Zs?$deltatoken=1")
    }

    /// A table that a download has made since the upgrade was planned gets the new columns too.
    @Test func upgradesTablesThatAreNewerThanThePlan() async throws {
        func document(_ more: String) -> [UInt8] { Self.document(partner: "", back: more) }
        let store = try FilledStore(document(""))
        let new = document("<Property Name=\"B\" Type=\"Edm.Int32\"/>")
        let plan = try store.store.file.readBlocking { try UpgradePlan(new, on: $0) }
        try await store.load("As", [#"{"ID":1}"#])

        try store.store.file.writeBlocking { try SchemaUpgrade($0).run(new, prepared: plan) }

        #expect(try store.ids("As") == ["1"])
    }

    /// What was worked out for another model than the store has by now is worked out anew.
    @Test func takesNoPlanThatWasMadeForAnotherModel() throws {
        func document(_ more: String) -> [UInt8] {
            Self.document(
                partner: "",
                back: "<NavigationProperty Name=\"First\" Type=\"T.Z\"/>" + more
            )
        }
        // The first upgrade of a store makes the table of its events.
        let store = try FilledStore(Self.document(partner: "", back: ""))
        try store.store.file.writeBlocking { try SchemaUpgrade($0).run(document("")) }
        let new = document("<Property Name=\"B\" Type=\"Edm.Int32\"/>")
        let other = document("<NavigationProperty Name=\"Zs\" Type=\"Collection(T.Z)\"/>")
        let plan = try store.store.file.readBlocking { try UpgradePlan(new, on: $0) }
        try store.store.file.writeBlocking { try SchemaUpgrade($0).run(other) }

        #expect(throws: StoreError.self) {
            try store.store.file.writeBlocking { try SchemaUpgrade($0).run(new, prepared: plan) }
        }
    }

    @Test func readsNothingInFullForOtherDocumentsOfTheSameModel() async throws {
        let store = try FilledStore(Self.document(partner: "", back: ""))
        try await store.load("As", [#"{"ID":1}"#])

        try await store.store.upgrade(to: Self.document(partner: "", back: " "))

        #expect(try store.query("As").deltaLink == "As?$deltatoken=1")
    }
}
