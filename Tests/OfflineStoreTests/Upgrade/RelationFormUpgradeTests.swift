import ODataSQLite
import TestSupport
import Testing

@testable import OfflineStore
@testable import StoreDownload
@testable import StoreUpgrade
@testable import StoreRecords

/// Upgrades after which the store keeps the same relation in another form: links, or a foreign key.
@Suite struct RelationFormUpgradeTests {
    /// How the metadata declares the relation of parts and their category.
    enum Declaration: String, CaseIterable, Sendable {
        case partners, strangers, constraint, lonelyConstraint, property

        var document: [UInt8] {
            let areMarried = self != .strangers && self != .lonelyConstraint
            let isConstrained = self == .constraint || self == .lonelyConstraint
            let key = #"<Property Name="CatID" Type="Edm.Int32"/>"#
            return SmallDocument.text(
                """
                <EntityType Name="Cat"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
                <NavigationProperty Name="Parts" Type="Collection(T.Part)" \(areMarried ? #"Partner="Cat""# : "")/></EntityType>
                <EntityType Name="Part"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
                \(isConstrained || self == .property ? key : "")
                <NavigationProperty Name="Cat" Type="T.Cat" \(areMarried ? #"Partner="Parts""# : "")>
                \(isConstrained ? #"<ReferentialConstraint Property="CatID" ReferencedProperty="ID"/>"# : "")
                </NavigationProperty></EntityType>
                """,
                sets: [
                    (
                        "Cats", "T.Cat",
                        #"<NavigationPropertyBinding Path="Parts" Target="Parts"/>"#
                    ),
                    ("Parts", "T.Part", #"<NavigationPropertyBinding Path="Cat" Target="Cats"/>"#),
                ]
            )
        }
    }

    /// A category with part 10, as the service has it, and part 11 without one.
    private func filled(_ declaration: Declaration) async throws -> FilledStore {
        let store = try FilledStore(declaration.document)
        try await store.load("Cats", [#"{"ID":1}"#])
        let hasKey = [.constraint, .lonelyConstraint].contains(declaration)
        try await store.load(
            "Parts",
            [hasKey ? #"{"ID":10,"CatID":1}"# : #"{"ID":10}"#, #"{"ID":11}"#]
        )
        guard !hasKey else { return store }
        try store.link("Parts(10)/Cat", to: "Cats(1)")
        if declaration == .strangers { try store.link("Cats(1)/Parts", to: "Parts(10)") }
        try store.store.file.writeBlocking {
            try $0.execute(
                "DELETE FROM \"$effect\"; DELETE FROM \"$baselink\"; DELETE FROM \"$queue\""
            )
        }
        return store
    }

    static let pairs: [(Declaration, Declaration)] = [
        (.partners, .strangers), (.partners, .constraint), (.property, .constraint),
        (.partners, .lonelyConstraint), (.strangers, .partners), (.strangers, .constraint),
        (.constraint, .property), (.constraint, .lonelyConstraint),
        (.lonelyConstraint, .constraint),
        (.lonelyConstraint, .property),
    ]

    @Test(arguments: pairs)
    func keepsLinks(_ old: Declaration, _ new: Declaration) async throws {
        let store = try await filled(old)

        try await store.store.upgrade(to: new.document)

        #expect(try store.ids("Parts(10)/Cat") == ["1"])
        #expect(try store.ids("Parts(11)/Cat") == [])
        if old != .lonelyConstraint || new == .constraint {
            #expect(try store.ids("Cats(1)/Parts") == ["10"])
        }
        #expect(try store.faults() == "ok")
    }

    /// What a local change of a link has done is known by the old form.
    @Test(arguments: [
        (Declaration.partners, Declaration.constraint), (.constraint, .property),
        (.partners, .strangers),
    ])
    func isRefusedWhileALinkChangeWaits(_ old: Declaration, _ new: Declaration) async throws {
        let store = try await filled(old)
        try store.link("Parts(11)/Cat", to: "Cats(1)")
        let before = try store.dump()

        let error = await #expect(throws: StoreError.self) {
            try await store.store.upgrade(to: new.document)
        }

        #expect(error?.code == .incompatibleSchema)
        #expect(error?.details.contains { $0.hasPrefix("T.Part/Cat: ") } == true)
        #expect(error?.details.last?.contains("is affected: ") == true)
        #expect(try store.dump() == before)
    }
}
