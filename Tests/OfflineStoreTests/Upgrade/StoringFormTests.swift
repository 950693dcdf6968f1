@testable import StoreDownload
@testable import StoreUpgrade
@testable import StoreRecords
import ODataSQL
import ODataSQLite
import ODataTables
import TestSupport
import Testing

@testable import OfflineStore

/// Upgrades after which a property is stored in another form: each value comes back as it went in.
@Suite struct StoringFormTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var old: [UInt8]
        var new: [UInt8]
        var entities: [String]
        /// What comes back where it is not what went in.
        var after: [String]?
        /// Whether the entities may have more to tell under the new document.
        var isTouched = true
    }

    static let address = """
        <ComplexType Name="Address"><Property Name="City" Type="Edm.String"/>
        <Property Name="Rate" Type="Edm.Decimal" Precision="5" Scale="2"/></ComplexType>
        """

    static let cases = [
        Case(
            testDescription: "a decimal with more digits after the point",
            old: decimal("Precision=\"10\" Scale=\"2\""),
            new: decimal("Precision=\"12\" Scale=\"4\""),
            entities: prices(["1.10", "-0.5", "99999999.99", "1.239", "-1.239", "0", "null"])
        ),
        Case(
            testDescription: "a decimal with too many digits for an integer",
            old: decimal("Precision=\"10\" Scale=\"2\""),
            new: decimal("Precision=\"30\" Scale=\"10\""),
            entities: prices(["1.10", "-0.5", "99999999.99", "1.239", "-1.239", "0.00", "null"])
        ),
        Case(
            testDescription: "a decimal with any digits",
            old: decimal("Precision=\"18\" Scale=\"0\""),
            new: decimal("Precision=\"18\" Scale=\"variable\""),
            entities: prices(["1", "-999999999999999999", "999999999999999999", "null"])
        ),
        Case(
            testDescription: "a complex type that gets a derived type",
            old: complex(address),
            new: complex(address + "<ComplexType Name=\"Special\" BaseType=\"T.Address\"/>"),
            entities: addresses,
            isTouched: false
        ),
        Case(
            testDescription: "a complex type that becomes open",
            old: complex(address),
            new: complex(
                address.replacing("Name=\"Address\"", with: "Name=\"Address\" OpenType=\"true\"")
            ),
            entities: addresses
        ),
        Case(
            testDescription: "a complex type that gets a property",
            old: complex(address),
            new: complex(
                address.replacing(
                    "</ComplexType>",
                    with: "<Property Name=\"Zip\" Type=\"Edm.String\"/></ComplexType>"
                )
            ),
            entities: addresses
        ),
        Case(
            testDescription: "a complex value that may be null",
            old: complex(address, "Nullable=\"false\""),
            new: complex(address),
            entities: [#"{"ID":1,"Address":{"City":"a","Rate":1.50}}"#]
        ),
        Case(
            testDescription: "dynamic values that are declared now",
            old: SmallDocument.items("", traits: "OpenType=\"true\""),
            new: SmallDocument.items(
                """
                <Property Name="Weight" Type="Edm.Decimal" Scale="variable"/><Property Name="Born" Type="Edm.Date"/>
                <Property Name="Count" Type="Edm.Int32"/><Property Name="Tags" Type="Collection(Edm.String)"/>
                <Property Name="Address" Type="T.Address"/>
                """,
                traits: "OpenType=\"true\"",
                types: address
            ),
            entities: [
                #"{"ID":1,"Weight":12.500,"Born":"2001-02-28","Count":"x","Tags":["a"],"Address":{"City":"c"},"Free":{"a":1}}"#,
                #"{"ID":2,"Free":1.0}"#,
            ],
            after: [
                #"{"ID":1,"Weight":12.500,"Born":"2001-02-28","Tags":["a"],"Address":{"City":"c"},"Free":{"a":1}}"#,
                #"{"ID":2,"Free":1.0}"#,
            ]
        ),
        Case(
            testDescription: "properties of derived types that move to the base type",
            old: SmallDocument.items(
                "",
                types: derived(
                    inside: "<Property Name=\"Size\" Type=\"Edm.Decimal\" Scale=\"variable\"/>"
                )
            ),
            new: SmallDocument.items(
                "<Property Name=\"Size\" Type=\"Edm.Decimal\" Scale=\"variable\"/>",
                types: derived(inside: "")
            ),
            entities: sizes
        ),
        Case(
            testDescription: "a property of one derived type that moves to the base type",
            old: SmallDocument.items(
                "",
                types:
                    "<EntityType Name=\"A\" BaseType=\"T.Item\"><Property Name=\"Size\" Type=\"Edm.Decimal\" Scale=\"variable\"/></EntityType>"
            ),
            new: SmallDocument.items(
                "<Property Name=\"Size\" Type=\"Edm.Decimal\" Scale=\"variable\"/>",
                types: "<EntityType Name=\"A\" BaseType=\"T.Item\"/>"
            ),
            entities: [#"{"ID":1}"#, ##"{"@odata.type":"#T.A","ID":2,"Size":1.0}"##]
        ),
        Case(
            testDescription: "a key with more digits",
            old: SmallDocument.items("", id: "Type=\"Edm.Decimal\" Precision=\"5\" Scale=\"1\""),
            new: SmallDocument.items("", id: "Type=\"Edm.Decimal\" Precision=\"25\" Scale=\"5\""),
            entities: [#"{"ID":1.5}"#, #"{"ID":2}"#]
        ),
        Case(
            testDescription: "an enumeration member that was not known",
            old: enumeration("<Member Name=\"A\"/>"),
            new: enumeration("<Member Name=\"A\"/><Member Name=\"B\"/>"),
            entities: [#"{"ID":1,"Kind":"B"}"#, #"{"ID":2,"Kind":"A"}"#]
        ),
    ]

    private static func decimal(_ facets: String) -> [UInt8] {
        SmallDocument.items("<Property Name=\"Price\" Type=\"Edm.Decimal\" \(facets)/>")
    }

    private static func complex(_ types: String, _ facets: String = "") -> [UInt8] {
        SmallDocument.items(
            "<Property Name=\"Address\" Type=\"T.Address\" \(facets)/>",
            types: types
        )
    }

    private static func enumeration(_ members: String) -> [UInt8] {
        SmallDocument.items(
            "<Property Name=\"Kind\" Type=\"T.Kind\"/>",
            types: "<EnumType Name=\"Kind\">\(members)</EnumType>"
        )
    }

    private static func derived(inside: String) -> String {
        "<EntityType Name=\"A\" BaseType=\"T.Item\">\(inside)</EntityType>"
            + "<EntityType Name=\"B\" BaseType=\"T.Item\">\(inside)</EntityType>"
    }

    private static func prices(_ texts: [String]) -> [String] {
        texts.enumerated().map { #"{"ID":\#($0),"Price":\#($1)}"# }
    }

    private static let addresses = [
        #"{"ID":1,"Address":{"City":"a","Rate":1.50}}"#, #"{"ID":2,"Address":null}"#,
        #"{"ID":3,"Address":{"City":null,"Rate":null}}"#,
    ]

    private static let sizes = [
        #"{"ID":1}"#, ##"{"@odata.type":"#T.A","ID":2,"Size":1.0}"##,
        ##"{"@odata.type":"#T.B","ID":3,"Size":2.50}"##,
    ]

    @Test(arguments: cases)
    func keepsEachValue(_ upgrade: Case) async throws {
        let store = try FilledStore(upgrade.old)
        try await store.load("Items", upgrade.entities)

        try await store.store.upgrade(to: upgrade.new)

        let expected = try (upgrade.after ?? upgrade.entities).map { try JSONValue($0) }
        let found = try store.entities("Items")
        #expect(JSONValue.array(expected).difference(to: .array(found)) == nil)
        #expect(try store.query("Items").needsFullRead == upgrade.isTouched)
        #expect(try store.faults() == "ok")
    }

    /// A second upgrade finds the names and forms of the first.
    @Test(arguments: cases)
    func readsTheUpgradedFileAnew(_ upgrade: Case) async throws {
        let store = try FilledStore(upgrade.old)
        try await store.load("Items", upgrade.entities)
        try await store.store.upgrade(to: upgrade.new)
        let before = try store.entities("Items")

        let again = try FilledStore(opening: store)

        #expect(JSONValue.array(before).difference(to: .array(try again.entities("Items"))) == nil)
        #expect(
            try again.schema().layout.orderedTables.map { $0.columns.map(\.name) }
                == store.schema().layout.orderedTables.map { $0.columns.map(\.name) }
        )
    }

    /// Digits after the point are kept as written, not only as a number.
    @Test(arguments: cases.prefix(3))
    func keepsTheTextOfDecimals(_ upgrade: Case) async throws {
        let store = try FilledStore(upgrade.old)
        try await store.load("Items", upgrade.entities)

        try await store.store.upgrade(to: upgrade.new)

        let texts = try store.entities("Items").compactMap { $0["Price"]?.text }
        #expect(texts == upgrade.entities.compactMap { try? JSONValue($0)["Price"]?.text })
    }

    @Test func findsEntitiesByAKeyOfAnotherForm() async throws {
        let upgrade = try #require(
            Self.cases.first { $0.testDescription == "a key with more digits" }
        )
        let store = try FilledStore(upgrade.old)
        try await store.load("Items", upgrade.entities)

        try await store.store.upgrade(to: upgrade.new)
        try await store.reload("Items", [#"{"ID":1.50}"#, #"{"ID":3.12345}"#])

        #expect(try store.entities("Items").compactMap { $0["ID"]?.text } == ["1.50", "3.12345"])
    }

    /// No two entities have one key, whatever column the key stands in by now.
    @Test func keepsKeysOfAnotherFormUnique() async throws {
        let upgrade = try #require(
            Self.cases.first { $0.testDescription == "a key with more digits" }
        )
        let store = try FilledStore(upgrade.old)
        try await store.load("Items", upgrade.entities)

        try await store.store.upgrade(to: upgrade.new)

        let table = try #require(try await store.store.schema().layout.table(named: "Items"))
        let columns = try store.store.file.readBlocking { connection in
            var names: [String] = []
            try connection.forEachRow(
                """
                SELECT x."name" FROM pragma_index_list('Items') i, pragma_index_info(i."name") x
                WHERE i."unique" = 1
                """
            ) { names.append($0.string(0)) }
            return names
        }
        #expect(columns == table.keyColumns.map { table.columns[$0].name })
    }

    @Test func findsValuesOfAnotherFormByFilters() async throws {
        let upgrade = try #require(
            Self.cases.first { $0.testDescription == "a complex type that becomes open" }
        )
        let store = try FilledStore(upgrade.old)
        try await store.load("Items", upgrade.entities)

        try await store.store.upgrade(to: upgrade.new)

        #expect(try store.ids("Items?$filter=Address/City eq 'a' and Address/Rate eq 1.5") == ["1"])
    }
}
