import ODataModel
import ODataModelComparison
import ODataModelConversion
import TestSupport
import Testing

/// CSDL JSON as CSDL XML, element by element.
@Suite struct CSDLXMLConverterTests {
    /// The children of a schema as XML, white space between elements left out.
    private static func xml(_ schema: String) throws -> String {
        let document = #"{"$Version":"4.01","N":{"# + schema + "}}"
        return try text(document)
    }

    private static func text(_ document: String) throws -> String {
        let bytes = try CSDLXMLConverter.xml(ofJSON: Array(document.utf8))
        return String(decoding: bytes, as: UTF8.self).replacing(#/\n\s*/#, with: "")
    }

    @Test func writesTheWholeDocument() throws {
        let json = #"""
            {"$Version":"4.01","$Reference":{"http://v/Core.xml":{"$Include":[{"$Namespace":"Org.Core","$Alias":"Core","@Core.D":"i"}],
            "$IncludeAnnotations":[{"$TermNamespace":"T","$Qualifier":"Q","$TargetNamespace":"N"}],"@Core.V":"1"}},"$EntityContainer":"N.C",
            "N":{"$Alias":"S","@Core.D":"s","C":{"$Kind":"EntityContainer"}}}
            """#
        let bytes = try CSDLXMLConverter.xml(ofJSON: Array(json.utf8))
        let expected = """
            <?xml version="1.0" encoding="utf-8"?>
            <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
              <edmx:Reference Uri="http://v/Core.xml">
                <edmx:Include Namespace="Org.Core" Alias="Core">
                  <Annotation xmlns="http://docs.oasis-open.org/odata/ns/edm" Term="Core.D" String="i"/>
                </edmx:Include>
                <edmx:IncludeAnnotations TermNamespace="T" Qualifier="Q" TargetNamespace="N"/>
                <Annotation xmlns="http://docs.oasis-open.org/odata/ns/edm" Term="Core.V" String="1"/>
              </edmx:Reference>
              <edmx:DataServices>
                <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="N" Alias="S">
                  <EntityContainer Name="C"/>
                  <Annotation Term="Core.D" String="s"/>
                </Schema>
              </edmx:DataServices>
            </edmx:Edmx>

            """
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
    }

    /// Each member of a schema, and the element that it is.
    static let elements: [(json: String, xml: String)] = [
        (
            #""A":{"$Kind":"EntityType","$BaseType":"N.B","$Abstract":true,"$OpenType":true,"$HasStream":true}"#,
            #"<EntityType Name="A" BaseType="N.B" Abstract="true" OpenType="true" HasStream="true"/>"#
        ),
        (
            #""A":{"$Kind":"EntityType","$Key":["ID",{"R":"P/Q"}]}"#,
            #"<EntityType Name="A"><Key><PropertyRef Name="ID"/><PropertyRef Name="P/Q" Alias="R"/></Key></EntityType>"#
        ),
        (
            #""C":{"$Kind":"ComplexType","P":{"$MaxLength":9,"$Unicode":false},"Q":{"$Nullable":true,"$MaxLength":null}}"#,
            #"<Property Name="P" Type="Edm.String" Nullable="false" MaxLength="9" Unicode="false"/><Property Name="Q" Type="Edm.String" MaxLength="max"/>"#
        ),
        // What nothing is said about differs in both forms.
        (
            #""C":{"$Kind":"ComplexType","P":{"$Type":"Edm.Decimal","$Nullable":true},"Q":{"$Type":"Edm.DateTimeOffset","$Nullable":true}}"#,
            #"<Property Name="P" Type="Edm.Decimal" Scale="variable"/><Property Name="Q" Type="Edm.DateTimeOffset" Precision="12"/>"#
        ),
        (
            #""C":{"$Kind":"ComplexType","P":{"$Type":"Edm.Decimal","$Collection":true,"$Precision":8,"$Scale":2},"Q":{"$Collection":true,"$Nullable":true}}"#,
            #"<Property Name="P" Type="Collection(Edm.Decimal)" Nullable="false" Precision="8" Scale="2"/><Property Name="Q" Type="Collection(Edm.String)" Nullable="true"/>"#
        ),
        (
            #""C":{"$Kind":"ComplexType","P":{"$Type":"Edm.Boolean","$DefaultValue":true},"Q":{"$Type":"Edm.GeographyPoint","$SRID":4326},"R":{"$DefaultValue":null}}"#,
            #"<Property Name="P" Type="Edm.Boolean" Nullable="false" DefaultValue="true"/><Property Name="Q" Type="Edm.GeographyPoint" Nullable="false" SRID="4326"/><Property Name="R" Type="Edm.String" Nullable="false"/>"#
        ),
        (
            #""A":{"$Kind":"EntityType","Bs":{"$Kind":"NavigationProperty","$Type":"N.B","$Collection":true,"$Partner":"A","$ContainsTarget":true},"D":{"$Kind":"NavigationProperty","$Type":"N.B"}}"#,
            #"<NavigationProperty Name="Bs" Type="Collection(N.B)" Partner="A" ContainsTarget="true"/><NavigationProperty Name="D" Type="N.B" Nullable="false"/>"#
        ),
        (
            #""A":{"$Kind":"EntityType","B":{"$Kind":"NavigationProperty","$Type":"N.B","$Nullable":true,"$ReferentialConstraint":{"BID":"ID","BID@Core.D":"d"},"$OnDelete":"Cascade","$OnDelete@Core.D":"o"}}"#,
            #"<NavigationProperty Name="B" Type="N.B"><ReferentialConstraint Property="BID" ReferencedProperty="ID"><Annotation Term="Core.D" String="d"/></ReferentialConstraint><OnDelete Action="Cascade"><Annotation Term="Core.D" String="o"/></OnDelete></NavigationProperty>"#
        ),
        (
            #""E":{"$Kind":"EnumType","$UnderlyingType":"Edm.Byte","$IsFlags":true,"A":0,"B":4,"B@Core.D":"b"}"#,
            #"<EnumType Name="E" UnderlyingType="Edm.Byte" IsFlags="true"><Member Name="A" Value="0"/><Member Name="B" Value="4"><Annotation Term="Core.D" String="b"/></Member></EnumType>"#
        ),
        (
            #""T":{"$Kind":"TypeDefinition","$UnderlyingType":"Edm.Decimal","$Precision":3}"#,
            #"<TypeDefinition Name="T" UnderlyingType="Edm.Decimal" Precision="3" Scale="variable"/>"#
        ),
        (
            #""T":{"$Kind":"Term","$Type":"Core.Tag","$DefaultValue":true,"$BaseTerm":"N.S","$AppliesTo":["EntitySet","Property"]}"#,
            #"<Term Name="T" Type="Core.Tag" Nullable="false" DefaultValue="true" BaseTerm="N.S" AppliesTo="EntitySet Property"/>"#
        ),
        (
            #""F":[{"$Kind":"Function","$IsBound":true,"$IsComposable":true,"$EntitySetPath":"a/B","$Parameter":[{"$Name":"a","$Type":"N.A","@Core.D":"p"}],"$ReturnType":{"$Type":"Edm.Int32","$Collection":true}},{"$Kind":"Function","$ReturnType":{"$Nullable":true}}]"#,
            #"<Function Name="F" IsBound="true" IsComposable="true" EntitySetPath="a/B"><Parameter Name="a" Type="N.A" Nullable="false"><Annotation Term="Core.D" String="p"/></Parameter><ReturnType Type="Collection(Edm.Int32)" Nullable="false"/></Function><Function Name="F"><ReturnType Type="Edm.String"/></Function>"#
        ),
        (
            #""C":{"$Kind":"EntityContainer","$Extends":"N.D","As":{"$Collection":true,"$Type":"N.A","$IncludeInServiceDocument":false,"$NavigationPropertyBinding":{"B":"Bs"}},"S":{"$Type":"N.A","$Nullable":true},"F":{"$Function":"N.F","$EntitySet":"As","$IncludeInServiceDocument":true},"G":{"$Action":"N.G"}}"#,
            #"<EntityContainer Name="C" Extends="N.D"><EntitySet Name="As" EntityType="N.A" IncludeInServiceDocument="false"><NavigationPropertyBinding Path="B" Target="Bs"/></EntitySet><Singleton Name="S" Type="N.A" Nullable="true"/><FunctionImport Name="F" Function="N.F" EntitySet="As" IncludeInServiceDocument="true"/><ActionImport Name="G" Action="N.G"/></EntityContainer>"#
        ),
        (
            #""$Annotations":{"N.A/@Core.D":{"@X.A#Q":true,"@X.A#Q@X.C":1,"@X.B":5}}"#,
            #"<Annotations Target="N.A/@Core.D"><Annotation Term="X.A" Qualifier="Q" Bool="true"><Annotation Term="X.C" Int="1"/></Annotation><Annotation Term="X.B" Int="5"/></Annotations>"#
        ),
    ]

    @Test(arguments: elements)
    func writesAnElement(_ json: String, _ xml: String) throws {
        let text = try Self.xml(json)
        #expect(text.contains(xml), "\(text)")
    }

    /// Expressions of annotations: as an attribute, or as a child.
    static let expressions: [(json: String, xml: String)] = [
        (#""a<\"\n""#, #" String="a&lt;&quot;&#10;"/>"#), ("1.50", #" Decimal="1.50"/>"#),
        ("1e3", #" Float="1e3"/>"#), ("9223372036854775808", #" Decimal="9223372036854775808"/>"#),
        (#""\u0001\uFFFF""#, " String=\"\u{FFFD}\u{FFFD}\"/>"),
        (#"{"$Path":"P/Q"}"#, #" Path="P/Q"/>"#),
        (#"{"$UrlRef":"http://h"}"#, #" UrlRef="http://h"/>"#),
        (#"{"$UrlRef":{"$Path":"P"}}"#, "><UrlRef><Path>P</Path></UrlRef></Annotation>"),
        ("null", "><Null/></Annotation>"),
        (
            #"{"$Null":null,"@X.R":"r"}"#,
            #"><Null><Annotation Term="X.R" String="r"/></Null></Annotation>"#
        ),
        (
            #"["a",{"$Path":"B"},null,2]"#,
            "><Collection><String>a</String><Path>B</Path><Null/><Int>2</Int></Collection></Annotation>"
        ),
        (
            ##"{"@type":"http://v/Core.xml#Core.T","P":false,"P@X.D":"d","Q":[],"@X.E":1}"##,
            #"><Record Type="Core.T"><PropertyValue Property="P" Bool="false"><Annotation Term="X.D" String="d"/></PropertyValue>"#
                + #"<PropertyValue Property="Q"><Collection/></PropertyValue><Annotation Term="X.E" Int="1"/></Record></Annotation>"#
        ),
        (##"{"@odata.type":"#N.T"}"##, #"><Record Type="N.T"/></Annotation>"#),
        (
            #"{"$Apply":["a",{"$Path":"B"}],"$Function":"odata.concat"}"#,
            #"><Apply Function="odata.concat"><String>a</String><Path>B</Path></Apply></Annotation>"#
        ),
        (
            #"{"$If":[{"$Eq":[{"$Path":"A"},null]},1,2]}"#,
            "><If><Eq><Path>A</Path><Null/></Eq><Int>1</Int><Int>2</Int></If></Annotation>"
        ),
        (
            #"{"$Cast":[1],"$Type":"Edm.Decimal","$Collection":true,"$Precision":3,"$Scale":"variable"}"#,
            #"><Cast Type="Collection(Edm.Decimal)" Precision="3" Scale="variable"><Collection><Int>1</Int></Collection></Cast></Annotation>"#
        ),
        (
            #"{"$IsOf":{"$Path":"A"},"$MaxLength":4}"#,
            #"><IsOf Type="Edm.String" MaxLength="4"><Path>A</Path></IsOf></Annotation>"#
        ),
        (#"{"$Not":{"$Path":"A"}}"#, "><Not><Path>A</Path></Not></Annotation>"),
        (
            #"{"$LabeledElement":"s","$Name":"N.L"}"#,
            #"><LabeledElement Name="N.L"><String>s</String></LabeledElement></Annotation>"#
        ),
        (
            #"{"$LabeledElementReference":"N.L"}"#,
            "><LabeledElementReference>N.L</LabeledElementReference></Annotation>"
        ),
    ]

    @Test(arguments: expressions)
    func writesAnExpression(_ json: String, _ xml: String) throws {
        let text = try Self.xml(#""$Annotations":{"N.A":{"@X.T":"# + json + "}}")
        #expect(text.contains(#"<Annotation Term="X.T""# + xml), "\(text)")
    }

    @Test(arguments: [
        (#"{"$Version":"3.0"}"#, CSDLError.Code.invalidModel), ("{}", .invalidModel),
        (#"{"$Version":"4.0","C":{"$Kind":"EntityContainer"}}"#, .invalidModel),
        ("", .malformed), ("{", .malformed), ("<a/>", .notCSDL),
        (#"{"$Version":"4.0","$Version":"4.0"}"#, .malformed),
        (#"{"$Version":"4.0","N":"# + String(repeating: "[", count: 5_000), .limit),
        (#"{"$Version":"4.0","N":{"P@"# + String(repeating: "A.B@", count: 40) + #"":1}}"#, .limit),
    ])
    func refusesWhatIsNoCSDLJSON(_ text: String, _ code: CSDLError.Code) {
        let error = #expect(throws: CSDLError.self) { try Self.text(text) }
        #expect(error?.code == code)
    }

    /// What the reader of the model leaves out is left out here, too.
    @Test(arguments: [
        #""A":7"#, #""A":{"$Kind":"Nothing"}"#, #""A":{"P":{}}"#, #""$Annotations":[]"#,
        #""@type":"A""#,
    ])
    func leavesOutWhatIsNoElement(_ json: String) throws {
        #expect(try Self.xml(json).contains(#"Namespace="N"/>"#))
    }

    @Test func readsBehindAByteOrderMark() throws {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let json = try CSDLXMLConverter.xml(ofJSON: mark + Array(#"{"$Version":"4.0"}"#.utf8))
        #expect(
            try CSDLJSONConverter.json(ofXML: mark + json) == Array(#"{"$Version":"4.0"}"#.utf8)
        )
    }

    @Test(arguments: [true, false])
    func readsXMLOfTwoByteUnits(_ isBigEndian: Bool) throws {
        let text =
            #"<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"/>"#
        let xml = "\u{FEFF}\(text)".utf16.flatMap { unit -> [UInt8] in
            let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
            return isBigEndian ? bytes : bytes.reversed()
        }
        #expect(try CSDLJSONConverter.json(ofXML: xml) == Array(#"{"$Version":"4.0"}"#.utf8))
    }
}
