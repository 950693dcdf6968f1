import FieldServiceMetadata
import ODataHTTP
public import OfflineOData

/// The main job, end to end and step by step: a technician's day with and without a network.
///
/// Nothing in it is a mock: a real service with its own database answers over HTTP on the loopback interface, and every effect that
/// is printed has been checked on the side where it should be.
public struct FieldServiceDemo: Sendable {
    private let narrator: Narrator
    private let directory: String
    private let progress: any OfflineODataDelegate

    /// Prepares the demonstration.
    ///
    /// - Parameters:
    ///   - directory: Where the service's database and the store are made; empty before.
    ///   - delegate: Shows the progress of loads.
    ///   - say: Prints a line.
    public init(
        directory: String,
        delegate: any OfflineODataDelegate,
        say: @escaping @Sendable (String) -> Void
    ) {
        self.directory = directory
        narrator = Narrator(say)
        progress = delegate
    }

    /// Runs all steps.
    ///
    /// - Throws: ``DemoFailure`` at the first effect that is missing.
    public func run() async throws {
        let service = DemoService(path: directory + "/service.sqlite")
        try await start(service)
        let provider = try await open(service)
        try await readOffline(service, provider)
        let made = try await changeOffline(service, provider)
        try await showQueue(provider)
        try await comeBack(service, made)
        try await upload(service, provider, made)
        try await lookAtRefusal(provider, made)
        try await download(service, provider, made)
        try await upgrade(service, provider, made)
        try await refuseIncompatible(service, provider)
        await service.stop()
        narrator.tell("")
        narrator.tell("Done. Every effect above was checked.")
    }

    /// What the technician has made and changed, to be found again on both sides.
    private struct Made {
        var order: EntityValue
        var task: EntityValue
        var notice: EntityValue
        var renamed: Int64
        var stale: Int64
        var deletedTask: Int64
        var part: EntityValue
    }

    // MARK: The service and the first load

    private func start(_ service: DemoService) async throws {
        narrator.step(1, "The service starts, with its own database.")
        try await service.start(FieldServiceMetadata.v1)
        narrator.tell("It listens on \(service.root)")
        let answer = try await service.office("GET", "WorkOrders/$count")
        let count = Int(String(decoding: answer.body, as: UTF8.self)) ?? 0
        try narrator.expect(count > 1_000, "it holds \(count) work orders")
    }

    private func open(_ service: DemoService) async throws -> OfflineODataProvider {
        narrator.step(
            2,
            "The store opens for the first time and loads what its defining queries name."
        )
        let provider = try OfflineODataProvider(
            storeFile: directory + "/store.sqlite",
            serviceRoot: service.root,
            isCreating: true,
            parameters: OfflineODataParameters(),
            delegate: progress
        )
        for (name, query) in [
            ("Orders", "WorkOrders?$expand=RequiredParts"), ("Tasks", "Tasks"), ("Parts", "Parts"),
            ("Customers", "Customers?$expand=Contacts"), ("Technicians", "Technicians"),
            ("TimeEntries", "TimeEntries"),
        ] {
            try provider.add(definingQuery: OfflineODataDefiningQuery(name: name, query: query))
            narrator.tell("defining query \(name): \(query)")
        }
        try await provider.open()
        let status = try await provider.status()
        for set in status.entitySets where set.entityCount > 0 {
            narrator.tell("\(set.entityCount) in \(set.name)")
        }
        let count = try await service.office("GET", "WorkOrders/$count").text
        let here = await provider.respond(to: HTTPRequest(method: "GET", url: "WorkOrders/$count"))
            .text
        try narrator.expect(here == count, "the store holds as many work orders as the service")
        return provider
    }

    // MARK: Offline

