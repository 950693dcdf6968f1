import ODataSQLite
import TestSupport
import Testing

@testable import OfflineStore
@testable import StoreDownload
@testable import StoreUpgrade
@testable import StoreRecords

/// Upgrades after which waiting changes are stored in another form: each can still be shown, taken back and built upon.
@Suite struct EffectUpgradeTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var old: [UInt8]
        var new: [UInt8]
        /// The entity as the service has it, and what two changes give to it.
        var base: String
        var changes: (String, String)
        /// The entity with the first change, and with both.
        var after: (String, String)
    }

    private static let address = """
        <ComplexType Name="Address"><Property Name="City" Type="Edm.String"/>
        <Property Name="Rate" Type="Edm.Decimal" Precision="5" Scale="2"/></ComplexType>
        """

    private static func price(_ name: String, _ new: String) -> Case {
        func document(_ facets: String) -> [UInt8] {
            SmallDocument.items("<Property Name=\"Price\" Type=\"Edm.Decimal\" \(facets)/>")
        }
        return Case(
            testDescription: name,
            old: document("Precision=\"10\" Scale=\"2\""),
            new: document(new),
            base: #"{"ID":1,"Price":1.1}"#,
            changes: (#"{"Price":77.25}"#, #"{"Price":null}"#),
            after: (#"{"ID":1,"Price":77.25}"#, #"{"ID":1,"Price":null}"#)
        )
    }

    private static func complex(_ name: String, _ change: (String) -> String) -> Case {
        func document(_ types: String) -> [UInt8] {
            SmallDocument.items("<Property Name=\"Address\" Type=\"T.Address\"/>", types: types)
        }
        return Case(
            testDescription: name,
            old: document(address),
            new: document(change(address)),
            base: #"{"ID":1,"Address":{"City":"a","Rate":1.50}}"#,
            changes: (#"{"Address":{"City":"b"}}"#, #"{"Address":{"Rate":2.25}}"#),
            after: (
                #"{"ID":1,"Address":{"City":"b","Rate":1.50}}"#,
                #"{"ID":1,"Address":{"City":"b","Rate":2.25}}"#
            )
        )
    }

    /// The same type inside of another complex value.
    private static let nested: Case = {
        let outer = """
            <ComplexType Name="Place"><Property Name="Floor" Type="Edm.Int32"/>
            <Property Name="Address" Type="T.Address"/></ComplexType>
            """
        func document(_ types: String) -> [UInt8] {
            SmallDocument.items(
                "<Property Name=\"Place\" Type=\"T.Place\"/>",
                types: types + outer
            )
        }
        return Case(
            testDescription: "a complex type inside of another that becomes open",
            old: document(address),
            new: document(
                address.replacing("Name=\"Address\"", with: "Name=\"Address\" OpenType=\"true\"")
            ),
            base: #"{"ID":1,"Place":{"Floor":3,"Address":{"City":"a","Rate":1.50}}}"#,
            changes: (
                #"{"Place":{"Address":{"City":"b"}}}"#, #"{"Place":{"Floor":4,"Address":null}}"#
            ),
            after: (
                #"{"ID":1,"Place":{"Floor":3,"Address":{"City":"b","Rate":1.50}}}"#,
                #"{"ID":1,"Place":{"Floor":4,"Address":null}}"#
            )
        )
    }()

    static let cases = [
        nested,
        price("more digits", "Precision=\"12\" Scale=\"4\""),
        price("too many digits for an integer", "Precision=\"30\" Scale=\"10\""),
        price("any digits", "Precision=\"10\" Scale=\"variable\""),
        price("no limit", "Scale=\"variable\""),
        complex("a complex type that becomes open") {
            $0.replacing("Name=\"Address\"", with: "Name=\"Address\" OpenType=\"true\"")
        },
        complex("a complex type with more digits") {
            $0.replacing("Precision=\"5\" Scale=\"2\"", with: "Precision=\"9\" Scale=\"4\"")
        },
        complex("a complex type that gets a derived type") {
            $0 + "<ComplexType Name=\"Special\" BaseType=\"T.Address\"/>"
        },
        Case(
            testDescription: "dynamic values that are declared now",
            old: SmallDocument.items("", traits: "OpenType=\"true\""),
            new: SmallDocument.items(
                """
                <Property Name="Weight" Type="Edm.Decimal" Scale="variable"/><Property Name="Born" Type="Edm.Date"/>
                """,
                traits: "OpenType=\"true\""
            ),
            base: #"{"ID":1,"Weight":1.5,"Born":"2001-02-28","Free":1}"#,
            changes: (#"{"Weight":12.500,"Free":2}"#, #"{"Born":null,"More":3}"#),
            after: (
                #"{"ID":1,"Weight":12.500,"Born":"2001-02-28","Free":2}"#,
                #"{"ID":1,"Weight":12.500,"Born":null,"Free":2,"More":3}"#
            )
        ),
    ]

    private func expect(_ entity: String, in store: FilledStore, _ step: Comment) throws {
        let found = try store.entities("Items").map { item in
            guard case .object(let members) = item else { return item }
            return .object(members.filter { !$0.name.hasPrefix("@sap.") })
        }
        let expected = JSONValue.array([try JSONValue(entity)])
        #expect(expected.difference(to: .array(found)) == nil, step)
    }

    private func edit<R>(_ store: FilledStore, _ work: (QueueEditor) throws -> R) throws -> R {
        let schema = try store.schema()
        return try store.store.file.writeBlocking { try work(QueueEditor($0, schema: schema)) }
    }

    @Test(arguments: cases)
    func keepsWhatWaits(_ upgrade: Case) async throws {
        let store = try FilledStore(upgrade.old)
        try await store.load("Items", [upgrade.base])
        try store.update("Items(1)", upgrade.changes.0)
        try store.update("Items(1)", upgrade.changes.1)

        try await store.store.upgrade(to: upgrade.new)

        try expect(upgrade.after.1, in: store, "both")
        _ = try edit(store) { try $0.drop([2]) }
        try expect(upgrade.after.0, in: store, "the first")
        _ = try edit(store) { try $0.undoAll() }
        try expect(upgrade.base, in: store, "none")
        #expect(try store.faults() == "ok")
    }

    /// A change of an entity that is deleted by a later one has its base copy only.
    @Test(arguments: cases)
    func keepsWhatADeletionHides(_ upgrade: Case) async throws {
        let store = try FilledStore(upgrade.old)
        try await store.load("Items", [upgrade.base])
        try store.update("Items(1)", upgrade.changes.0)
        try store.delete("Items(1)")

        try await store.store.upgrade(to: upgrade.new)

        #expect(try store.entities("Items").isEmpty)
        _ = try edit(store) { try $0.drop([2]) }
        try expect(upgrade.after.0, in: store, "without the deletion")
    }

    /// What is declared by the name of a dynamic property, of which `"many"` is no value.
    static let declarations: [(property: String, types: String)] = [
        (#"<Property Name="Count" Type="T.C"/>"#, #"<ComplexType Name="C"/>"#),
        (#"<Property Name="Count" Type="Collection(Edm.String)"/>"#, ""),
        (
            #"<Property Name="Count" Type="T.E"/>"#,
            #"<EnumType Name="E"><Member Name="A"/></EnumType>"#
        ),
        (#"<Property Name="Count" Type="Edm.Stream"/>"#, ""),
        (#"<NavigationProperty Name="Count" Type="T.Item"/>"#, ""),
        (#"<Property Name="Count" Type="Edm.String" MaxLength="3"/>"#, ""),
    ]

    @Test(arguments: declarations)
    func aDynamicValueThatIsNoneOfTheDeclaredStands(_ property: String, _ types: String)
        async throws
    {
        let store = try FilledStore(SmallDocument.items("", traits: "OpenType=\"true\""))
        try await store.load("Items", [#"{"ID":1}"#])
        try store.update("Items(1)", #"{"Count":"many"}"#)
        let document = SmallDocument.items(property, traits: "OpenType=\"true\"", types: types)

        let refusal = await #expect(throws: StoreError.self) {
            try await store.store.upgrade(to: document)
        }

        #expect(refusal?.details.first?.hasPrefix("waiting request 1 does not fit, ") == true)
        _ = try edit(store) { try $0.drop([1]) }
        try await store.store.upgrade(to: document)
    }

    /// What an upgrade that is refused would have done to the requests that wait.
    @Test func namesTheRequestsWithValuesThatAreTakenAway() async throws {
        func document(_ more: String) -> [UInt8] {
            SmallDocument.items(
                #"<Property Name="Color" Type="T.E"/><Property Name="Name" Type="Edm.String"/>"#,
                types: #"<EnumType Name="E"><Member Name="A"/>\#(more)</EnumType>"#
            )
        }
        let store = try FilledStore(document(#"<Member Name="B"/>"#))
        try await store.load("Items", [#"{"ID":1}"#, #"{"ID":2}"#, #"{"ID":3}"#])
        try store.update("Items(1)", #"{"Color":"B"}"#)
        try store.update("Items(2)", #"{"Color":"A","Name":"n"}"#)
        try store.delete("Items(3)")

        let refusal = await #expect(throws: StoreError.self) {
            try await store.store.upgrade(to: document(""))
        }

        let lines = refusal?.details ?? []
        #expect(lines.filter { $0.contains("request") }.count == 1, "\(lines)")
        #expect(
            lines.last
                == "waiting request 1 does not fit, PATCH Items(1): 'B' is no member of T.E; its members: A"
        )
    }

    /// A relation of another type may be called like the set of a request.
    @Test func namesNoRequestThatARemovedRelationDoesNotConcern() async throws {
        func document(_ more: String) -> [UInt8] {
            SmallDocument.items(
                #"<Property Name="Name" Type="Edm.String"/>"#,
                types: #"<EntityType Name="Box"><Key><PropertyRef Name="ID"/></Key>"#
                    + #"<Property Name="ID" Type="Edm.Int32" Nullable="false"/>\#(more)</EntityType>"#
            )
        }
        let relation = #"<NavigationProperty Name="Items" Type="Collection(T.Item)"/>"#
        let store = try FilledStore(document(relation))
        try await store.load("Items", [#"{"ID":1}"#])
        try store.update("Items(1)", #"{"Name":"n"}"#)
        let refusal = await #expect(throws: StoreError.self) {
            try await store.store.upgrade(to: document(""))
        }
        let lines = refusal?.details ?? []
        #expect(lines.contains { $0.hasPrefix("T.Box/Items") }, "\(lines)")
        #expect(!lines.contains { $0.contains("request 1") }, "\(lines)")
    }

    /// What waits was complete when it was written; the service decides about it.
    ///
    /// Types that are open elsewhere in the model make no difference.
    @Test(arguments: ["", #"<EntityType Name="Z" OpenType="true"/>"#])
    func aNewRequiredMemberOfAComplexTypeStandsAgainstNoUpgrade(_ open: String) async throws {
        func document(_ more: String) -> [UInt8] {
            SmallDocument.items(
                #"<Property Name="C" Type="T.Cx"/>"#,
                types:
                    #"<ComplexType Name="Cx"><Property Name="U" Type="Edm.String"/>\#(more)</ComplexType>"#
                    + #"<ComplexType Name="Dx" BaseType="T.Cx"/>\#(open)"#
            )
        }
        let store = try FilledStore(document(""))
        try await store.load("Items", [#"{"ID":1,"C":{"U":"u"}}"#])
        try store.update("Items(1)", #"{"C":{"U":"mine"}}"#)
        try await store.store.upgrade(
            to: document(#"<Property Name="V" Type="Edm.Int32" Nullable="false"/>"#)
        )
        #expect(try store.entities("Items").count == 1)
    }

    /// Entities of the base type have the property as a dynamic one as before.
    @Test func aNameThatADerivedTypeDeclaresStaysDynamicElsewhere() async throws {
        func document(_ property: String) -> [UInt8] {
            SmallDocument.items(
                "",
                traits: "OpenType=\"true\"",
                types:
                    "<EntityType Name=\"Part\" BaseType=\"T.Item\" OpenType=\"true\">\(property)</EntityType>"
            )
        }
        let store = try FilledStore(document(""))
        let part = ##"{"@odata.type":"#T.Part","ID":2,"Note":"b"}"##
        try await store.load("Items", [#"{"ID":1,"Note":"a"}"#, part])
        try store.update("Items(1)", #"{"Note":"mine"}"#)
        try store.update("Items(2)", #"{"Note":"mine too"}"#)

        try await store.store.upgrade(to: document("<Property Name=\"Note\" Type=\"Edm.String\"/>"))
        try await store.reload("Items", [#"{"ID":1,"Note":"a"}"#, part])

        let notes = try store.entities("Items").map { $0["Note"]?.text }
        #expect(notes == ["'mine'", "'mine too'"])
    }

    @Test func aDynamicValueOfAnotherTypeStandsAgainstTheUpgrade() async throws {
        let store = try FilledStore(SmallDocument.items("", traits: "OpenType=\"true\""))
        try await store.load("Items", [#"{"ID":1,"Count":1}"#])
        try store.update("Items(1)", #"{"Count":"many"}"#)
        let document = SmallDocument.items(
            "<Property Name=\"Count\" Type=\"Edm.Int32\"/>",
            traits: "OpenType=\"true\""
        )
        let before = try store.dump()

        let refusal = await #expect(throws: StoreError.self) {
            try await store.store.upgrade(to: document)
        }

        #expect(
            refusal?.details.first?.hasPrefix("waiting request 1 does not fit, PATCH Items(1): ")
                == true
        )
        #expect(refusal?.message.hasSuffix("edit or drop the requests that do not fit") == true)
        #expect(try store.dump() == before)
        _ = try edit(store) { try $0.drop([1]) }
        try await store.store.upgrade(to: document)
        try expect(#"{"ID":1,"Count":1}"#, in: store, "after")
    }
}
