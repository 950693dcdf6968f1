import ODataModel
import Testing

@Suite struct NavigationReadingTests {
    @Test func readsNavigationOfVersionFour() throws {
        let document = try Documents.read(
            Documents.v4(
                """
                \(Documents.entity("Customer", #"<NavigationProperty Name="Orders" Type="Collection(NS.Order)"/>"#))
                \(Documents.entity("Order", """
                    <Property Name="CustomerID" Type="Edm.Int32"/>
                    <NavigationProperty Name="Customer" Type="NS.Customer" Nullable="false" Partner="Orders">
                    <ReferentialConstraint Property="CustomerID" ReferencedProperty="ID"/>
                    <OnDelete Action="SetNull"/></NavigationProperty>
                    <NavigationProperty Name="Items" Type="Collection(Self.Customer)" ContainsTarget="true"/>
                    """))
                """
            )
        )

        let customer = try #require(document.navigation("Customer"))
        #expect(customer.target == document.model.structuredType(named: "NS.Customer"))
        #expect(!customer.isCollection)
        #expect(!customer.isNullable)
        #expect(customer.partner == "Orders")
        #expect(customer.onDelete == .setNull)
        #expect(
            customer.referentialConstraints == [
                ReferentialConstraint(property: "CustomerID", referencedProperty: "ID")
            ]
        )
        let items = try #require(document.navigation("Items"))
        #expect(items.isCollection)
        #expect(items.containsTarget)
        #expect(items.target == customer.target)
    }

    /// Customer 1 – * Order, the order dependent; orders go with their customer.
    private static let associations = Documents.v2(
        """
        \(Documents.entity("Customer", """
            <NavigationProperty Name="Orders" Relationship="NS.CO" FromRole="C" ToRole="O"/>
            """))
        \(Documents.entity("Order", """
            <Property Name="CustomerID" Type="Edm.Int32"/>
            <NavigationProperty Name="Customer" Relationship="NS.CO" FromRole="O" ToRole="C"/>
            """))
        <EntityType Name="Special" BaseType="NS.Customer">
        <NavigationProperty Name="Friend" Relationship="NS.Friends" FromRole="A" ToRole="B"/></EntityType>
        <Association Name="CO">
        <End Type="NS.Customer" Role="C" Multiplicity="0..1"><OnDelete Action="Cascade"/></End>
        <End Type="NS.Order" Role="O" Multiplicity="*"/>
        <ReferentialConstraint><Principal Role="C"><PropertyRef Name="ID"/></Principal>
        <Dependent Role="O"><PropertyRef Name="CustomerID"/></Dependent></ReferentialConstraint>
        </Association>
        <Association Name="Friends"><End Type="NS.Special" Role="A" Multiplicity="*"/>
        <End Type="NS.Customer" Role="B" Multiplicity="1"/></Association>
        <EntityContainer Name="Default">
        <EntitySet Name="Customers" EntityType="NS.Customer"/>
        <EntitySet Name="Orders" EntityType="NS.Order"/>
        <AssociationSet Name="COs" Association="NS.CO">
        <End Role="C" EntitySet="Customers"/><End Role="O" EntitySet="Orders"/></AssociationSet>
        <AssociationSet Name="Fs" Association="NS.Friends">
        <End Role="A" EntitySet="Customers"/><End EntitySet="Customers"/></AssociationSet>
        </EntityContainer>
        """
    )

    @Test func turnsAssociationsIntoNavigation() throws {
        let document = try Documents.read(Self.associations)

        let orders = try #require(document.navigation("Orders", of: "NS.Customer"))
        #expect(orders.isCollection)
        #expect(orders.target == document.model.structuredType(named: "NS.Order"))
        #expect(orders.targetName == "NS.Order")
        #expect(orders.partner == "Customer")
        #expect(orders.onDelete == .cascade)
        #expect(orders.referentialConstraints.isEmpty)
        let customer = try #require(document.navigation("Customer"))
        #expect(!customer.isCollection)
        #expect(customer.isNullable)
        #expect(customer.partner == "Orders")
        #expect(customer.onDelete == nil)
        #expect(
            customer.referentialConstraints == [
                ReferentialConstraint(property: "CustomerID", referencedProperty: "ID")
            ]
        )
        #expect(document.diagnostics.isEmpty)
    }

    @Test func turnsAssociationSetsIntoBindings() throws {
        let document = try Documents.read(Self.associations)

        let sets = document.model.container.entitySets
        #expect(
            sets[0].navigationBindings == [
                NavigationBinding(path: "Orders", target: "Orders"),
                NavigationBinding(path: "NS.Special/Friend", target: "Customers"),
            ]
        )
        #expect(
            sets[1].navigationBindings == [
                NavigationBinding(path: "Customer", target: "Customers")
            ]
        )
    }

    @Test func tellsOfAssociationsThatAreNotThere() throws {
        let document = try Documents.read(
            Documents.v2(
                Documents.entity(
                    "Order",
                    #"<NavigationProperty Name="X" Relationship="NS.No" FromRole="A" ToRole="B"/>"#
                )
            )
        )

        #expect(document.navigation("X")?.target == nil)
        let diagnostic = try #require(document.diagnostics.first)
        #expect(diagnostic.severity == .error)
        #expect(diagnostic.path == "NS.Order/X")
        #expect(diagnostic.line == 7)
    }

    @Test func warnsWhereSeveralSetsAreBound() throws {
        let document = try Documents.read(
            Documents.v2(
                """
                \(Documents.entity("Order", """
                    <NavigationProperty Name="X" Relationship="NS.A" FromRole="F" ToRole="T"/>
                    """))
                <Association Name="A"><End Type="NS.Order" Role="F" Multiplicity="*"/>
                <End Type="NS.Order" Role="T" Multiplicity="*"/></Association>
                <EntityContainer Name="C"><EntitySet Name="One" EntityType="NS.Order"/>
                <EntitySet Name="Two" EntityType="NS.Order"/>
                <AssociationSet Name="A1" Association="NS.A">
                <End Role="F" EntitySet="One"/><End Role="T" EntitySet="One"/></AssociationSet>
                <AssociationSet Name="A2" Association="NS.A">
                <End Role="F" EntitySet="One"/><End Role="T" EntitySet="Two"/></AssociationSet>
                </EntityContainer>
                """
            )
        )

        #expect(document.diagnostics.map(\.path) == ["NS.C/One/X"])
    }
}