    private func readOffline(_ service: DemoService, _ provider: OfflineODataProvider) async throws
    {
        narrator.step(3, "The network goes: the service is stopped. The store answers.")
        await service.stop()
        do {
            try await provider.download()
            throw DemoFailure("a download went through without a service")
        } catch let error as OfflineODataError {
            try narrator.expect(
                error.category == .communication,
                "a download fails: \(error.message)"
            )
        }
        let query =
            "WorkOrders?$filter=Priority eq 'Urgent' and Tasks/any(t:t/IsDone eq false)"
            + "&$expand=Tasks($orderby=Position),Customer($select=Name)&$orderby=DueAt&$top=3&$count=true"
        narrator.tell("GET \(query)")
        let orders = try await provider.executeQuery(query)
        for order in orders {
            let tasks = order["Tasks"]?.items?.count ?? 0
            narrator.tell(
                "#\(order["ID"]?.integerValue ?? 0) \(order["Title"]?.stringValue ?? "")"
                    + " for \(order["Customer"]?["Name"]?.stringValue ?? "nobody"), \(tasks) tasks"
            )
        }
        try narrator.expect(
            orders.count == 3 && orders.allSatisfy { ($0["Tasks"]?.items?.count ?? 0) > 0 },
            "filtered, expanded and ordered, without a network"
        )
    }

    private func changeOffline(
        _ service: DemoService,
        _ provider: OfflineODataProvider
    ) async throws -> Made {
        narrator.step(4, "Work goes on: entities are created, changed, deleted and linked.")
        let order = try await provider.createEntity(
            EntityValue(
                entitySet: "WorkOrders",
                [
                    "Title": "Pump leaks at the main valve", "Priority": "High",
                    "Price": .number("149.90"),
                ]
            )
        )
        narrator.tell(
            "created a work order; its key will come from the service: \(order.readLink ?? "")"
        )
        let task = try await provider.createRelatedEntity(
            EntityValue(entitySet: "Tasks", ["Title": "Replace the gasket", "Position": 1]),
            in: order,
            property: "Tasks"
        )
        try narrator.expect(
            try await provider.executeQuery((order.readLink ?? "") + "/Tasks").count == 1,
            "a task was created below it, and is found there"
        )
        let options = OfflineODataRequestOptions()
        options.removeCreatedEntityAfterUpload = true
        options.customTag = "for the office only"
        let notice = try await provider.createEntity(
            EntityValue(
                entitySet: "WorkOrders",
                ["Title": "Note to the office: call the customer"]
            ),
            options: options
        )
        narrator.tell("created a note that is to leave the store once it is uploaded")
        let known = try await provider.executeQuery("WorkOrders?$orderby=ID&$top=2")
        let part = try await provider.executeQuery("Parts?$top=1")[0]
        for (entity, title) in zip(
            known,
            ["Renamed by the technician", "Changed without knowing better"]
        ) {
            var entity = entity
            entity["Title"] = .string(title)
            try await provider.updateEntity(entity)
        }
        let gone = try await provider.executeQuery("Tasks?$orderby=ID&$skip=10&$top=1")[0]
        try await provider.deleteEntity(gone)
        try await provider.createLink(from: order, property: "RequiredParts", to: part)
        narrator.tell("changed two work orders, deleted a task, linked a part to the new order")
        let made = Made(
            order: order,
            task: task,
            notice: notice,
            renamed: known[0]["ID"]?.integerValue ?? 0,
            stale: known[1]["ID"]?.integerValue ?? 0,
            deletedTask: gone["ID"]?.integerValue ?? 0,
            part: part
        )
        let missing = try await provider.executeQuery("Tasks(\(made.deletedTask))")
        let linked = try await provider.executeQuery((order.readLink ?? "") + "/RequiredParts")
        let renamed = try await provider.executeQuery("WorkOrders(\(made.renamed))")
        try narrator.expect(
            missing.isEmpty && linked.count == 1
                && renamed.first?["Title"]?.stringValue == "Renamed by the technician",
            "the store shows all of it at once"
        )
        return made
    }

    private func showQueue(_ provider: OfflineODataProvider) async throws {
        narrator.step(5, "The request queue, in the order in which it will be sent.")
        let queue = try await provider.requestQueue()
        for entry in queue {
            narrator.tell((entry.id, entry.method, entry.url, entry.status.rawValue))
        }
        try narrator.expect(queue.count == 7, "seven requests wait")
    }

