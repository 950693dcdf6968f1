import ODataModelComparison
import ODataModel
import Testing

/// Documents that are broken in one place: the element there is left out, with a diagnostic of its line, and all else is
/// read as if it had never been written.
@Suite struct LeftOutElementTests {
    /// A broken place and the document without the element that cannot be read.
    struct Case: Sendable, CustomTestStringConvertible {
        var broken: String
        var without: String
        var version = 4

        var testDescription: String { broken }
    }

    private static let type = Documents.entity("T", #"<Property Name="A" Type="Edm.Int32"/>"#)

    /// Puts content of a type into a whole schema.
    private static func inType(_ broken: String, without: String = "") -> Case {
        Case(broken: Documents.entity("T", broken), without: Documents.entity("T", without))
    }

    private static func inContainer(_ broken: String, without: String = "") -> Case {
        let whole = { (content: String) in
            """
            \(type)<Action Name="Act"/>
            <EntityContainer Name="C"><EntitySet Name="Ts" EntityType="NS.T"/>\(content)</EntityContainer>
            """
        }
        return Case(broken: whole(broken), without: whole(without))
    }

    private static let annotations: [Case] = [
        inType("<Annotation/>"),
        inType(#"<Annotation String="x"/>"#),
        inType(#"<Annotation Term=""><Record/></Annotation>"#),
        inType(
            #"<Annotation Term="N.T"><Record><PropertyValue String="x"/></Record></Annotation>"#,
            without: #"<Annotation Term="N.T"><Record></Record></Annotation>"#
        ),
        Case(
            broken: type + #"<Annotations><Annotation Term="N.T"/></Annotations>"#,
            without: type
        ),
        Case(
            broken: type + #"<Annotations Target=""><Annotation Term="N.T"/></Annotations>"#,
            without: type
        ),
        Case(
            broken: type + #"<Annotations Target="NS.T"><Annotation Bool="true"/></Annotations>"#,
            without: type
        ),
    ]

    private static let members: [Case] = [
        inType(#"<NavigationProperty Name="N"/>"#),
        inType(#"<NavigationProperty Type="NS.T"/>"#),
        inType(
            #"<NavigationProperty Name="N"/><NavigationProperty Name="N" Type="NS.T"/>"#,
            without: #"<NavigationProperty Name="N" Type="NS.T"/>"#
        ),
        inType(
            """
            <Property Name="A" Type="Edm.Int32"/><NavigationProperty Name="N" Type="NS.T">
            <ReferentialConstraint ReferencedProperty="ID"/></NavigationProperty>
            """,
            without: """
                <Property Name="A" Type="Edm.Int32"/><NavigationProperty Name="N" Type="NS.T">
                </NavigationProperty>
                """
        ),
        inType(
            """
            <NavigationProperty Name="N" Type="NS.T"><ReferentialConstraint Property="ID"/>
            </NavigationProperty>
            """,
            without: #"<NavigationProperty Name="N" Type="NS.T"/>"#
        ),
        inType(#"<Property Name="P"/>"#),
        inType(#"<Property Type="Edm.Int32"/>"#),
        inType(#"<Property Name="" Type="Edm.Int32"/>"#),
        Case(broken: type + "<EntityType/>", without: type),
        Case(broken: type + #"<ComplexType><Property Name="P"/></ComplexType>"#, without: type),
        Case(
            broken: type
                + #"<EntityType Name="U"><Key><PropertyRef/></Key><Property Name="P" Type="Edm.Int32"/></EntityType>"#,
            without: type
        ),
        Case(
            broken: type + #"<EnumType Name="E"><Member Value="1"/><Member Name="A"/></EnumType>"#,
            without: type + #"<EnumType Name="E"><Member Name="A"/></EnumType>"#
        ),
        Case(
            broken: type
                + #"<EnumType Name="E"><Member Name="A" Value="9223372036854775807"/><Member Name="B"/></EnumType>"#,
            without: type
                + #"<EnumType Name="E"><Member Name="A" Value="9223372036854775807"/></EnumType>"#
        ),
        Case(broken: type + #"<TypeDefinition Name="D" UnderlyingType="NS.T"/>"#, without: type),
        Case(broken: type + #"<TypeDefinition Name="D"/>"#, without: type),
    ]

    private static let operations: [Case] = [
        Case(
            broken: type + #"<Action Name="F"><Parameter Name="p"/></Action>"#,
            without: type + #"<Action Name="F"/>"#
        ),
        Case(
            broken: type + #"<Action Name="F"><Parameter Type="Edm.Int32"/></Action>"#,
            without: type + #"<Action Name="F"/>"#
        ),
        Case(
            broken: type + #"<Function Name="F"><ReturnType/></Function>"#,
            without: type + #"<Function Name="F"/>"#
        ),
        Case(broken: type + "<Action/>", without: type),
        inContainer(#"<ActionImport Name="I"/>"#),
        inContainer(#"<ActionImport Action="NS.Act"/>"#),
        inContainer(#"<ActionImport Name="I" Action="NS.Missing"/>"#),
        inContainer(#"<FunctionImport Name="I" Function="NS.Missing"/>"#),
        inContainer(#"<Singleton Name="One" EntityType="NS.T"/>"#),
        inContainer(#"<Singleton Type="NS.T"/>"#),
        inContainer(#"<EntitySet Name="Others"/>"#),
        inContainer(#"<EntitySet Name="Others" Type="NS.T"/>"#),
        inContainer(#"<EntitySet EntityType="NS.T"/>"#),
        inContainer(
            #"<EntitySet Name="B" EntityType="NS.T"><NavigationPropertyBinding Path="N"/></EntitySet>"#,
            without: #"<EntitySet Name="B" EntityType="NS.T"/>"#
        ),
        Case(broken: type + "<EntityContainer/>", without: type),
    ]

    private static let ends = #"<End Role="R" Type="NS.T" Multiplicity="1"/>"#
    private static let associations: [Case] = [
        Case(
            broken: type
                + #"<Association Name="A">\#(ends)<End Role="S" Type="NS.T"/></Association>"#,
            without: type + #"<Association Name="A">\#(ends)</Association>"#,
            version: 2
        ),
        Case(
            broken: type
                + #"<Association Name="A">\#(ends)<End Role="S" Type="NS.T" Multiplicity="2"/></Association>"#,
            without: type + #"<Association Name="A">\#(ends)</Association>"#,
            version: 2
        ),
        Case(
            broken: type
                + #"<Association Name="A">\#(ends)<End Role="S" Multiplicity="1"/></Association>"#,
            without: type + #"<Association Name="A">\#(ends)</Association>"#,
            version: 2
        ),
        Case(
            broken: Documents.entity(
                "T",
                #"<NavigationProperty Name="N" Relationship="NS.A" FromRole="R"/>"#
            ),
            without: Documents.entity("T"),
            version: 2
        ),
        Case(broken: type + "<Association/>", without: type, version: 2),
        Case(broken: type + #"<Term Type="Edm.String"/>"#, without: type),
        Case(broken: type + #"<Term Name="T1"/>"#, without: type),
    ]

    /// Two types of version 2 with an association between them, and a constraint.
    private static func constrained(_ constraint: String) -> String {
        """
        \(Documents.entity("T", #"<Property Name="B" Type="Edm.Int32"/><NavigationProperty Name="N" Relationship="NS.A" FromRole="R" ToRole="S"/>"#))
        <Association Name="A"><End Role="R" Type="NS.T" Multiplicity="*"/><End Role="S" Type="NS.T" Multiplicity="0..1"/>
        \(constraint)</Association>
        """
    }

    private static func constraint(
        _ principal: String,
        _ dependent: String,
        _ names: (String, String) = ("ID", "B")
    ) -> Case {
        Case(
            broken: constrained(
                """
                <ReferentialConstraint><Principal\(principal)><PropertyRef Name="\(names.0)"/></Principal>
                <Dependent\(dependent)><PropertyRef Name="\(names.1)"/></Dependent></ReferentialConstraint>
                """
            ),
            without: constrained(""),
            version: 2
        )
    }

    /// Names that lead to nothing.
    private static let dangling: [Case] = [
        constraint("", #" Role="R""#), constraint(#" Role="S""#, ""),
        constraint(#" Role="Q""#, #" Role="R""#),
        constraint(#" Role="S""#, #" Role="R""#, ("Nope", "B")),
        constraint(#" Role="S""#, #" Role="R""#, ("ID", "Nope")),
        inType(
            #"<NavigationProperty Name="N" Type="NS.T" Partner="Nope"/>"#,
            without: #"<NavigationProperty Name="N" Type="NS.T"/>"#
        ),
        inType(
            """
            <NavigationProperty Name="N" Type="NS.T">
            <ReferentialConstraint Property="Nope" ReferencedProperty="ID"/></NavigationProperty>
            """,
            without: """
                <NavigationProperty Name="N" Type="NS.T">
                </NavigationProperty>
                """
        ),
        inType(
            """
            <NavigationProperty Name="N" Type="NS.T">
            <ReferentialConstraint Property="ID" ReferencedProperty="Nope"/></NavigationProperty>
            """,
            without: """
                <NavigationProperty Name="N" Type="NS.T">
                </NavigationProperty>
                """
        ),
        inContainer(
            #"<EntitySet Name="B" EntityType="NS.T"><NavigationPropertyBinding Path="N" Target="Nowhere"/></EntitySet>"#,
            without: #"<EntitySet Name="B" EntityType="NS.T"/>"#
        ),
        inContainer(
            #"<ActionImport Name="I" Action="NS.Act" EntitySet="Nope"/>"#,
            without: #"<ActionImport Name="I" Action="NS.Act"/>"#
        ),
    ]

    private func read(_ schema: String, _ version: Int) throws -> CSDLDocument {
        try Documents.read(version == 4 ? Documents.v4(schema) : Documents.v2(schema))
    }

    @Test(arguments: annotations + members + operations + associations + dangling)
    func leavesOutTheElementAlone(_ broken: Case) throws {
        let document = try read(broken.broken, broken.version)
        let expected = try read(broken.without, broken.version)

        #expect(ModelComparison(from: expected.model, to: document.model).changes.isEmpty)
        let type = try #require(document.type("NS.T"))
        let whole = try #require(expected.type("NS.T"))
        #expect(type.properties.map(\.name) == whole.properties.map(\.name))
        #expect(type.navigationProperties.map(\.name) == whole.navigationProperties.map(\.name))
        #expect(
            type.navigationProperties.map(\.referentialConstraints.count)
                == whole.navigationProperties.map(\.referentialConstraints.count)
        )
        #expect(type.annotations.map(\.term) == whole.annotations.map(\.term))
        #expect(
            document.model.container.entitySets.count == expected.model.container.entitySets.count
        )
        #expect(document.model.operations.count == expected.model.operations.count)
        let added = document.diagnostics.filter { !expected.diagnostics.contains($0) }
        #expect(added.map(\.severity) == [.error])
        #expect(added.allSatisfy { $0.line > 3 && $0.message.hasSuffix("left out.") })
    }

    /// The wrapper of an older version may say of which service the schemas are.
    @Test func readsASchemaWithoutNamespaceURIInTheVersionOfItsWrapper() throws {
        let document = try Documents.read(
            """
            <edmx:Edmx Version="3.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
            <edmx:DataServices m:DataServiceVersion="4.0" xmlns:m="http://docs.oasis-open.org/odata/ns/metadata">
            <Schema Namespace="NS">\(Documents.entity("T"))</Schema></edmx:DataServices></edmx:Edmx>
            """
        )
        #expect(document.model.version == .v4)
        #expect(document.diagnostics.count == 1)
    }

    @Test(arguments: [
        #"<Property Name="P" Type="Edm.Int32" Nullable="perhaps"/>"#,
        #"<Property Name="P" Type="Edm.Int32" Unicode="2"/>"#,
        #"<Property Name="P" Type="Edm.Int32" MaxLength="long"/>"#,
    ])
    func leavesOutTheAttributeAlone(_ property: String) throws {
        let document = try read(Documents.entity("T", property), 4)

        #expect(document.property("P", of: "NS.T")?.isNullable == true)
        #expect(document.diagnostics.map(\.line) == [5])
        #expect(document.diagnostics.first?.path == "NS.T")
    }

    @Test func readsAPropertyWithoutItsRolesAsLeadingNowhere() throws {
        let document = try read(
            """
            \(Documents.entity("T", #"<NavigationProperty Name="N" Relationship="NS.A" FromRole="Q" ToRole="S"/>"#))
            <Association Name="A"><End Type="NS.T" Role="R" Multiplicity="1"/>
            <End Type="NS.T" Role="S" Multiplicity="1"/></Association>
            """,
            2
        )

        #expect(document.navigation("N", of: "NS.T")?.target == nil)
        #expect(document.diagnostics.map(\.path) == ["NS.T/N"])
    }

    @Test func leavesOutAConstraintWhosePartsDoNotMatch() throws {
        let document = try read(
            """
            \(Documents.entity("T", #"<NavigationProperty Name="N" Relationship="NS.A" FromRole="R" ToRole="S"/>"#))
            <Association Name="A"><End Type="NS.T" Role="R" Multiplicity="1"/>
            <End Type="NS.T" Role="S" Multiplicity="1"/><ReferentialConstraint>
            <Principal Role="S"><PropertyRef Name="ID"/></Principal><Dependent Role="R"/>
            </ReferentialConstraint></Association>
            """,
            2
        )

        #expect(document.navigation("N", of: "NS.T")?.referentialConstraints.isEmpty == true)
        #expect(document.diagnostics.map(\.path) == ["NS.A"])
    }
}

// MARK: - Schemas

extension LeftOutElementTests {
    private static let other =
        #"<Schema Namespace="O" xmlns="http://docs.oasis-open.org/odata/ns/edm"><ComplexType Name="C"/></Schema>"#

    private func document(_ schemas: String) throws -> CSDLDocument {
        try Documents.read(
            """
            <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
            <edmx:DataServices>
            \(schemas)
            </edmx:DataServices></edmx:Edmx>
            """
        )
    }

    @Test(arguments: [true, false])
    func readsASchemaWithoutNamespaceURIAsItsNeighbours(_ isLast: Bool) throws {
        let bare =
            #"<Schema Namespace="NS"><ComplexType Name="T"><Property Name="P" Type="O.C"/></ComplexType></Schema>"#
        let document = try document(isLast ? Self.other + bare : bare + Self.other)

        #expect(document.property("P", of: "NS.T") != nil)
        #expect(document.type("O.C") != nil)
        #expect(document.counts.schemas == 2)
        #expect(document.model.version == .v4)
        #expect(document.diagnostics.map(\.line) == [3])
        #expect(document.diagnostics.first?.severity == .warning)
    }

    @Test func readsAnOldSchemaWithoutNamespaceURIByItsWrapper() throws {
        let document = try Documents.read(
            """
            <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx"
                xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
            <edmx:DataServices m:DataServiceVersion="3.0">
            <Schema Namespace="NS"><EntityContainer Name="C"><FunctionImport Name="F"/></EntityContainer></Schema>
            </edmx:DataServices></edmx:Edmx>
            """
        )

        #expect(document.model.version == .v3)
        #expect(document.model.container.actionImports.map(\.name) == ["F"])
        #expect(document.diagnostics.map(\.line) == [4])
    }

    @Test(arguments: ["urn:other", "http://docs.oasis-open.org/odata/ns/edm2"])
    func leavesOutASchemaOfAnUnknownNamespaceURI(_ uri: String) throws {
        let document = try document(
            Self.other + #"<Schema Namespace="NS" xmlns="\#(uri)"><ComplexType Name="T"/></Schema>"#
        )

        #expect(document.type("NS.T") == nil)
        #expect(document.diagnostics.map(\.severity) == [.error])
    }

    @Test(arguments: [
        "https://docs.oasis-open.org/odata/ns/edm", "http://docs.oasis-open.org/odata/ns/edm/",
    ])
    func readsSloppyNamespaceURIs(_ uri: String) throws {
        let document = try document(
            #"<Schema Namespace="NS" xmlns="\#(uri)"><ComplexType Name="T"/></Schema>"#
        )

        #expect(document.type("NS.T") != nil)
    }

    @Test func leavesOutASchemaWithoutNamespace() throws {
        let document = try document(
            Self.other
                + #"<Schema xmlns="http://docs.oasis-open.org/odata/ns/edm"><ComplexType Name="T"/></Schema>"#
        )

        #expect(document.type("O.C") != nil)
        #expect(document.model.structuredTypes.count == 1)
        #expect(document.diagnostics.map(\.severity) == [.error])
    }
}
