import ODataAnswers
import ODataService
import OfflineOData
import TestSupport
import Testing

/// A store of a few entities over a service of its own: two orders, a task of the first, three parts, one linked to the first.
struct SmallStore {
    let service: SampleService
    let rules = Refusals()
    let transport: HandlerTransport
    let directory: TemporaryDirectory
    let provider: OfflineODataProvider
    let orders: [String]
    let task: String

    static let parts = ["Parts('P1')", "Parts('P2')", "Parts('P3')"]

    init() async throws {
        service = try await SampleService(sets: [])
        directory = try TemporaryDirectory()
        var options = StandaloneOptions()
        options.service.serviceRoot = SampleService.root
        options.tracksChanges = true
        transport = HandlerTransport(
            StandaloneHandler(store: rules.store(service.tables), options: options)
        )
        provider = try service.provider(directory, transport: transport)
        var orders: [String] = []
        for title in ["First", "Second"] {
            orders.append(
                try await service.create("WorkOrders", "{\"Title\":\"\(title)\"}", "WorkOrders")
            )
        }
        self.orders = orders
        let id = try #require(orders[0].split(whereSeparator: { "()".contains($0) }).last)
        task = try await service.create(
            "Tasks",
            "{\"Title\":\"Look\",\"WorkOrderID\":\(id)}",
            "Tasks"
        )
        for number in ["P1", "P2", "P3"] {
            let body = "{\"Number\":\"\(number)\",\"Name\":\"Part\",\"UnitPrice\":1,\"InStock\":5}"
            _ = await service.change("POST", "Parts", body)
        }
        let linked = await service.change(
            "POST",
            orders[0] + "/RequiredParts/$ref",
            "{\"@odata.id\":\"\(SampleService.root)Parts('P1')\"}"
        )
        try #require(linked.isSuccess)
        for (name, query) in [
            ("Orders", "WorkOrders?$expand=RequiredParts"), ("Tasks", "Tasks"), ("Parts", "Parts"),
        ] {
            try provider.add(definingQuery: OfflineODataDefiningQuery(name: name, query: query))
        }
        try await provider.open()
    }

    /// A value of an entity's property as text; nil where there is no such entity.
    func text(_ url: String, _ property: String) async throws -> String? {
        try await provider.executeQuery(url).first?[property]?.stringValue
    }

    /// The numbers of the parts that an order leads to.
    func parts(_ order: String) async throws -> [String] {
        try await provider.executeQuery(order + "/RequiredParts?$orderby=Number")
            .compactMap { $0["Number"]?.stringValue }
    }

    /// The entity that a URL addresses.
    func entity(_ url: String) async throws -> EntityValue {
        try #require(try await provider.executeQuery(url).first)
    }

    /// Changes the title of an order or task here.
    func retitle(_ url: String, _ title: String) async throws {
        var entity = try await entity(url)
        entity["Title"] = .string(title)
        try await provider.updateEntity(entity)
    }

    /// Lets the service refuse whatever a request's body holds this text.
    func refuse(_ text: String) {
        rules.refuse { $0.holds(text) }
    }

    /// Ids of all waiting and refused requests.
    func requests() async throws -> [Int64] {
        try await (provider.requestQueue() + provider.errorArchive()).map(\.id).sorted()
    }
}

extension SampleService {
    /// Creates an entity at the service; answers its URL relative to the root.
    func create(_ url: String, _ body: String, _ set: String) async throws -> String {
        let response = await change("POST", url, body)
        let location = try #require(response.headers["Location"])
        let start = try #require(location.firstRange(of: set + "("))
        return String(location[start.lowerBound...])
    }
}