    // MARK: The network comes back

    private func comeBack(_ service: DemoService, _ made: Made) async throws {
        narrator.step(
            6,
            "The service comes back. Meanwhile the office has changed one of the same orders."
        )
        try await service.start(FieldServiceMetadata.v1)
        let change = try await service.office(
            "PATCH",
            "WorkOrders(\(made.stale))",
            #"{"Title":"Changed in the office"}"#,
            headers: ["If-Match": "*"]
        )
        try narrator.expect(change.isSuccess, "the office's change was taken by the service")
        _ = try await service.office(
            "POST",
            "WorkOrders",
            #"{"Title":"New from the office"}"#
        )
    }

    private func upload(
        _ service: DemoService,
        _ provider: OfflineODataProvider,
        _ made: Made
    ) async throws {
        narrator.step(7, "The queue is uploaded as batches.")
        let before = service.requestCount("POST", "/$batch")
        let result = try await provider.upload()
        let batches = service.requestCount("POST", "/$batch") - before
        try narrator.expect(
            result.succeededCount == 6 && result.failedCount == 1,
            "six requests were carried out, one was refused"
        )
        try narrator.expect(
            batches == 2,
            "two batches were sent: first what waits for nothing, then what needed the new key"
        )
        let order = try await provider.executeQuery(made.order.readLink ?? "")[0]
        let id = order["ID"]?.integerValue ?? 0
        try narrator.expect(
            id > 0,
            "the new order has the key \(id) now; its read link is still good"
        )
        let there = try await service.office("GET", "WorkOrders(\(id))?$expand=Tasks,RequiredParts")
            .text
        try narrator.expect(
            there.contains("Replace the gasket") && there.contains("RequiredParts"),
            "the service has the order, its task and its part"
        )
        try narrator.expect(
            try await service.office("GET", "Tasks(\(made.deletedTask))").status == 404,
            "the deleted task is gone at the service"
        )
        try narrator.expect(
            try await service.office("GET", "WorkOrders(\(made.renamed))").text
                .contains("Renamed by the technician"),
            "the changed title is at the service"
        )
        let notes = "WorkOrders/$count?$filter=startswith(Title,'Note to the office')"
        let gone = await provider.respond(
            to: HTTPRequest(method: "GET", url: made.notice.readLink ?? "")
        )
        let noteCount = try await service.office("GET", notes).text
        try narrator.expect(
            noteCount == "1" && gone.status == 404,
            "the note is at the service once, and gone from the store: \(gone.status)"
        )
    }

    private func lookAtRefusal(_ provider: OfflineODataProvider, _ made: Made) async throws {
        narrator.step(8, "The refused request stands in the error archive, nothing is lost.")
        let archive = try await provider.errorArchive()
        for entry in archive {
            narrator.tell(
                "request \(entry.id): \(entry.method) \(entry.url): "
                    + "\(entry.failure?.httpStatus ?? 0) \(entry.failure?.message ?? "")"
            )
        }
        let conflict = try await provider.conflict(for: "WorkOrders(\(made.stale))")
        narrator.tell("changed here: \(conflict.changedProperties.joined(separator: ", "))")
        narrator.tell("local copy:   \(title(conflict.local))")
        narrator.tell("server copy:  \(title(conflict.server))")
        try narrator.expect(
            archive.count == 1 && archive[0].failure?.httpStatus == 412,
            "one request, refused for its stale ETag (412)"
        )
        try narrator.expect(
            title(conflict.local) == "Changed without knowing better"
                && title(conflict.server) == "Changed in the office",
            "the server's copy stands beside the local one"
        )
    }

    private func title(_ entity: EntityValue?) -> String {
        entity?["Title"]?.stringValue ?? "none"
    }

