/// A small service written by hand: two sets, one relation, one singleton.
enum Library {
    static let metadata = """
        <?xml version="1.0"?>
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Library" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <EntityType Name="Author"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Name" Type="Edm.String" Nullable="false"/>
          </EntityType>
          <EntityType Name="Book"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Title" Type="Edm.String" Nullable="false"/>
            <Property Name="AuthorID" Type="Edm.Int32"/>
            <NavigationProperty Name="Author" Type="Library.Author">
              <ReferentialConstraint Property="AuthorID" ReferencedProperty="ID"/></NavigationProperty>
          </EntityType>
          <EntityContainer Name="Container">
            <EntitySet Name="Books" EntityType="Library.Book">
              <NavigationPropertyBinding Path="Author" Target="Authors"/></EntitySet>
            <EntitySet Name="Authors" EntityType="Library.Author"/>
          </EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    static let authors = """
        {"value": [{"ID": 1, "Name": "Ada"}, {"ID": 2, "Name": "Bo"}]}
        """

    static let books = """
        [{"ID": 10, "Title": "Notes", "AuthorID": 1}, {"ID": 11, "Title": "Maps", "AuthorID": 2},
         {"ID": 12, "Title": "Nets", "AuthorID": 1}]
        """

    /// A directory with the metadata and the rows.
    static func files() throws -> Scratch {
        let scratch = try Scratch()
        try scratch.write(metadata, to: "metadata.xml")
        try scratch.write(authors, to: "Authors.json")
        try scratch.write(books, to: "Books.json")
        return scratch
    }

    /// A directory with a store of the rows, `library.store`, which belongs to no service.
    static func store() async throws -> Scratch {
        let scratch = try files()
        let outcome = try await Tool.run(
            "import",
            "library.store",
            "--metadata",
            "metadata.xml",
            "Books.json",
            "Authors.json",
            in: scratch
        )
        guard outcome.status == 0 else { throw ToolFailure(outcome: outcome) }
        return scratch
    }

    /// A running service with the rows, and a directory with a store opened from it.
    static func service(
        _ options: String...
    ) async throws -> (service: RunningTool, root: String, scratch: Scratch) {
        let scratch = try Scratch()
        try scratch.makeDirectory("rows")
        try scratch.write(metadata, to: "metadata.xml")
        try scratch.write(authors, to: "rows/Authors.json")
        try scratch.write(books, to: "rows/Books.json")
        let (tool, root) = try await RunningTool.service(
            ["--metadata", scratch.path("metadata.xml"), "--data", scratch.path("rows")] + options
        )
        return (tool, root, scratch)
    }
}

/// A run that had to succeed and did not.
struct ToolFailure: Error {
    var outcome: Tool.Outcome
}
