import Testing

/// `import` refuses references to entities that are neither in a file nor in the store.
@Suite struct ImportReferenceTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="T" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="CustomerID" Type="Edm.Int32"/>
        <NavigationProperty Name="Customer" Type="T.Customer" Partner="Orders">
          <ReferentialConstraint Property="CustomerID" ReferencedProperty="ID"/></NavigationProperty>
        <NavigationProperty Name="Friends" Type="Collection(T.Customer)"/>
        <NavigationProperty Name="Main" Type="T.Line"/>
        <NavigationProperty Name="Lines" Type="Collection(T.Line)" ContainsTarget="true"/></EntityType>
        <EntityType Name="Line"><Key><PropertyRef Name="No"/></Key>
        <Property Name="No" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="Owner" Type="T.Customer"/></EntityType>
        <EntityType Name="Customer"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
        <NavigationProperty Name="Orders" Type="Collection(T.Order)" Partner="Customer"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Customers" EntityType="T.Customer">
        <NavigationPropertyBinding Path="Orders" Target="Orders"/></EntitySet>
        <EntitySet Name="Orders" EntityType="T.Order">
        <NavigationPropertyBinding Path="Customer" Target="Customers"/>
        <NavigationPropertyBinding Path="Friends" Target="Customers"/>
        <NavigationPropertyBinding Path="Lines/Owner" Target="Customers"/></EntitySet>
        <Singleton Name="Boss" Type="T.Customer"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private static let reason =
        "refers to an entity that is neither in a file nor in the store: import that entity too, or leave the reference out"

    private func imported(
        _ orders: String,
        _ customers: String,
        _ options: [String] = [],
        in scratch: Scratch
    ) async throws -> Tool.Outcome {
        try scratch.write(Self.metadata, to: "m.xml")
        try scratch.write(orders, to: "Orders.json")
        try scratch.write(customers, to: "Customers.json")
        let line = ["import", "t.store", "--metadata", "m.xml", "Orders.json", "Customers.json"]
        return try await Tool.run(line + options, in: scratch)
    }

    /// A foreign key and a reference say the same: one of two statements would be lost.
    @Test(arguments: [(1, 0), (2, 2)])
    func refusesAForeignKeyThatLeadsElsewhere(_ id: Int, _ status: Int32) async throws {
        let scratch = try Scratch()
        let outcome = try await imported(
            "[{\"ID\":1,\"CustomerID\":\(id),\"Customer@odata.bind\":\"Customers(1)\"}]",
            #"[{"ID":1},{"ID":2}]"#,
            in: scratch
        )
        #expect(outcome.status == status, "\(outcome.errors)")
        let message =
            "CustomerID leads to another entity than Customer@odata.bind: make them the same, or leave one out in value[0]/CustomerID"
        #expect(outcome.errors.contains(message) == (status != 0), "\(outcome.errors)")
    }

    /// Of two values for one property of an entity, one would be lost.
    @Test(arguments: [
        (
            #"[{"ID":1,"Friends":[{"ID":7,"Name":"a"}]},{"ID":2,"Friends":[{"ID":7,"Name":"b"}]}]"#,
            "Friends[0]/Name"
        ),
        (#"[{"ID":1,"Friends":[{"ID":5,"Name":"other"}]}]"#, "Friends[0]/Name"),
        (#"[{"ID":1,"Friends":[{"ID":5,"Name":"five"}]}]"#, nil),
        (#"[{"ID":1,"Friends":[{"ID":5}]}]"#, nil),
        (#"[{"ID":1,"Lines":[{"No":1}]},{"ID":2,"Lines":[{"No":1}]}]"#, nil),
    ])
    func refusesTwoValuesOfOneProperty(_ orders: String, _ place: String?) async throws {
        let scratch = try Scratch()
        let customers = #"[{"ID":5,"Name":"five"}]"#
        let outcome = try await imported(orders, customers, in: scratch)
        #expect(outcome.status == (place == nil ? 0 : 2), "\(outcome.errors)")
        let message =
            " is another value than the same entity has in another place: make them the same, or leave one out in value["
        #expect(
            outcome.errors.contains((place ?? "") + message) == (place != nil),
            "\(outcome.errors)"
        )
        // Answers of a service may have been taken at several moments.
        let served = try await imported(orders, customers, ["--as-served"], in: Scratch())
        #expect(served.status == 0, "\(served.errors)")
    }

    /// An entity inside of another one says by its place where its foreign key leads.
    @Test(arguments: [
        ("[]", #"[{"ID":1,"Orders":[{"ID":9}]},{"ID":2,"Orders":[{"ID":9}]}]"#, 2),
        (#"[{"ID":9,"CustomerID":2}]"#, #"[{"ID":1,"Orders":[{"ID":9}]},{"ID":2}]"#, 2),
        (#"[{"ID":9,"Customer":{"ID":2}}]"#, #"[{"ID":1,"Orders":[{"ID":9}]}]"#, 2),
        (#"[{"ID":9,"CustomerID":1}]"#, #"[{"ID":1,"Orders":[{"ID":9}]}]"#, 0),
    ])
    func refusesTwoOwnersOfOneEntity(_ orders: String, _ customers: String, _ status: Int32)
        async throws
    {
        let outcome = try await imported(orders, customers, in: Scratch())
        #expect(outcome.status == status, "\(outcome.errors)")
        let message = "CustomerID is another value than the same entity has in another place"
        #expect(outcome.errors.contains(message) == (status != 0), "\(outcome.errors)")
    }

    /// A property may be the foreign key of several relations: it leads to an entity of one of them.
    @Test(arguments: [("1", 0), ("2", 0), ("3", 2)])
    func takesAForeignKeyThatSeveralRelationsShare(_ key: String, _ status: Int32) async throws {
        func relation(_ name: String) -> String {
            #"<NavigationProperty Name="\#(name)" Type="T.\#(name)">"#
                + #"<ReferentialConstraint Property="OwnerID" ReferencedProperty="ID"/></NavigationProperty>"#
        }
        func type(_ name: String, _ more: String = "") -> String {
            #"<EntityType Name="\#(name)"><Key><PropertyRef Name="ID"/></Key>"#
                + #"<Property Name="ID" Type="Edm.Int32" Nullable="false"/>\#(more)</EntityType>"#
        }
        let scratch = try Scratch()
        try scratch.write(
            """
            <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
            <Schema Namespace="T" xmlns="http://docs.oasis-open.org/odata/ns/edm">\(type("Person"))\(type("Firm"))
            \(type("Car", #"<Property Name="OwnerID" Type="Edm.Int32"/>"# + relation("Person") + relation("Firm")))
            <EntityContainer Name="C"><EntitySet Name="People" EntityType="T.Person"/><EntitySet Name="Firms" EntityType="T.Firm"/>
            <EntitySet Name="Cars" EntityType="T.Car"><NavigationPropertyBinding Path="Person" Target="People"/>
            <NavigationPropertyBinding Path="Firm" Target="Firms"/></EntitySet></EntityContainer></Schema>
            </edmx:DataServices></edmx:Edmx>
            """,
            to: "m.xml"
        )
        try scratch.write("[{\"ID\":1,\"OwnerID\":\(key)}]", to: "Cars.json")
        try scratch.write(#"[{"ID":1}]"#, to: "People.json")
        try scratch.write(#"[{"ID":2}]"#, to: "Firms.json")
        let outcome = try await Tool.run(
            [
                "import", "t.store", "--metadata", "m.xml", "Cars.json", "People.json",
                "Firms.json", "--complete",
            ],
            in: scratch
        )
        #expect(outcome.status == status, "\(outcome.errors)")
    }

    /// What stands inside of several entities is one.
    @Test func countsEachEntityOnce() async throws {
        let scratch = try Scratch()
        let friend = #""Friends":[{"ID":7}]"#
        let outcome = try await imported(
            "[{\"ID\":1,\(friend)},{\"ID\":2,\(friend)}]",
            "[]",
            ["--json"],
            in: scratch
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("\"entities\":3"), "\(outcome.output)")
    }

    @Test(arguments: [
        (
            "[{\"ID\":1},\n {\"ID\":2,\"Customer@odata.bind\":\"Customers(9)\"}]",
            "Customer", "in value[1]/Customer@odata.bind (line 2, column 32, byte 42)"
        ),
        (
            #"[{"ID":1,"Friends@odata.bind":["Customers(1)","Customers(9)"]}]"#,
            "Friends", "in value[0]/Friends@odata.bind (line 1, column 31, byte 30)"
        ),
        (#"[{"ID":1,"Friends":[{"@odata.id":"Customers(9)"}]}]"#, "Friends", "in value[0]"),
        (#"[{"ID":1,"Friends@odata.bind":["(9)"]}]"#, "Friends", "in value[0]"),
        (#"[{"ID":1,"Friends@odata.bind":["Nope(1)"]}]"#, "Friends", "in value[0]"),
        (
            #"[{"ID":1,"Friends@odata.bind":["http://other/Customers(1)"]}]"#, "Friends",
            "in value[0]"
        ),
        (#"[{"ID":1,"Friends@odata.bind":["Boss"]}]"#, "Friends", "in value[0]"),
        (
            #"[{"ID":1,"Lines":[{"No":1},{"No":2,"Owner@odata.bind":"Customers(9)"}]}]"#,
            "Lines[1]/Owner", "in value[0]"
        ),
    ])
    func refusesWhatIsNowhere(_ orders: String, _ place: String, _ position: String) async throws {
        let scratch = try Scratch()
        let outcome = try await imported(orders, #"[{"ID":1}]"#, in: scratch)
        #expect(outcome.status == 2)
        let message = "error: Orders.json: \(place) \(Self.reason) \(position)"
        #expect(outcome.errors.hasPrefix(message), "\(outcome.errors)")
        #expect(!scratch.exists("t.store"))
    }

    @Test(arguments: [
        #"[{"ID":1,"Customer@odata.bind":"Customers(1)","Friends@odata.bind":["Customers(1)"]}]"#,
        #"[{"ID":1,"Friends":[{"@odata.id":"Customers(1)"}]}]"#,
        #"[{"ID":1,"Friends@odata.bind":["(1)"]}]"#,
        #"[{"ID":1,"Friends":[{"ID":7}]},{"ID":2,"Friends@odata.bind":["Customers(7)"]}]"#,
        #"[{"ID":1,"Lines":[{"No":2,"Owner@odata.bind":"Customers(1)"}]}]"#,
    ])
    func takesWhatAnotherFileHolds(_ orders: String) async throws {
        let scratch = try Scratch()
        let outcome = try await imported(orders, #"[{"ID":1,"Name":"c"}]"#, in: scratch)
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @Test func takesWhatTheStoreHolds() async throws {
        let scratch = try Scratch()
        #expect(try await imported("[]", #"[{"ID":5,"Name":"kept"}]"#, in: scratch).status == 0)
        let orders = #"[{"ID":1,"Friends@odata.bind":["Customers(5)"]}]"#
        let outcome = try await imported(orders, "[]", in: scratch)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let read = try await Tool.run("get", "t.store", "Orders(1)/Friends", in: scratch)
        #expect(read.output.contains(#""Name":"kept""#), "\(read.output)")
    }

    /// Stores hold a part of what services have.
    @Test func keepsAForeignKeyWhosePrincipalIsNowhere() async throws {
        let scratch = try Scratch()
        let outcome = try await imported(#"[{"ID":1,"CustomerID":9}]"#, "[]", in: scratch)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let read = try await Tool.run("get", "t.store", "Orders(1)", in: scratch)
        #expect(read.output.contains(#""CustomerID":9"#), "\(read.output)")
    }

    @Test func countsEntitiesThatForeignKeysLeadToAndThatAreNowhere() async throws {
        let scratch = try Scratch()
        let orders = """
            [{"ID":1,"CustomerID":9},{"ID":2,"CustomerID":9},{"ID":3,"CustomerID":8},
             {"ID":4,"CustomerID":1},{"ID":5,"CustomerID":null},{"ID":6},
             {"ID":7,"CustomerID":7,"Customer":{"ID":7}}]
            """
        let json = try await imported(orders, #"[{"ID":1}]"#, ["--json"], in: scratch)
        let text = try await imported(orders, #"[{"ID":1}]"#, in: scratch)
        #expect(json.output.contains(#""absent":2,"#), "\(json)")
        #expect(
            text.output.hasSuffix(
                "\n2 entities that foreign keys lead to are neither in a file nor in the store (--complete refuses that)\n"
            ),
            "\(text)"
        )
    }

    @Test func refusesThoseForeignKeysOfCompleteFiles() async throws {
        let scratch = try Scratch()
        let orders = "[{\"ID\":1,\"CustomerID\":1},\n {\"ID\":2,\"CustomerID\":9}]"
        let outcome = try await imported(orders, #"[{"ID":1}]"#, ["--complete"], in: scratch)
        #expect(outcome.status == 2)
        let message =
            "error: Orders.json: CustomerID leads to an entity of Customers that is neither in a file nor in the store: import that"
            + " entity too, or correct the key in value[1]/CustomerID (line 2, column 23, byte"
        #expect(outcome.errors.hasPrefix(message), "\(outcome.errors)")
        #expect(!scratch.exists("t.store"))
    }

    @Test func takesCompleteFiles() async throws {
        let scratch = try Scratch()
        #expect(try await imported("[]", #"[{"ID":5}]"#, in: scratch).status == 0)
        let orders = #"[{"ID":1,"CustomerID":5},{"ID":2,"CustomerID":6}]"#
        let outcome = try await imported(orders, #"[{"ID":6}]"#, ["--complete"], in: scratch)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(!outcome.output.contains("foreign"), "\(outcome.output)")
    }

    @Test(arguments: [
        (
            #"{"value":[{"ID":1}],"@odata.nextLink":"Orders?$skip=1"}"#,
            "this is one page of several, as its nextLink says"
        ),
        (
            #"{"value":[{"ID":1,"Lines":[{"No":1}],"Lines@odata.nextLink":"Orders(1)/Lines?$skip=1"}]}"#,
            "this is one page of several, as its nextLink says"
        ),
        (
            #"{"@odata.count":5,"value":[{"ID":1}]}"#,
            "the file says that there are 5 entities, and has 1"
        ),
    ])
    func aPageIsNoWholeSet(_ orders: String, _ reason: String) async throws {
        let scratch = try Scratch()
        let end = try await imported(orders, "[]", in: scratch)
        #expect(end.status == 2)
        #expect(end.errors.contains(reason), "\(end.errors)")
        #expect(!scratch.exists("t.store"))
    }

    @Test func takesACountThatIsRight() async throws {
        let end = try await imported(#"{"@odata.count":1,"value":[{"ID":1}]}"#, "[]", in: Scratch())
        #expect(end.status == 0, "\(end.errors)")
    }
}
