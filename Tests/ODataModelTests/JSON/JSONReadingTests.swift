import ODataModelComparison
import ODataModel
import Testing

@Suite struct JSONReadingTests {
    private static let json = """
        {
          "$Version": "4.01", "$EntityContainer": "NS.C",
          "$Reference": {"https://example.org/core.json": {"$Include": [
            {"$Namespace": "Org.OData.Core.V1", "$Alias": "Core"}]}},
          "NS": {
            "$Alias": "Self",
            "Order": {
              "ID": {"$Type": "Edm.Int32", "@Core.Computed": true},
              "Name": {"$MaxLength": 40, "$Nullable": true, "$DefaultValue": "x"},
              "Price": {"$Type": "Edm.Decimal", "$Precision": 9, "$Scale": 2},
              "Any": {"$Type": "Edm.Decimal"},
              "Tags": {"$Collection": true},
              "Kind": {"$Type": "Self.Kind"},
              "Next": {"$Kind": "NavigationProperty", "$Type": "NS.Order", "$Nullable": true,
                "$ReferentialConstraint": {"Name": "Name", "Name@Core.Description": "d"},
                "$OnDelete": "Cascade", "$OnDelete@Core.Description": "d"},
              "Parts": {"$Kind": "NavigationProperty", "$Type": "Self.Order", "$Collection": true,
                "$ContainsTarget": true, "$Partner": "Next"},
              "$Key": ["ID", {"N": "Name"}], "$OpenType": true, "$Kind": "EntityType"
            },
            "Rush": {"$Kind": "EntityType", "$BaseType": "Self.Order", "$HasStream": true},
            "Kind": {"$Kind": "EnumType", "$IsFlags": true, "A": 1, "A@Core.Description": "a", "B": 2},
            "Money": {"$Kind": "TypeDefinition", "$UnderlyingType": "Edm.Decimal", "$Scale": 2},
            "F": [{"$Kind": "Function", "$IsBound": true, "$IsComposable": true,
              "$Parameter": [{"$Name": "o", "$Type": "NS.Order"}],
              "$ReturnType": {"$Type": "NS.Order", "$Collection": true}}],
            "A": [{"$Kind": "Action"}],
            "C": {"$Kind": "EntityContainer",
              "Orders": {"$Collection": true, "$Type": "Self.Order",
                "$NavigationPropertyBinding": {"Next": "Orders"}},
              "Me": {"$Type": "NS.Order", "$Nullable": true},
              "FI": {"$Function": "NS.F", "$EntitySet": "Orders", "$IncludeInServiceDocument": true},
              "AI": {"$Action": "Self.A"}},
            "$Annotations": {"Self.Order/Name": {"@Core.Immutable": true, "@Core.Immutable#Q": false}}
          }
        }
        """

    private static let xml = Documents.v4(
        """
        <EntityType Name="Order" OpenType="true"><Key><PropertyRef Name="ID"/>
        <PropertyRef Name="Name" Alias="N"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Name" Type="Edm.String" MaxLength="40" DefaultValue="x"/>
        <Property Name="Price" Type="Edm.Decimal" Nullable="false" Precision="9" Scale="2"/>
        <Property Name="Any" Type="Edm.Decimal" Nullable="false" Scale="variable"/>
        <Property Name="Tags" Type="Collection(Edm.String)" Nullable="false"/>
        <Property Name="Kind" Type="NS.Kind" Nullable="false"/>
        <NavigationProperty Name="Next" Type="NS.Order">
        <ReferentialConstraint Property="Name" ReferencedProperty="Name"/><OnDelete Action="Cascade"/>
        </NavigationProperty>
        <NavigationProperty Name="Parts" Type="Collection(NS.Order)" ContainsTarget="true" Partner="Next"/>
        </EntityType>
        <EntityType Name="Rush" BaseType="NS.Order" HasStream="true"/>
        <EnumType Name="Kind" IsFlags="true"><Member Name="A" Value="1"/><Member Name="B" Value="2"/></EnumType>
        <TypeDefinition Name="Money" UnderlyingType="Edm.Decimal" Scale="2"/>
        <Function Name="F" IsBound="true" IsComposable="true"><Parameter Name="o" Type="NS.Order" Nullable="false"/>
        <ReturnType Type="Collection(NS.Order)"/></Function><Action Name="A"/>
        <EntityContainer Name="C"><EntitySet Name="Orders" EntityType="NS.Order">
        <NavigationPropertyBinding Path="Next" Target="Orders"/></EntitySet>
        <Singleton Name="Me" Type="NS.Order" Nullable="true"/>
        <FunctionImport Name="FI" Function="NS.F" EntitySet="Orders"/><ActionImport Name="AI" Action="NS.A"/>
        </EntityContainer>
        """
    )

