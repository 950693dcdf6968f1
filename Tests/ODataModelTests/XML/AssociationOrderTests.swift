import ODataModel
import Testing

/// Associations and their sets may come in any order; where it is the properties' order, their names are guessed.
@Suite struct AssociationOrderTests {
    /// Equally long, and alike at both ends.
    private static let names = ["AaA", "AbA", "AcA", "BaA", "BbA", "BcA", "AaB", "AbB"]

    private static let orders: [[Int]] = [
        [0, 1, 2, 3, 4, 5, 6, 7], [7, 6, 5, 4, 3, 2, 1, 0], [1, 2, 3, 4, 5, 6, 7, 0],
        [1, 0, 3, 2, 5, 4, 7, 6], [0, 2, 4, 6, 1, 3, 5, 7], [3, 4, 5, 0, 1, 2, 7, 6],
    ]

    /// The properties lead to `T0` to `T7`; each set of an association is that of the same name.
    private static func document(associations: [Int], sets: [Int]) -> String {
        let properties = names.map {
            #"<NavigationProperty Name="To\#($0)" Relationship="NS.\#($0)" FromRole="F\#($0)" ToRole="T\#($0)"/>"#
        }
        let targets = names.indices.map { Documents.entity("T\($0)") }
        let declared = associations.map {
            """
            <Association Name="\(names[$0])"><End Type="NS.Source" Role="F\(names[$0])" Multiplicity="*"/>
            <End Type="NS.T\($0)" Role="T\(names[$0])" Multiplicity="1"/></Association>
            """
        }
        let entitySets = names.indices.map {
            #"<EntitySet Name="S\#($0)" EntityType="NS.T\#($0)"/>"#
        }
        let associationSets = sets.map {
            """
            <AssociationSet Name="\(names[$0])Set" Association="NS.\(names[$0])">
            <End Role="F\(names[$0])" EntitySet="Sources"/><End Role="T\(names[$0])" EntitySet="S\($0)"/>
            </AssociationSet>
            """
        }
        let schema =
            [Documents.entity("Source", properties.joined())] + targets + declared
            + [#"<EntityContainer Name="C"><EntitySet Name="Sources" EntityType="NS.Source"/>"#]
            + entitySets + associationSets + ["</EntityContainer>"]
        return Documents.v2(schema.joined(separator: "\n"))
    }

    @Test(arguments: orders, orders)
    func leadsEachPropertyToItsTypeAndSet(associations: [Int], sets: [Int]) throws {
        let document = try Documents.read(Self.document(associations: associations, sets: sets))

        #expect(document.diagnostics.isEmpty)
        for (index, name) in Self.names.enumerated() {
            #expect(document.navigation("To\(name)", of: "NS.Source")?.targetName == "NS.T\(index)")
        }
        let bindings = document.model.container.entitySets[0].navigationBindings
        #expect(
            bindings.sorted { $0.path < $1.path }
                == Self.names.enumerated().map {
                    NavigationBinding(path: "To\($1)", target: "S\($0)")
                }.sorted { $0.path < $1.path }
        )
    }
}
