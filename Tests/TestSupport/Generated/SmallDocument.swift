/// Writes small metadata documents of version 4.
public enum SmallDocument {
    /// Returns a document of namespace `T` with these types, and a container with these sets.
    ///
    /// - Parameters:
    ///   - types: Elements of the schema.
    ///   - sets: Names of sets with their types and bindings, `("Items", "T.Item", "")`.
    public static func text(_ types: String, sets: [(name: String, type: String, inside: String)])
        -> [UInt8]
    {
        let elements = sets.map {
            "<EntitySet Name=\"\($0.name)\" EntityType=\"\($0.type)\">\($0.inside)</EntitySet>"
        }
        return Array(
            """
            <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
            <Schema Namespace="T" xmlns="http://docs.oasis-open.org/odata/ns/edm">\(types)
            <EntityContainer Name="C">\(elements.joined())</EntityContainer>
            </Schema></edmx:DataServices></edmx:Edmx>
            """.utf8
        )
    }

    /// Returns a document with the set `Items` of the type `T.Item`, whose key is `ID`.
    public static func items(
        _ properties: String,
        traits: String = "",
        types: String = "",
        id: String = "Type=\"Edm.Int32\""
    ) -> [UInt8] {
        text(
            """
            <EntityType Name="Item" \(traits)><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" \(id) Nullable="false"/>\(properties)</EntityType>\(types)
            """,
            sets: [("Items", "T.Item", "")]
        )
    }
}
