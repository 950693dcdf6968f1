import ODataModel
import Testing

@Suite struct BehaviourTests {
    private func property(_ annotations: Annotation...) -> StructuralProperty {
        var property = StructuralProperty(name: "P", type: TypeReference(.primitive(.string)))
        property.annotations = annotations
        return property
    }

    private func text(_ term: String, _ value: String) -> Annotation {
        Annotation(term: term, value: .constant(kind: "String", text: value))
    }

    @Test func knowsComputedProperties() {
        let computed = "Org.OData.Core.V1.Computed"
        #expect(property(Annotation(term: computed, value: .defaultValue)).isComputed)
        #expect(property(text("sap:creatable", "false"), text("sap:updatable", "false")).isComputed)
        #expect(property(text("annotation:StoreGeneratedPattern", "Identity")).isComputed)
        #expect(!property().isComputed)
        let not = AnnotationExpression.constant(kind: "Bool", text: "false")
        #expect(!property(Annotation(term: computed, value: not)).isComputed)
    }

    @Test func knowsImmutableProperties() {
        let immutable = "Org.OData.Core.V1.Immutable"
        #expect(property(Annotation(term: immutable, value: .defaultValue)).isImmutable)
        #expect(property(text("sap:updatable", "false")).isImmutable)
        #expect(
            !property(text("sap:updatable", "false"), text("sap:creatable", "false")).isImmutable
        )
        #expect(!property().isImmutable)
    }

    @Test(arguments: [
        ("Org.OData.Core.V1.Permission/Read", true), ("Read", true),
        ("Org.OData.Core.V1.Permission/ReadWrite", false),
        ("Org.OData.Core.V1.Permission/Read Org.OData.Core.V1.Permission/Write", false),
    ])
    func knowsReadOnlyProperties(_ value: String, _ expected: Bool) {
        #expect(property(text("Org.OData.Core.V1.Permissions", value)).isReadOnly == expected)
    }

    @Test func knowsConcurrencyTokensAndRestrictionsOfVersion2() throws {
        let v2 = try Documents.read(
            Documents.v2(
                """
                \(Documents.entity("Order", #"<Property Name="Tag" Type="Edm.String" ConcurrencyMode="Fixed"/>"#))
                <EntityContainer Name="C"><EntitySet Name="A" EntityType="NS.Order" sap:deletable="false"/>
                </EntityContainer>
                """
            )
        )
        let set = v2.model.container.entitySets[0]
        let tokens = v2.model.properties(of: set.type).filter(\.isConcurrencyToken).map(\.name)
        #expect(tokens == ["Tag"])
        #expect(!set.isDeletable)
        #expect(set.isUpdatable)
    }

    @Test func knowsWhatSetsAndServicesCan() throws {
        let document = try Documents.read(
            Documents.v4(
                """
                \(Documents.entity("Order", """
                    <Annotation Term="Org.OData.Core.V1.AlternateKeys"><Collection><Record>
                    <PropertyValue Property="Key"><Collection><Record>
                    <PropertyValue Property="Name" PropertyPath="A/B"/>
                    <PropertyValue Property="Alias" String="AB"/></Record></Collection></PropertyValue>
                    </Record></Collection></Annotation>
                    """))
                <EntityContainer Name="C">
                <Annotation Term="Org.OData.Capabilities.V1.BatchSupported" Bool="false"/>
                <Annotation Term="Org.OData.Repeatability.V1.Supported"/>
                <EntitySet Name="A" EntityType="NS.Order">
                <Annotation Term="Org.OData.Capabilities.V1.InsertRestrictions"><Record>
                <PropertyValue Property="Insertable" Bool="false"/></Record></Annotation>
                <Annotation Term="Org.OData.Capabilities.V1.ChangeTracking"><Record>
                <PropertyValue Property="Supported" Bool="true"/></Record></Annotation></EntitySet>
                </EntityContainer>
                """
            )
        )
        let set = document.model.container.entitySets[0]

        #expect(!set.isInsertable)
        #expect(document.model.isChangeTracked(set) == true)
        #expect(document.model.isBatchSupported == false)
        #expect(document.model.isRepeatabilitySupported == true)
        #expect(
            document.model.alternateKeys(of: set.type) == [[KeyProperty(path: "A/B", alias: "AB")]]
        )
    }
}
