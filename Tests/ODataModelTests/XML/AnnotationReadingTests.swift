import ODataModel
import Testing

/// Makes the alias `Core` known.
private let coreReference = """
    <edmx:Reference Uri="https://example.org/core.xml">
    <edmx:Include Namespace="Org.OData.Core.V1" Alias="Core"/></edmx:Reference>
    """

@Suite struct AnnotationReadingTests {
    @Test(arguments: [
        (#"<Annotation Term="N.T"/>"#, AnnotationExpression.defaultValue),
        (#"<Annotation Term="N.T" Bool="true"/>"#, .constant(kind: "Bool", text: "true")),
        (#"<Annotation Term="N.T" String="a &amp; b"/>"#, .constant(kind: "String", text: "a & b")),
        (
            #"<Annotation Term="N.T" EnumMember="N.E/A N.E/B"/>"#,
            .constant(kind: "EnumMember", text: "N.E/A N.E/B")
        ),
        (#"<Annotation Term="N.T" Path="A/B"/>"#, .path(kind: "Path", text: "A/B")),
        (
            #"<Annotation Term="N.T"><String> x </String></Annotation>"#,
            .constant(kind: "String", text: " x ")
        ),
        (#"<Annotation Term="N.T"><Int> 7 </Int></Annotation>"#, .constant(kind: "Int", text: "7")),
        (#"<Annotation Term="N.T"><Null/></Annotation>"#, .constant(kind: "Null", text: "")),
        (
            #"<Annotation Term="N.T"><NavigationPropertyPath>A</NavigationPropertyPath></Annotation>"#,
            .path(kind: "NavigationPropertyPath", text: "A")
        ),
        (
            #"<Annotation Term="N.T"><Collection><PropertyPath>A</PropertyPath><Path>B</Path></Collection></Annotation>"#,
            .collection([.path(kind: "PropertyPath", text: "A"), .path(kind: "Path", text: "B")])
        ),
        (
            #"<Annotation Term="N.T"><Record Type="N.R"><PropertyValue Property="P" Int="1"/><PropertyValue Property="Q"><Bool>false</Bool></PropertyValue></Record></Annotation>"#,
            .record(
                type: "N.R",
                [
                    ("P", .constant(kind: "Int", text: "1")),
                    ("Q", .constant(kind: "Bool", text: "false")),
                ]
            )
        ),
        (
            #"<Annotation Term="N.T"><If><Eq><Path>A</Path><Int>1</Int></Eq><String>x</String></If></Annotation>"#,
            .dynamic(
                element: "If",
                attributes: [],
                [
                    .dynamic(
                        element: "Eq",
                        attributes: [],
                        [.path(kind: "Path", text: "A"), .constant(kind: "Int", text: "1")]
                    ),
                    .constant(kind: "String", text: "x"),
                ]
            )
        ),
        (
            #"<Annotation Term="N.T"><Apply Function="odata.concat"><String>a</String></Apply></Annotation>"#,
            .dynamic(
                element: "Apply",
                attributes: [("Function", "odata.concat")],
                [.constant(kind: "String", text: "a")]
            )
        ),
        (
            #"<Annotation Term="N.T"><Cast Type="Edm.Int32"><Path>A</Path></Cast></Annotation>"#,
            .dynamic(
                element: "Cast",
                attributes: [("Type", "Edm.Int32")],
                [.path(kind: "Path", text: "A")]
            )
        ),
        (
            #"<Annotation Term="N.T" UrlRef="http://example.org/"/>"#,
            .dynamic(
                element: "UrlRef",
                attributes: [],
                [.constant(kind: "String", text: "http://example.org/")]
            )
        ),
    ])
    func keepsExpressionsAsWritten(_ xml: String, _ expected: AnnotationExpression) throws {
        let document = try Documents.read(
            Documents.v4(
                Documents.entity(
                    "Order",
                    #"<Property Name="A" Type="Edm.Int32">\#(xml)</Property>"#
                )
            )
        )

        #expect(document.property("A")?.annotations == [Annotation(term: "N.T", value: expected)])
    }

    @Test func resolvesAliasesOfTerms() throws {
        let document = try Documents.read(
            Documents.v4(
                Documents.entity(
                    "Order",
                    #"<Property Name="A" Type="Edm.Int32"><Annotation Term="Core.Computed" Qualifier="Q"/></Property>"#
                ),
                references: coreReference
            )
        )

        let annotation = try #require(document.property("A")?.annotations.first)
        #expect(annotation.term == "Org.OData.Core.V1.Computed")
        #expect(annotation.qualifier == "Q")
    }

    @Test func resolvesAliasesThatComeLater() throws {
        let document = try Documents.read(
            """
            <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
            <Schema Namespace="A" xmlns="http://docs.oasis-open.org/odata/ns/edm">
            <ComplexType Name="T"><Annotation Term="Late.Term"/></ComplexType></Schema>
            <Schema Namespace="B.C" Alias="Late" xmlns="http://docs.oasis-open.org/odata/ns/edm"/>
            </edmx:DataServices></edmx:Edmx>
            """
        )

        #expect(document.type("A.T")?.annotations.map(\.term) == ["B.C.Term"])
    }

    @Test func handsTargetedAnnotationsToTheirTargets() throws {
        let targets = [
            "NS.Order", "Self.Order/ID", "NS.Order/Next", "NS.Kind", "NS.Kind/A", "NS.Money",
            "NS.C", "NS.C/Orders", "NS.C/Me", "NS.C/Import", "NS.Act(NS.Order)",
            "NS.Act(NS.Order)/x",
        ]
        let annotations = targets.map {
            #"<Annotations Target="\#($0)" Qualifier="Q"><Annotation Term="N.T"/></Annotations>"#
        }
        let document = try Documents.read(
            Documents.v4(
                """
                \(annotations.joined())
                \(Documents.entity("Order", #"<NavigationProperty Name="Next" Type="NS.Order"/>"#))
                <EnumType Name="Kind"><Member Name="A"/></EnumType>
                <TypeDefinition Name="Money" UnderlyingType="Edm.Decimal"/>
                <Action Name="Act" IsBound="true"><Parameter Name="o" Type="NS.Order"/>
                <Parameter Name="x" Type="Edm.Int32"/></Action>
                <EntityContainer Name="C"><EntitySet Name="Orders" EntityType="NS.Order"/>
                <Singleton Name="Me" Type="NS.Order"/><ActionImport Name="Import" Action="NS.Act"/>
                </EntityContainer>
                """
            )
        )

        let model = document.model
        let found: [[Annotation]?] = [
            document.type("NS.Order")?.annotations, document.property("ID")?.annotations,
            document.navigation("Next")?.annotations, model.enumTypes[0].annotations,
            model.enumTypes[0].members[0].annotations, model.typeDefinitions[0].annotations,
            model.container.annotations, model.container.entitySets[0].annotations,
            model.container.singletons[0].annotations, model.container.actionImports[0].annotations,
            model.operations[0].annotations, model.operations[0].parameters[1].annotations,
        ]
        let expected = [Annotation(term: "N.T", qualifier: "Q", value: .defaultValue)]
        for (target, annotations) in zip(targets, found) {
            #expect(annotations == expected, "\(target)")
        }
        #expect(document.diagnostics.isEmpty)
    }

    @Test func keepsWhatHasNoPlaceAside() throws {
        let document = try Documents.read(
            Documents.v4(
                """
                \(Documents.entity("Order"))
                <Annotations Target="NS.C/Orders/ID"><Annotation Term="N.T"/></Annotations>
                <Annotations Target="NS.Nothing"><Annotation Term="N.T"/></Annotations>
                """
            )
        )

        #expect(document.model.otherAnnotations.map(\.target) == ["NS.C/Orders/ID", "NS.Nothing"])
        #expect(document.diagnostics.map(\.path) == ["NS.Nothing"])
    }

    @Test func keepsAnnotationsOfAnnotations() throws {
        let document = try Documents.read(
            Documents.v4(
                """
                <ComplexType Name="T"><Annotation Term="N.A"><Record>
                <PropertyValue Property="P" Int="1"><Annotation Term="N.B" String="b"/></PropertyValue>
                <Annotation Term="N.C" String="c"/></Record><Annotation Term="N.D"/></Annotation></ComplexType>
                """
            )
        )

        let annotations = try #require(document.type("NS.T")?.annotations)
        #expect(annotations.map(\.term) == ["N.A@N.D", "N.A"])
        #expect(annotations[1].value["P@N.B"]?.text == "b")
        #expect(annotations[1].value["@N.C"]?.text == "c")
    }

    @Test func readsAnnotationsOfVersionThree() throws {
        let document = try Documents.read(
            Documents.v2(
                """
                \(Documents.entity("Order"))
                <Annotations Target="NS.Order"><ValueAnnotation Term="N.V" String="v"/>
                <TypeAnnotation Term="N.R"><PropertyValue Property="P" String="p"/></TypeAnnotation></Annotations>
                """,
                namespace: "2009/11"
            )
        )

        let annotations = try #require(document.type("NS.Order")?.annotations)
        #expect(annotations.map(\.term) == ["N.V", "N.R"])
        #expect(annotations[1].value["P"]?.text == "p")
    }
}
