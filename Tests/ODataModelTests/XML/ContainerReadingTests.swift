import ODataModel
import Testing

@Suite struct ContainerReadingTests {
    @Test func readsSetsSingletonsAndBindings() throws {
        let document = try Documents.read(
            Documents.v4(
                """
                \(Documents.entity("Order", """
                    <NavigationProperty Name="Next" Type="NS.Order"/>
                    """))
                <EntityType Name="Rush" BaseType="NS.Order">
                <NavigationProperty Name="Last" Type="NS.Order"/></EntityType>
                <EntityContainer Name="C">
                <EntitySet Name="Orders" EntityType="Self.Order" IncludeInServiceDocument="false">
                <NavigationPropertyBinding Path="Next" Target="Orders"/>
                <NavigationPropertyBinding Path="Self.Rush/Last" Target="Self.C/Me"/></EntitySet>
                <Singleton Name="Me" Type="NS.Order" Nullable="true"/>
                </EntityContainer>
                """
            )
        )

        let container = document.model.container
        #expect(container.name == "NS.C")
        #expect(container.entitySets.map(\.name) == ["Orders"])
        #expect(!container.entitySets[0].isInServiceDocument)
        #expect(
            container.entitySets[0].navigationBindings == [
                NavigationBinding(path: "Next", target: "Orders"),
                NavigationBinding(path: "NS.Rush/Last", target: "Me"),
            ]
        )
        #expect(container.singletons.map(\.name) == ["Me"])
        #expect(container.singletons[0].isNullable)
    }

    @Test func mergesExtendedContainers() throws {
        let document = try Documents.read(
            Documents.v4(
                """
                \(Documents.entity("Order"))
                <EntityContainer Name="New" Extends="Self.Old">
                <EntitySet Name="B" EntityType="NS.Order"/></EntityContainer>
                <EntityContainer Name="Old"><EntitySet Name="A" EntityType="NS.Order"/></EntityContainer>
                """
            )
        )

        #expect(document.model.container.name == "NS.New")
        #expect(document.model.container.extends == "NS.Old")
        #expect(document.model.container.entitySets.map(\.name) == ["A", "B"])
        #expect(document.diagnostics.isEmpty)
        #expect(document.counts.entitySets == 2)
    }

    @Test func survivesContainersThatExtendThemselves() throws {
        let document = try Documents.read(
            Documents.v4(#"<EntityContainer Name="C" Extends="NS.C"/>"#)
        )

        #expect(document.diagnostics.map(\.severity) == [.error])
    }

    @Test func namesTheSetsOfOtherContainersBehindThem() throws {
        let document = try Documents.read(
            Documents.v2(
                """
                \(Documents.entity("Order"))
                <EntityContainer Name="Other"><EntitySet Name="A" EntityType="NS.Order"/></EntityContainer>
                <EntityContainer Name="Main" m:IsDefaultEntityContainer="true"
                  xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
                <EntitySet Name="B" EntityType="NS.Order"/></EntityContainer>
                """
            )
        )

        #expect(document.model.container.name == "NS.Main")
        #expect(document.model.container.entitySets.map(\.name) == ["B", "Other.A"])
        #expect(document.diagnostics.map(\.path) == ["NS.Other"])
    }

    @Test func readsOperationsWithOverloads() throws {
        let document = try Documents.read(
            Documents.v4(
                """
                \(Documents.entity("Order"))
                <Function Name="F" IsBound="true" IsComposable="true" EntitySetPath="o/Next">
                <Parameter Name="o" Type="Collection(NS.Order)"/>
                <ReturnType Type="Collection(NS.Order)"/></Function>
                <Function Name="F"><Parameter Name="n" Type="Edm.Int32" Nullable="false"/>
                <ReturnType Type="Edm.Decimal" Nullable="false" Scale="2"/></Function>
                <Action Name="A"/>
                <EntityContainer Name="C"><EntitySet Name="Orders" EntityType="NS.Order"/><FunctionImport Name="FI" Function="Self.F" EntitySet="Orders"/>
                <ActionImport Name="AI" Action="NS.A"/></EntityContainer>
                """
            )
        )

        let operations = document.model.operations
        #expect(operations.map(\.name) == ["NS.F", "NS.F", "NS.A"])
        #expect(operations.map(\.kind) == [.function, .function, .action])
        #expect(operations.map(\.isBound) == [true, false, false])
        #expect(operations[0].isComposable)
        #expect(operations[0].entitySetPath == "o/Next")
        #expect(operations[0].parameters[0].type.isCollection)
        #expect(!operations[1].parameters[0].isNullable)
        #expect(!operations[1].returnsNullable)
        #expect(operations[1].returnType?.facets.scale == .digits(2))
        #expect(operations[2].returnType == nil)
        #expect(document.model.container.functionImports.map(\.operation) == ["NS.F"])
        #expect(document.model.container.functionImports[0].entitySet == "Orders")
        #expect(document.model.container.actionImports.map(\.name) == ["AI"])
    }

    @Test func turnsFunctionImportsIntoOperations() throws {
        let document = try Documents.read(
            Documents.v2(
                """
                \(Documents.entity("Order"))
                <EntityContainer Name="C" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
                <EntitySet Name="Orders" EntityType="NS.Order"/><FunctionImport Name="Find" ReturnType="Collection(NS.Order)" EntitySet="Orders" m:HttpMethod="GET">
                <Parameter Name="text" Type="Edm.String" Mode="In"/></FunctionImport>
                <FunctionImport Name="Do" m:HttpMethod="POST"/></EntityContainer>
                """
            )
        )

        #expect(document.model.operations.map(\.name) == ["NS.Find", "NS.Do"])
        #expect(document.model.operations.map(\.kind) == [.function, .action])
        #expect(document.model.operations[0].parameters.map(\.name) == ["text"])
        #expect(document.model.operations[0].returnType?.isCollection == true)
        let container = document.model.container
        #expect(container.functionImports.map(\.name) == ["Find"])
        #expect(container.functionImports[0].operation == "NS.Find")
        #expect(container.functionImports[0].httpMethod == "GET")
        #expect(container.functionImports[0].entitySet == "Orders")
        #expect(container.actionImports.map(\.name) == ["Do"])
    }

    @Test func leavesBoundFunctionImportsOutOfTheContainer() throws {
        let document = try Documents.read(
            Documents.v2(
                """
                \(Documents.entity("Order"))
                <EntityContainer Name="C">
                <FunctionImport Name="Rate" IsBindable="true" IsSideEffecting="false" ReturnType="Edm.Int32">
                <Parameter Name="order" Type="NS.Order"/></FunctionImport>
                <FunctionImport Name="Close"/></EntityContainer>
                """,
                namespace: "2009/11"
            )
        )

        #expect(document.model.operations.map(\.isBound) == [true, false])
        #expect(document.model.operations.map(\.kind) == [.function, .action])
        #expect(document.model.container.functionImports.isEmpty)
        #expect(document.model.container.actionImports.map(\.name) == ["Close"])
        #expect(document.counts.functionImports == 2)
    }
}
