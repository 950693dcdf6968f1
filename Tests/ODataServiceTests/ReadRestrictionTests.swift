import ODataHTTP
import Testing

@testable import ODataAnswers
import ODataService

/// A stand-alone service refuses reads that its metadata excludes, and names the annotation.
@Suite struct ReadRestrictionTests {
    private static func annotation(_ term: String, _ members: String) -> String {
        "<Annotation Term=\"Org.OData.Capabilities.V1.\(term)\"><Record>\(members)</Record></Annotation>"
    }

    private static func flag(_ term: String, _ member: String) -> String {
        annotation(term, "<PropertyValue Property=\"\(member)\" Bool=\"false\"/>")
    }

    private static func list(_ term: String, _ member: String, _ element: String, _ path: String)
        -> String
    {
        annotation(
            term,
            "<PropertyValue Property=\"\(member)\"><Collection><\(element)>\(path)</\(element)></Collection></PropertyValue>"
        )
    }

    private func service(_ annotations: String) async throws -> TestService {
        var options = StandaloneOptions()
        options.service.obeysRestrictions = true
        return try await TestService(
            metadata: Array(
                """
                <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
                <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
                <EntityType Name="A"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
                <Property Name="Name" Type="Edm.String"/><NavigationProperty Name="Next" Type="N.A"/></EntityType>
                <EntityContainer Name="C"><EntitySet Name="As" EntityType="N.A"><NavigationPropertyBinding Path="Next" Target="As"/>
                \(annotations)</EntitySet></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
                """.utf8
            ),
            data: [("As", Array(#"[{"ID":1,"Name":"a"}]"#.utf8))],
            options: options
        )
    }

    private static let requiresFilter = annotation(
        "FilterRestrictions",
        "<PropertyValue Property=\"RequiresFilter\" Bool=\"true\"/>"
    )

    private static let cases: [(String, String, Int, String)] = [
        (
            flag("FilterRestrictions", "Filterable"), "As?$filter=ID%20eq%201", 400,
            "FilterRestrictions/Filterable"
        ),
        (
            list("FilterRestrictions", "NonFilterableProperties", "PropertyPath", "Name"),
            "As?$filter=ID%20eq%201%20or%20not%20contains(Name,'a')", 400,
            "cannot be filtered by Name"
        ),
        (flag("SortRestrictions", "Sortable"), "As?$orderby=ID", 400, "SortRestrictions/Sortable"),
        (
            list("SortRestrictions", "NonSortableProperties", "PropertyPath", "Name"),
            "As?$orderby=ID,tolower(Name)", 400, "cannot be ordered by Name"
        ),
        (
            flag("CountRestrictions", "Countable"), "As?$count=true", 400,
            "CountRestrictions/Countable"
        ),
        (flag("CountRestrictions", "Countable"), "As/$count", 400, "CountRestrictions/Countable"),
        (
            #"<Annotation Term="Org.OData.Capabilities.V1.TopSupported" Bool="false"/>"#,
            "As?$top=1", 400, "TopSupported"
        ),
        (
            #"<Annotation Term="Org.OData.Capabilities.V1.SkipSupported" Bool="false"/>"#,
            "As?$skip=1", 400, "SkipSupported"
        ),
        (
            flag("ExpandRestrictions", "Expandable"), "As(1)?$expand=Next", 400,
            "ExpandRestrictions/Expandable"
        ),
        (
            list("ExpandRestrictions", "NonExpandableProperties", "NavigationPropertyPath", "Next"),
            "As?$expand=Next", 400, "Next of As cannot be expanded"
        ),
        (
            flag("SearchRestrictions", "Searchable"), "As?$search=a", 400,
            "SearchRestrictions/Searchable"
        ),
        (
            list("SortRestrictions", "AscendingOnlyProperties", "PropertyPath", "Name"),
            "As?$orderby=ID%20desc,Name%20desc", 400, "cannot be ordered by Name desc"
        ),
        (
            list("SortRestrictions", "DescendingOnlyProperties", "PropertyPath", "Name"),
            "As?$orderby=Name", 400, "cannot be ordered by Name asc"
        ),
        (requiresFilter, "As", 400, "FilterRestrictions/RequiresFilter"),
        (requiresFilter, "As/$count", 400, "FilterRestrictions/RequiresFilter"),
        (
            list("FilterRestrictions", "RequiredProperties", "PropertyPath", "Name"),
            "As?$filter=ID%20eq%201", 400, "has to use Name"
        ),
        (
            list("FilterRestrictions", "RequiredProperties", "PropertyPath", "Name"), "As", 400,
            "FilterRestrictions/RequiredProperties"
        ),
        (flag("ReadRestrictions", "Readable"), "As", 405, "ReadRestrictions/Readable"),
        (flag("ReadRestrictions", "Readable"), "As(1)", 405, "ReadRestrictions/Readable"),
    ]

    @Test(arguments: cases)
    func refusesWhatTheMetadataExcludes(
        _ annotation: String,
        _ url: String,
        _ status: Int,
        _ message: String
    ) async throws {
        let refused = await (try service(annotation)).get(url)
        #expect(refused.status == status, "\(refused.text)")
        #expect(refused.text.contains(message), "\(refused.text)")
        let taken = await (try service("")).get(url)
        #expect(taken.status == 200, "\(taken.text)")
    }

    @Test(arguments: [
        "As(1)", "As?$filter=Name%20eq%20'a'", "As/$count?$filter=Name%20eq%20'a'",
        "As/$filter(Name%20eq%20'a')", "As(1)/Next", "As(1)/Name",
        "As?$filter=Name%20eq%20'a'&$orderby=ID%20desc,Name",
    ])
    func takesTheFilterThatIsRequired(_ url: String) async throws {
        let names = [
            ("FilterRestrictions", "RequiredProperties"),
            ("SortRestrictions", "AscendingOnlyProperties"),
        ]
        for annotations in [
            Self.requiresFilter,
            names.map { Self.list($0.0, $0.1, "PropertyPath", "Name") }.joined(),
        ] {
            let response = await (try service(annotations)).get(url)
            #expect([200, 204].contains(response.status), "\(response.text)")
        }
    }

    @Test func takesWhatIsNotExcluded() async throws {
        let names = Self.list(
            "FilterRestrictions",
            "NonFilterableProperties",
            "PropertyPath",
            "Name"
        )
        let service = try await service(names + Self.flag("SortRestrictions", "Sortable"))
        #expect(await service.get("As?$filter=ID%20eq%201&$top=1&$count=true").status == 200)
        #expect(await service.send("POST", "As", [:], #"{"ID":2,"Name":"b"}"#).status == 201)
    }
}