    @Test func readsTheModelOfTheXML() throws {
        let json = try Documents.read(Self.json)
        var xml = try Documents.read(Self.xml)
        xml.model.version = .v401

        #expect(json.diagnostics.isEmpty)
        #expect(json.counts == xml.counts)
        #expect(ModelComparison(from: xml.model, to: json.model).changes == [])
        #expect(ModelComparison(from: json.model, to: xml.model).changes == [])
        #expect(json.type("NS.Order")?.key == xml.type("NS.Order")?.key)
    }

    @Test func readsAnnotations() throws {
        let document = try Documents.read(Self.json)

        #expect(document.property("ID")?.isComputed == true)
        let name = try #require(document.property("Name"))
        #expect(name.isImmutable)
        #expect(name.annotations.map(\.qualifier) == [nil, "Q"])
        #expect(
            document.model.enumTypes[0].members[0].annotations.map(\.term) == [
                "Org.OData.Core.V1.Description"
            ]
        )
    }

    @Test(arguments: [
        ("true", AnnotationExpression.constant(kind: "Bool", text: "true")),
        ("1", .constant(kind: "Int", text: "1")), ("1.5", .constant(kind: "Decimal", text: "1.5")),
        ("null", .constant(kind: "Null", text: "")),
        (#"{"$Path": "A/B"}"#, .path(kind: "Path", text: "A/B")),
        (#"["a"]"#, .collection([.constant(kind: "String", text: "a")])),
        (
            ##"{"@type": "#N.R", "P": 1}"##,
            .record(type: "#N.R", [("P", .constant(kind: "Int", text: "1"))])
        ),
        (
            #"{"$Eq": [{"$Path": "A"}, 1]}"#,
            .dynamic(
                element: "Eq",
                attributes: [],
                [.path(kind: "Path", text: "A"), .constant(kind: "Int", text: "1")]
            )
        ),
        (
            #"{"$Cast": {"$Path": "A"}, "$Type": "Edm.Int32"}"#,
            .dynamic(
                element: "Cast",
                attributes: [("Type", "Edm.Int32")],
                [.path(kind: "Path", text: "A")]
            )
        ),
    ])
    func keepsExpressionsAsWritten(_ json: String, _ expected: AnnotationExpression) throws {
        let document = try Documents.read(
            #"{"$Version": "4.0", "NS": {"T": {"$Kind": "ComplexType", "@N.T": \#(json)}}}"#
        )

        #expect(document.type("NS.T")?.annotations == [Annotation(term: "N.T", value: expected)])
    }

    @Test(arguments: [
        ("{", 1, 2), ("{\n\"a\"", 2, 4), (#"{"a":1,}"#, 1, 8), (#"{"a":1 "b":2}"#, 1, 8),
        (#"{"a":01}"#, 1, 7), (#"{"a":1.}"#, 1, 8), (#"{"a":-}"#, 1, 7), (#"{"a":tru}"#, 1, 6),
        (#"{"a":"\x"}"#, 1, 7), (#"{"a":"\ud800"}"#, 1, 7), (#"{"a":"b\u12g4"}"#, 1, 8),
        ("{\"a\":\"\n\"}", 1, 7), (#"{"a":1,"a":2}"#, 1, 11), ("{} x", 1, 4),
        (#"{"a":[1 2]}"#, 1, 9),
        (#"{"a":"open"#, 1, 11),
    ])
    func refusesMalformedJSON(_ text: String, _ line: Int, _ column: Int) {
        let error = #expect(throws: CSDLError.self) { _ = try Documents.read(text) }
        #expect(error?.code == .malformed)
        #expect(error?.line == line)
        #expect(error?.column == column)
    }

    @Test func refusesInvalidUTF8() {
        let bytes = Array(#"{"$Version":""#.utf8) + [0xFF] + Array(#""}"#.utf8)
        let error = #expect(throws: CSDLError.self) { _ = try CSDLDocument(reading: bytes) }
        #expect(error?.code == .malformed)
    }

    @Test func decodesEscapes() throws {
        let document = try Documents.read(
            #"{"$Version":"4.0","NS":{"T":{"$Kind":"ComplexType","@N.T":"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00"}}}"#
        )

        let text = document.type("NS.T")?.annotations.first?.value.text
        #expect(text.map { Array($0.utf8) } == Array("\"\\/\u{8}\u{c}\n\r\té😀".utf8))
    }

    @Test func allowsExactlyTheDepthOfTheLimit() throws {
        var limits = CSDLLimits()
        limits.maximumDepth = 4
        let text = #"{"$Version":"4.0","NS":{"T":{"$Kind":"ComplexType"}}}"#
        #expect(try Documents.read(text, limits: limits).counts.complexTypes == 1)
        limits.maximumDepth = 3
        let error = #expect(throws: CSDLError.self) { _ = try Documents.read(text, limits: limits) }
        #expect(error?.code == .limit)
    }

    @Test(arguments: [
        ("{}", CSDLError.Code.notCSDL), (#"{"$Version":"7"}"#, .notCSDL),
        (#"{"$Version":4}"#, .notCSDL),
        (#"{"$Version":"4.0"}"#, .notCSDL),
    ])
    func refusesWhatIsNoCSDL(_ text: String, _ code: CSDLError.Code) {
        let error = #expect(throws: CSDLError.self) { _ = try Documents.read(text) }
        #expect(error?.code == code)
        #expect(error?.line == 1)
    }

    @Test(arguments: [
        #""X":{"$Kind":"Thing"}"#, #""X":{}"#, #""X":1"#, #""X":[{}]"#, #""X":[1]"#,
        #""X":{"$Kind":"TypeDefinition"}"#, #""X":{"$Kind":"EntityType","$Key":"ID"}"#,
        #""X":{"$Kind":"EnumType","$UnderlyingType":"Edm.String"}"#,
        #""X":{"$Kind":"EnumType","A":"one"}"#, #""X":{"$Kind":"ComplexType","P":1}"#,
        #""X":{"$Kind":"ComplexType","P":{"$Nullable":"x"}}"#,
        #""X":{"$Kind":"ComplexType","P":{"$Kind":"NavigationProperty"}}"#,
        #""X":[{"$Kind":"Action","$Parameter":[{"$Type":"Edm.Int32"}]}]"#,
        #""C":{"$Kind":"EntityContainer","S":{},"Ts":{"$Collection":true,"$Type":"NS.T"}}"#,
        #""$Annotations":1"#,
    ])
    func leavesOutWhatLacksWhatItNeeds(_ broken: String) throws {
        let document = try Documents.read(
            """
            {"$Version":"4.0","NS":{"A":{"$Kind":"ComplexType","P":{}},\(broken),
            "T":{"$Kind":"EntityType","$Key":["ID"],"ID":{"$Type":"Edm.Int32"}}}}
            """
        )

        #expect(document.type("NS.A")?.properties.map(\.name) == ["P"])
        #expect(document.type("NS.T")?.properties.map(\.name) == ["ID"])
        #expect(document.diagnostics.map(\.severity) == [.error])
        #expect(document.diagnostics.first?.line == 1)
        #expect(document.diagnostics.first?.message.hasSuffix("left out.") ?? false)
    }
}
