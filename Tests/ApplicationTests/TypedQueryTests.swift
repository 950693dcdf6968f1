import FieldServiceModel
import OfflineOData
import Testing

/// Queries by generated types: their URLs, and values that come back.
@Suite struct TypedQueryTests {
    private static func provider() throws -> (provider: OfflineODataProvider, directory: URL) {
        let directory = FileManager.default.temporaryDirectory.appending(
            path: "typed-" + UUID().uuidString
        )
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let path = directory.appending(path: "a.store").path()
        return (try OfflineODataProvider(storeFile: path, isCreating: true), directory)
    }

    /// The URL of a query, its spaces and quotes readable.
    private static func url(
        _ make: (OfflineODataProvider) -> some ODataQuerying
    ) throws -> String {
        let (provider, directory) = try provider()
        defer { try? FileManager.default.removeItem(at: directory) }
        return make(provider).query.url().replacing("%20", with: " ")
    }

    @Test func becomesTheURLOfTheQuery() throws {
        let url = try Self.url {
            $0.workOrders.filter { $0.priority == .urgent }.order(by: \.dueAt).expand(\.tasks)
        }
        #expect(
            url
                == "WorkOrders?$filter=Priority eq FieldService.Priority'Urgent'&$orderby=DueAt&$expand=Tasks"
        )
    }

    @Test func followsRelationsAndComplexProperties() throws {
        let url = try Self.url {
            $0.workOrders
                .filter { $0.customer.name.startsWith("A'b") && $0.site.address.city == "Köln" }
                .order(by: \.customer.name, descending: true)
        }
        #expect(
            url
                == "WorkOrders?$filter=startswith(Customer/Name,'A''b') and (Site/Address/City eq 'K%C3%B6ln')&$orderby=Customer/Name desc"
        )
    }

    @Test func writesLiteralsAsTheirPropertiesTakeThem() throws {
        let date = Date(timeIntervalSince1970: 1_767_225_600)
        #expect(
            try Self.url { $0.workOrders.filter { $0.scheduledOn == date } }
                == "WorkOrders?$filter=ScheduledOn eq 2026-01-01"
        )
        #expect(
            try Self.url { $0.workOrders.filter { $0.dueAt >= date } }
                == "WorkOrders?$filter=DueAt ge 2026-01-01T00:00:00Z"
        )
        #expect(
            try Self.url { $0.workOrders.filter { $0.dueAt == nil } }
                == "WorkOrders?$filter=DueAt eq null"
        )
        #expect(
            try Self.url { $0.technicians.filter { $0.shiftStart < "08:00:00" } }
                == "Technicians?$filter=ShiftStart lt 08:00:00"
        )
        #expect(
            try Self.url { $0.workOrders.filter { $0.estimatedEffort > .seconds(5_400) } }
                == "WorkOrders?$filter=EstimatedEffort gt duration'PT5400S'"
        )
        #expect(
            try Self.url { $0.technicians.filter { $0.skills.has([.electrical, .lifts]) } }
                == "Technicians?$filter=Skills has FieldService.Skills'Electrical,Lifts'"
        )
    }

    @Test func asksForItemsOfCollections() throws {
        #expect(
            try Self.url { $0.workOrders.filter { $0.tasks.any { $0.title == "x" } } }
                == "WorkOrders?$filter=Tasks/any(x1:x1/Title eq 'x')"
        )
        #expect(
            try Self.url {
                $0.customers.filter {
                    $0.workOrders.any { $0.tasks.all { $0.title != "x" } && $0.tags.contains("y") }
                }
            }
                == "Customers?$filter=WorkOrders/any(x1:x1/Tasks/all(x2:x2/Title ne 'x') and x1/Tags/any(x2:x2 eq 'y'))"
        )
        #expect(
            try Self.url { $0.workOrders.filter { $0.customer == nil || !($0.customer != nil) } }
                == "WorkOrders?$filter=(Customer eq null) or (not (Customer ne null))"
        )
        #expect(
            try Self.url { $0.parts.filter { $0.number.isIn(["a", "b"]) }.top(2).skip(1) }
                == "Parts?$filter=Number in ('a','b')&$top=2&$skip=1"
        )
    }

    @Test func saysWhatOfRelatedEntitiesIsAskedFor() throws {
        let url = try Self.url {
            $0.workOrders.expand(\.tasks) {
                $0.filter { $0.title != "x" }.order(by: \.title).top(2)
            }
            .expand(\.customer)
        }
        #expect(
            url
                == "WorkOrders?$expand=Tasks($filter=Title ne 'x';$orderby=Title;$top=2),Customer"
        )
    }

    @Test func keepsValuesThroughJSON() throws {
        var order = FieldService.WorkOrder(
            id: 7,
            title: "Repair",
            priority: .other("Extreme"),
            status: .inProgress,
            isBillable: true,
            tags: ["a"]
        )
        order.customer = ODataRelated(
            try JSONDecoder().decode(
                FieldService.Customer.self,
                from: Data(
                    #"{"ID":"C1","Name":"Ada","Address":{"City":"Ulm","Country":"DE"},"Since":0,"Tags":[]}"#
                        .utf8
                )
            )
        )
        let copy = try JSONDecoder().decode(
            FieldService.WorkOrder.self,
            from: JSONEncoder().encode(order)
        )
        #expect(copy == order)
        #expect(copy.priority.rawValue == "Extreme")
        #expect(copy.customer?.name == "Ada")
        #expect(copy.id == 7)
    }

    @Test(arguments: [
        ("\"None\"", 0, "None"), ("\"Electrical\"", 1, "Electrical"),
        ("\"Electrical,Lifts\"", 17, "Electrical,Lifts"),
        ("\"Lifts, Plumbing\"", 18, "Plumbing,Lifts"),
        ("4", 4, "Heating"), ("\"64\"", 64, "64"),
    ])
    func readsFlags(_ json: String, _ bits: Int64, _ text: String) throws {
        let skills = try JSONDecoder().decode(FieldService.Skills.self, from: Data(json.utf8))
        #expect(skills.rawValue == bits)
        #expect(skills.odataText == text)
    }
}