    private func download(
        _ service: DemoService,
        _ provider: OfflineODataProvider,
        _ made: Made
    ) async throws {
        narrator.step(
            9,
            "A download brings what others have done: only the changes are transferred."
        )
        let before = try await provider.executeQuery(
            "WorkOrders?$filter=Title eq 'New from the office'"
        ).count
        try await provider.download()
        let after = try await provider.executeQuery(
            "WorkOrders?$filter=Title eq 'New from the office'"
        ).count
        try narrator.expect(before == 0 && after == 1, "the office's new order has come")
        let mine = try await provider.executeQuery("WorkOrders(\(made.stale))")[0]
        try narrator.expect(
            mine["Title"]?.stringValue == "Changed without knowing better" && mine.inErrorState,
            "the refused change is still there, for a person to decide"
        )
        let order = try await provider.executeQuery(made.order.readLink ?? "")[0]
        try narrator.expect(!order.isLocal, "the uploaded order is an ordinary one now")
    }

    // MARK: The model moves on

    private func upgrade(
        _ service: DemoService,
        _ provider: OfflineODataProvider,
        _ made: Made
    ) async throws {
        narrator.step(
            10,
            "The service moves to version 2 of its model; the next download upgrades the store."
        )
        var waiting = try await provider.executeQuery("WorkOrders(\(made.renamed))")[0]
        waiting["Title"] = "Waiting through the upgrade"
        try await provider.updateEntity(waiting)
        await service.stop()
        try await service.start(FieldServiceMetadata.v2)
        let change = try await service.office(
            "PATCH",
            "WorkOrders(\(made.stale))",
            #"{"Weather":"heavy rain"}"#,
            headers: ["If-Match": "*"]
        )
        try narrator.expect(change.isSuccess, "the service knows the property Weather now")
        let other = try await service.office(
            "PATCH",
            "WorkOrders(\(made.stale + 10))",
            #"{"Weather":"sunny"}"#,
            headers: ["If-Match": "*"]
        )
        try narrator.expect(other.isSuccess, "and has a value for it")
        try await provider.download()
        let filled = try await provider.executeQuery(
            "WorkOrders?$filter=Weather eq 'sunny'&$select=ID,Weather"
        )
        try narrator.expect(filled.count == 1, "the store has the new column, and its value")
        let queue = try await provider.requestQueue()
        try narrator.expect(
            queue.count == 1 && queue[0].status == .pending,
            "the change that waited is still in the queue"
        )
        let result = try await provider.upload()
        let there = try await service.office("GET", "WorkOrders(\(made.renamed))").text
        try narrator.expect(
            result.succeededCount == 1 && there.contains("Waiting through the upgrade"),
            "and is carried out after the upgrade"
        )
    }

    private func refuseIncompatible(_ service: DemoService, _ provider: OfflineODataProvider)
        async throws
    {
        narrator.step(11, "A version that no store can follow is refused, every reason named.")
        let before = try await fingerprint(provider)
        await service.stop()
        // Its database has values that this model has no place for.
        try await service.start(FieldServiceMetadata.v4Incompatible, hasData: false)
        do {
            try await provider.download()
            throw DemoFailure("the incompatible model was taken")
        } catch let error as OfflineODataError where error.category == .incompatibleSchema {
            narrator.tell(error.message)
            for reason in error.details { narrator.tell("  " + reason) }
            try narrator.expect(error.details.count > 5, "\(error.details.count) reasons are named")
        }
        try narrator.expect(try await fingerprint(provider) == before, "the store is untouched")
    }

    /// Everything that the store answers about its sets and its queue, as one text.
    private func fingerprint(_ provider: OfflineODataProvider) async throws -> String {
        var text = ""
        for set in ["WorkOrders", "Tasks", "Parts", "Customers", "RequestQueue", "ErrorArchive"] {
            text += await provider.respond(to: HTTPRequest(method: "GET", url: set)).text
        }
        return text
    }
}

extension HTTPResponse {
    /// The body as text.
    fileprivate var text: String { String(decoding: body, as: UTF8.self) }
}
