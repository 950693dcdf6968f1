import ODataModel
import ODataModelComparison
import ODataModelConversion
import TestSupport
import Testing

/// CSDL XML as CSDL JSON, element by element.
@Suite struct CSDLJSONConverterTests {
    private static func json(_ schema: String, version: String = "4.01") throws -> String {
        let document = """
            <?xml version="1.0"?><edmx:Edmx Version="\(version)" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
            <edmx:Reference Uri="http://v/Core.xml"><edmx:Include Namespace="Org.Core" Alias="Core"/></edmx:Reference>
            <edmx:DataServices><Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
            \(schema)</Schema></edmx:DataServices></edmx:Edmx>
            """
        return String(
            decoding: try CSDLJSONConverter.json(ofXML: Array(document.utf8)),
            as: UTF8.self
        )
    }

    /// Each element, and what it is in the schema's object.
    static let elements: [(xml: String, json: String)] = [
        (
            #"<EntityType Name="A" BaseType="N.B" Abstract="true" OpenType="true" HasStream="true"/>"#,
            #""A":{"$Kind":"EntityType","$BaseType":"N.B","$Abstract":true,"$OpenType":true,"$HasStream":true}"#
        ),
        (
            #"<EntityType Name="A"><Key><PropertyRef Name="ID"/><PropertyRef Name="P/Q" Alias="R"/></Key></EntityType>"#,
            #""A":{"$Kind":"EntityType","$Key":["ID",{"R":"P/Q"}]}"#
        ),
        (
            #"<ComplexType Name="C"><Property Name="P" Type="Edm.String" Nullable="false" MaxLength="9" Unicode="false"/></ComplexType>"#,
            #""C":{"$Kind":"ComplexType","P":{"$MaxLength":9,"$Unicode":false}}"#
        ),
        // What nothing is said about differs in both forms.
        (
            #"<ComplexType Name="C"><Property Name="P" Type="Edm.Decimal"/><Property Name="Q" Type="Edm.DateTimeOffset"/></ComplexType>"#,
            #""P":{"$Type":"Edm.Decimal","$Nullable":true,"$Scale":0},"Q":{"$Type":"Edm.DateTimeOffset","$Nullable":true,"$Precision":0}"#
        ),
        (
            #"<ComplexType Name="C"><Property Name="P" Type="Collection(Edm.Decimal)" Scale="variable" Precision="8"/></ComplexType>"#,
            #""P":{"$Type":"Edm.Decimal","$Collection":true,"$Precision":8}"#
        ),
        (
            #"<ComplexType Name="C"><Property Name="P" Type="Edm.Boolean" DefaultValue="true"/><Property Name="Q" Type="Edm.Double" DefaultValue="INF"/></ComplexType>"#,
            #""P":{"$Type":"Edm.Boolean","$Nullable":true,"$DefaultValue":true},"Q":{"$Type":"Edm.Double","$Nullable":true,"$DefaultValue":"INF"}"#
        ),
        (
            #"<ComplexType Name="C"><Property Name="P" Type="Edm.GeographyPoint" SRID="variable" Nullable="false"/></ComplexType>"#,
            #""P":{"$Type":"Edm.GeographyPoint","$SRID":"variable"}"#
        ),
        (
            #"<EntityType Name="A"><NavigationProperty Name="Bs" Type="Collection(N.B)" Partner="A" ContainsTarget="true"/></EntityType>"#,
            #""Bs":{"$Kind":"NavigationProperty","$Type":"N.B","$Collection":true,"$Partner":"A","$ContainsTarget":true}"#
        ),
        (
            #"<EntityType Name="A"><NavigationProperty Name="B" Type="N.B"><ReferentialConstraint Property="BID" ReferencedProperty="ID"><Annotation Term="Core.Description" String="d"/></ReferentialConstraint><OnDelete Action="Cascade"/></NavigationProperty></EntityType>"#,
            #""B":{"$Kind":"NavigationProperty","$Type":"N.B","$Nullable":true,"$ReferentialConstraint":{"BID":"ID","BID@Core.Description":"d"},"$OnDelete":"Cascade"}"#
        ),
        (
            #"<EnumType Name="E" IsFlags="true" UnderlyingType="Edm.Byte"><Member Name="A"/><Member Name="B" Value="4"><Annotation Term="Core.Description" String="b"/></Member><Member Name="C"/></EnumType>"#,
            #""E":{"$Kind":"EnumType","$UnderlyingType":"Edm.Byte","$IsFlags":true,"A":0,"B":4,"B@Core.Description":"b","C":5}"#
        ),
        (
            #"<TypeDefinition Name="T" UnderlyingType="Edm.String" MaxLength="max"/>"#,
            #""T":{"$Kind":"TypeDefinition","$UnderlyingType":"Edm.String"}"#
        ),
        (
            #"<Term Name="T" Type="Core.Tag" Nullable="false" DefaultValue="true" AppliesTo="EntitySet Property"/>"#,
            #""T":{"$Kind":"Term","$Type":"Core.Tag","$DefaultValue":"true","$AppliesTo":["EntitySet","Property"]}"#
        ),
        (
            #"<Function Name="F" IsBound="true" IsComposable="true" EntitySetPath="a/B"><Parameter Name="a" Type="N.A" Nullable="false"/><ReturnType Type="Collection(Edm.Int32)" Nullable="false"/></Function><Function Name="F"><ReturnType Type="Edm.String"/></Function>"#,
            #""F":[{"$Kind":"Function","$IsBound":true,"$IsComposable":true,"$EntitySetPath":"a/B","$Parameter":[{"$Name":"a","$Type":"N.A"}],"$ReturnType":{"$Type":"Edm.Int32","$Collection":true}},{"$Kind":"Function","$ReturnType":{"$Nullable":true}}]"#
        ),
        (
            #"<EntityContainer Name="C" Extends="N.D"><EntitySet Name="As" EntityType="N.A" IncludeInServiceDocument="false"><NavigationPropertyBinding Path="B" Target="Bs"/></EntitySet><Singleton Name="S" Type="N.A" Nullable="true"/><FunctionImport Name="F" Function="N.F" EntitySet="As" IncludeInServiceDocument="true"/><ActionImport Name="G" Action="N.G"/></EntityContainer>"#,
            #""C":{"$Kind":"EntityContainer","$Extends":"N.D","As":{"$Collection":true,"$Type":"N.A","$IncludeInServiceDocument":false,"$NavigationPropertyBinding":{"B":"Bs"}},"S":{"$Type":"N.A","$Nullable":true},"F":{"$Function":"N.F","$EntitySet":"As","$IncludeInServiceDocument":true},"G":{"$Action":"N.G"}}"#
        ),
        (
            #"<Annotations Target="N.A" Qualifier="Q"><Annotation Term="X.A" Bool="true"/></Annotations><Annotations Target="N.A"><Annotation Term="X.B" Int="5"><Annotation Term="X.C"/></Annotation></Annotations>"#,
            #""$Annotations":{"N.A":{"@X.A#Q":true,"@X.B":5,"@X.B@X.C":true}}"#
        ),
    ]

