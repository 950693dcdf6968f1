import ODataModel
import OfflineOData
import Testing

/// Answers as rows and columns.
@Suite struct TableTests {
    private static func table(_ json: String, model: EdmModel? = nil) throws -> OfflineODataTable {
        try OfflineODataTable(json: Array(json.utf8), model: model)
    }

    private static func oldModel() throws -> EdmModel {
        let document = """
            <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx"><edmx:DataServices
            m:DataServiceVersion="2.0" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
            <Schema Namespace="N" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
            <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.String" Nullable="false"/><Property Name="At" Type="Edm.DateTimeOffset"/>
            <Property Name="Text" Type="Edm.String"/><Property Name="Span" Type="N.Span"/></EntityType>
            <ComplexType Name="Span"><Property Name="End" Type="Edm.DateTime"/></ComplexType>
            </Schema></edmx:DataServices></edmx:Edmx>
            """
        return try CSDLDocument(reading: Array(document.utf8)).model
    }

    @Test func readsTheAnswersOfVersion2() throws {
        let table = try Self.table(
            """
            {"d":{"__count":"7","__next":"Orders?$skiptoken=2","results":[
            {"__metadata":{"uri":"x","type":"N.Order"},"ID":"1","At":"/Date(1700000000000)/","Text":"/Date(5)/",
            "Items":{"__deferred":{"uri":"y"}},"Tags":{"results":[{"__metadata":{"uri":"z"}}]}},
            {"__metadata":{"type":"N.Order"},"ID":"2","At":"/Date(1700000000500+0060)/","Text":null,
            "Span":{"End":"/Date(0)/"},"Lines":{"results":[{"__metadata":{},"N":1}]}}]}}
            """,
            model: Self.oldModel()
        )
        #expect(table.kind == .collection)
        #expect(table.columns == ["ID", "At", "Text", "Span/End", "Lines"])
        #expect(table.totalCount == 7)
        #expect(table.nextLink == "Orders?$skiptoken=2")
        let lines = [
            "ID,At,Text,Span/End,Lines", "1,2023-11-14T22:13:20,/Date(5)/,,",
            "2,2023-11-14T22:13:20.5+01:00,,1970-01-01T00:00:00,\"[{\"\"N\"\":1}]\"",
        ]
        #expect(
            String(decoding: table.csv(), as: UTF8.self)
                == lines.map { $0 + "\r\n" }.joined()
        )
        let objects = String(decoding: table.ndjson(), as: UTF8.self)
        #expect(
            objects.hasPrefix(
                #"{"ID":"1","At":"2023-11-14T22:13:20","Text":"/Date(5)/","Tags@odata.bind":["z"]}"#
            )
        )
        #expect(!objects.contains("__"))
    }

    private static func model() throws -> EdmModel {
        let document = """
            <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
            <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
            <ComplexType Name="Place"><Property Name="City" Type="Edm.String"/><Property Name="Near" Type="N.Place"/></ComplexType>
            <EntityType Name="Base"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.String" Nullable="false"/></EntityType>
            <EntityType Name="Part" BaseType="N.Base"><Property Name="At" Type="N.Place"/>
            <Property Name="Tags" Type="Collection(Edm.String)"/><Property Name="Photo" Type="Edm.Stream"/></EntityType>
            <EntityType Name="Spare" BaseType="N.Part"><Property Name="For" Type="Edm.String"/></EntityType>
            <EntityContainer Name="C"><EntitySet Name="Parts" EntityType="N.Part"/></EntityContainer>
            </Schema></edmx:DataServices></edmx:Edmx>
            """
        return try CSDLDocument(reading: Array(document.utf8)).model
    }

    @Test(arguments: [
        ("$metadata#Parts", "ID,At/City,At/Near,Tags"),
        ("$metadata#Parts(Tags,At)", "Tags,At/City,At/Near"),
        ("$metadata#Parts(At/City,Lines(No,Of(ID)),ID)", "At/City,ID"),
        ("$metadata#Parts(Lines())", "ID,At/City,At/Near,Tags"),
        ("$metadata#Parts/N.Spare(For)", "For"),
        ("http://s.test/$metadata#Parts/N.Spare", "ID,At/City,At/Near,Tags,For"),
        ("$metadata#Collection(Edm.String)", "value"), ("$metadata#Others", ""), ("Parts", ""),
    ])
    func namesTheColumnsOfAnAnswerWithoutRows(_ context: String, _ columns: String) throws {
        let table = try Self.table(
            #"{"@odata.context":"\#(context)","value":[]}"#,
            model: Self.model()
        )
        #expect(String(decoding: table.csv(), as: UTF8.self) == columns + "\r\n")
    }

    @Test func keepsNumbersDigitByDigit() throws {
        let table = try Self.table(#"{"value":[{"P":12.50,"N":9007199254740993}]}"#)
        #expect(table.csv() == Array("P,N\r\n12.50,9007199254740993\r\n".utf8))
        #expect(table.ndjson() == Array("{\"P\":12.50,\"N\":9007199254740993}\n".utf8))
        #expect(table.isNumeric(column: 0))
    }

    @Test func tellsValuesEntitiesAndCollectionsApart() throws {
        #expect(try Self.table(#"{"@odata.context":"c","value":"x"}"#).kind == .value)
        #expect(try Self.table(#"{"@odata.context":"c","ID":1}"#).kind == .entity)
        let values = try Self.table(#"{"@odata.context":"c","value":["a",null]}"#)
        #expect(values.kind == .collection)
        #expect(values.columns == ["value"])
        #expect(try Self.table(#"{"value":[]}"#).rows.isEmpty)
    }

    @Test func showsReferencesByTheirIDs() throws {
        let table = try Self.table(
            #"{"value":[{"@odata.id":"Items(1)"},{"@odata.id":"Items(2)"}]}"#
        )
        #expect(table.csv() == Array("@odata.id\r\nItems(1)\r\nItems(2)\r\n".utf8))
        let entity = try Self.table(#"{"@odata.context":"c","@odata.id":"Items(1)","ID":1}"#)
        #expect(entity.columns == ["ID"])
    }

    @Test func dropsTheColumnOfARelationThatIsNullInSomeRows() throws {
        let table = try Self.table(#"{"value":[{"O":null},{"O":{"N":"x"}}]}"#)
        #expect(table.columns == ["O/N"])
        #expect(table.rows.map { OfflineODataTable.text(of: $0[0]) } == ["", "x"])
    }

    @Test func refusesWhatIsNoJSON() {
        let error = #expect(throws: OfflineODataError.self) { try Self.table("<feed/>") }
        #expect(error?.category == .invalidInput)
    }

    /// To the millisecond, whatever the year.
    @Test(arguments: [
        ("/Date(1577836800004)/", "2020-01-01T00:00:00.004"),
        ("/Date(-1)/", "1969-12-31T23:59:59.999"),
        ("/Date(-62135596799999)/", "0001-01-01T00:00:00.001"),
        ("/Date(253402300799999)/", "9999-12-31T23:59:59.999"),
        ("/Date(0+0000)/", "1970-01-01T00:00:00Z"), ("/Date(0-0090)/", "1970-01-01T00:00:00-01:30"),
        ("/Date(253402300800000)/", "/Date(253402300800000)/"), ("/Date(x)/", "/Date(x)/"),
    ])
    func readsDatesOfVersion2(_ text: String, _ date: String) throws {
        let json = """
            {"d":{"__metadata":{"type":"N.Order"},"At":"\(text)"}}
            """
        let table = try Self.table(json, model: Self.oldModel())
        #expect(OfflineODataTable.text(of: table.rows[0][0]) == date)
    }
}