    @Test(arguments: elements)
    func writesAnElement(_ xml: String, _ json: String) throws {
        let text = try Self.json(xml)
        #expect(text.contains(json), "\(text)")
    }

    /// Expressions of annotations, in short and in long form.
    static let expressions: [(xml: String, json: String)] = [
        (#"String="s""#, #""s""#), (#"Decimal="1.50""#, "1.50"), (#"Float="-INF""#, #""-INF""#),
        (#"EnumMember="N.E/A N.E/B""#, #""A,B""#), (#"Path="P/Q""#, #"{"$Path":"P/Q"}"#),
        (#"AnnotationPath="@X""#, #""@X""#), (#"UrlRef="http://h""#, #"{"$UrlRef":"http://h"}"#),
        ("><Int> 7 </Int>", "7"), ("><String> s </String>", #"" s ""#), ("><Null/>", "null"),
        ("><Collection><String>a</String><Path>B</Path></Collection>", #"["a",{"$Path":"B"}]"#),
        (
            #"><Record Type="Core.T"><PropertyValue Property="P" Bool="false"/><PropertyValue Property="Q"/></Record>"#,
            ##"{"@type":"http://v/Core.xml#Core.T","P":false,"Q":true}"##
        ),
        (#"><Record Type="N.T"/>"#, ##"{"@type":"#N.T"}"##),
        (
            #"><Apply Function="odata.concat"><String>a</String><Path>B</Path></Apply>"#,
            #"{"$Apply":["a",{"$Path":"B"}],"$Function":"odata.concat"}"#
        ),
        (
            "><If><Eq><Path>A</Path><Null/></Eq><Int>1</Int><Int>2</Int></If>",
            #"{"$If":[{"$Eq":[{"$Path":"A"},null]},1,2]}"#
        ),
        (
            #"><Cast Type="Collection(Edm.Int32)"><Path>A</Path></Cast>"#,
            #"{"$Cast":{"$Path":"A"},"$Type":"Edm.Int32","$Collection":true}"#
        ),
        ("><Not><Path>A</Path></Not>", #"{"$Not":{"$Path":"A"}}"#),
        (
            #"><LabeledElement Name="N.L" String="s"/>"#,
            #"{"$LabeledElement":"s","$Name":"N.L"}"#
        ),
        (
            "><LabeledElementReference>N.L</LabeledElementReference>",
            #"{"$LabeledElementReference":"N.L"}"#
        ),
    ]

    @Test(arguments: expressions)
    func writesAnExpression(_ xml: String, _ json: String) throws {
        let end = xml.hasPrefix(">") ? "</Annotation>" : "/>"
        let text = try Self.json(
            "<Annotations Target=\"N.A\"><Annotation Term=\"X.T\" \(xml)\(end)</Annotations>"
        )
        #expect(text.contains("\"@X.T\":\(json)}"), "\(text)")
    }

    @Test func saysVersionReferencesAndContainer() throws {
        let text = try Self.json(#"<EntityContainer Name="C"/>"#, version: "4.0")
        let start =
            #"{"$Version":"4.0","$Reference":{"http://v/Core.xml":{"$Include":[{"$Namespace":"Org.Core","$Alias":"Core"}]}},"#
            + #""$EntityContainer":"N.C","N":{"#
        #expect(text.hasPrefix(start), "\(text)")
    }

    @Test(arguments: [
        (#"<edmx:Edmx Version="1.0" xmlns:edmx="http://x"/>"#, CSDLError.Code.invalidModel),
        ("<Edmx", .malformed), ("", .malformed), ("<a/>", .invalidModel),
        (#"<!DOCTYPE a [<!ENTITY b "c">]><a/>"#, .documentType),
    ])
    func refusesWhatHasNoCSDLJSON(_ text: String, _ code: CSDLError.Code) {
        let error = #expect(throws: CSDLError.self) {
            try CSDLJSONConverter.json(ofXML: Array(text.utf8))
        }
        #expect(error?.code == code)
    }

    @Test func refusesElementsThatAreNestedTooDeep() {
        let deep = String(repeating: "<Not>", count: 5_000)
        #expect(throws: CSDLError.self) { try Self.json(deep) }
    }

    /// The model of a real document is the same from both forms.
    @Test(.enabled(if: SharedFolder.isPresent), arguments: SharedFolder.names(in: "metadata"))
    func meansTheSameAsTheDocument(_ name: String) throws {
        let xml = try SharedFolder.bytes("metadata/" + name)
        guard let model = try? CSDLDocument(reading: xml).model, model.version.isV4,
            let json = try? CSDLJSONConverter.json(ofXML: xml)
        else { return }
        let read = try CSDLDocument(reading: json).model
        let changes = ModelComparison(from: model, to: read).changes.filter { change in
            // What CSDL JSON cannot say: an attribute of version 3, two pairs of one property, two things of one name.
            change.detail != "it is no longer part of the ETag"
                && change.detail != "the referential constraint changed"
                && change.path != "microsoft.graph.image"
        }
        #expect(changes.isEmpty, "\(changes.prefix(5))")
    }

    @Test(arguments: [
        (#"<ComplexType Name="C"/><EnumType Name="C"/>"#, #""C":{"$Kind":"ComplexType"}"#),
        (
            #"<ComplexType Name="C" Abstract="True"/>"#,
            #""C":{"$Kind":"ComplexType","$Abstract":true}"#
        ),
        (
            #"<EnumType Name="E"><Member Name="A" Value="99999999999999999999"/><Member Name="B" Value="2"/></EnumType>"#,
            #""E":{"$Kind":"EnumType","B":2}"#
        ),
        (
            #"<ComplexType Name="C"/><Function Name="C"><ReturnType Type="Edm.Byte"/></Function>"#,
            #""N":{"C":{"$Kind":"ComplexType"}}"#
        ),
    ])
    func writesWhatIsWrongAsItIsRead(_ xml: String, _ json: String) throws {
        let text = try Self.json(xml)
        #expect(text.contains(json), "\(text)")
    }
}
