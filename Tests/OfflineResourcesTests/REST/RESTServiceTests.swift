import Foundation
import OfflinePolicies
import ODataHTTP
import OfflineOData
import OfflineResources
import Synchronization
import TestSupport
import Testing

/// A plain REST service used offline through path templates alone; its answers are literal.
@Suite struct RESTServiceTests {
    /// Answers by method and path, and what was asked with which body.
    private final class PlainService: HTTPHandler {
        let asked = Mutex<[String]>([])
        let answers: @Sendable (String, HTTPRequest) -> HTTPResponse?

        init(_ answers: @escaping @Sendable (String, HTTPRequest) -> HTTPResponse?) {
            self.answers = answers
        }

        func respond(to request: HTTPRequest) async -> HTTPResponse {
            let line = request.method + " " + request.url
            let body = String(decoding: request.body, as: UTF8.self)
            asked.guarded { $0.append(body.isEmpty ? line : line + " " + body) }
            return answers(line, request) ?? HTTPResponse(status: 404)
        }
    }

    private static func json(_ text: String, _ headers: HTTPHeaders = [:], _ status: Int = 200)
        -> HTTPResponse
    {
        var all: HTTPHeaders = ["Content-Type": "application/json"]
        for field in headers.fields { all[field.name] = field.value }
        return HTTPResponse(status: status, headers: all, body: Array(text.utf8))
    }

    private func open(
        _ service: PlainService,
        _ options: RESTTransport.Options = .init(),
        flushes: Bool = true,
        at root: String = "http://plain.localhost/api/",
        templates: [String] = ["/departments/:deptId(\\d+)/:_employees?/:empId(\\d+)?"]
    ) async throws -> (PolicyEngine, ManualReachability) {
        let parameters = OfflineODataParameters()
        parameters.storePath = FileManager.default.temporaryDirectory.appending(
            path: "rest-" + UUID().uuidString
        )
        try FileManager.default.createDirectory(
            at: parameters.storePath ?? URL(filePath: "."),
            withIntermediateDirectories: true
        )
        parameters.transport = RESTTransport(
            root: root,
            templates: try templates.map { try RESTTemplate($0) },
            options: options,
            base: HandlerTransport(service)
        )
        parameters.retryPolicy = .never
        let provider = try OfflineODataProvider(
            serviceRoot: root,
            parameters: parameters
        )
        try await provider.open()
        var engineOptions = PolicyEngineOptions()
        let network = ManualReachability()
        engineOptions.reachability = network
        engineOptions.sendsChangesBeforeReads = flushes
        return (PolicyEngine(provider: provider, options: engineOptions), network)
    }

    /// A logon page in the place of an answer settles nothing.
    @Test(arguments: ["PATCH", "POST", "PUT"])
    func takesNoWebPageForAnAnswer(_ method: String) async throws {
        let isOut = Mutex(false)
        let service = PlainService { line, _ in
            guard !line.hasPrefix("GET") || !isOut.guarded({ $0 }) else {
                return HTTPResponse(
                    status: 200,
                    headers: ["Content-Type": "text/html"],
                    body: Array("<html>".utf8)
                )
            }
            guard line.hasPrefix("GET") else {
                return HTTPResponse(
                    status: 200,
                    headers: ["Content-Type": "text/html"],
                    body: Array("<html>".utf8)
                )
            }
            return Self.json(#"{"deptId":1,"name":"d"}"#)
        }
        let (engine, _) = try await open(service)
        _ = try await engine.read("departments/1")
        let change = HTTPRequest(
            method: method,
            url: method == "POST" ? "departments" : "departments(1)",
            headers: ["Content-Type": "application/json"],
            body: Array(#"{"name":"mine"}"#.utf8)
        )
        #expect(await engine.provider.respond(to: change).isSuccess)
        let error = await #expect(throws: OfflineODataError.self) {
            try await engine.provider.upload()
        }
        #expect(error?.message.contains("logon page") == true)
        #expect(try await engine.provider.requestQueue().count == 1)
        isOut.guarded { $0 = true }
        let read = await #expect(throws: OfflineODataError.self) {
            _ = try await engine.read("departments")
        }
        #expect(read?.message.contains("logon page") == true)
    }

    /// The service takes whole objects: what a change of an object in an object leaves out stays there, too.
    @Test func keepsWhatAChangeInsideOfAnObjectLeavesOut() async throws {
        let service = PlainService { line, request in
            switch line {
            case "GET /api/departments/1":
                Self.json(#"{"deptId":1,"o":{"x":5,"deep":{"a":1,"b":2}},"list":[1,2]}"#)
            case "PUT /api/departments/1": HTTPResponse(status: 204)
            default: nil
            }
        }
        let (engine, _) = try await open(service)
        _ = try await engine.read("departments/1")
        let change = HTTPRequest(
            method: "PATCH",
            url: "departments(1)",
            headers: ["Content-Type": "application/json"],
            body: Array(#"{"o":{"y":1,"deep":{"a":9}},"list":[3]}"#.utf8)
        )
        #expect(await engine.provider.respond(to: change).isSuccess)
        try await engine.provider.upload()
        #expect(
            service.asked.guarded { $0.last }
                == #"PUT /api/departments/1 {"deptId":1,"o":{"x":5,"deep":{"a":9,"b":2},"y":1},"list":[3]}"#
        )
    }

    /// A resource of several segments is named by the service's path, and configured by it, with or without the service root's.
    @Test(
        arguments: [
            ("http://plain.localhost/", "/mobile/api/tasks/:id?", "mobile/api/tasks"),
            ("http://plain.localhost/mobile/api/", "/tasks/:id?", "tasks"),
        ]
    )
    func knowsResourcesByTheServicesPath(_ root: String, _ template: String, _ path: String)
        async throws
    {
        let service = PlainService { line, _ in
            switch line {
            case "GET /mobile/api/tasks": Self.json(#"[{"id":"t1","name":"a"}]"#)
            case "GET /mobile/api/tasks/t1": Self.json(#"{"id":"t1","name":"a"}"#)
            default: nil
            }
        }
        let (engine, network) = try await open(service, at: root, templates: [template])
        #expect(try await engine.read(path).entities?.map(\.["name"]) == ["a"])
        #expect(try await engine.read(path + "/t1").entities?.map(\.["name"]) == ["a"])
        network.set(isReachable: false)
        #expect(try await engine.read("/\(path)/t1").entities?.count == 1)
        #expect(try await engine.endpoint(path).fetch().execute().entities?.count == 1)
        var configuration = BackendConfiguration()
        let pattern = try #require(PathPattern("/mobile/api/tasks/**"))
        configuration.policies = [
            PathPolicy(pattern: pattern, policy: ResourcePolicy(noCache: true))
        ]
        try await engine.keep(configuration: configuration)
        #expect(try await engine.policy(for: path + "/t1").noCache.value)
        #expect(try await engine.read(path).entities == nil)
    }

    /// What is inside of an object that was never read is read all the same.
    @Test(arguments: [#"[{"empId":3,"name":"x"}]"#, "[]"])
    func readsASubcollectionOfAnObjectThatIsNotKept(_ employees: String) async throws {
        let service = PlainService { line, _ in
            switch line {
            case "GET /api/departments/1": Self.json(#"{"deptId":1,"name":"d"}"#)
            case "GET /api/departments/1/employees": Self.json(employees)
            default: nil
            }
        }
        let (engine, network) = try await open(service)
        for isOnline in [true, false] {
            network.set(isReachable: isOnline)
            let answer = try await engine.read("departments/1/employees")
            #expect(answer.entities?.count == (employees == "[]" ? 0 : 1))
        }
    }

    @Test func takesTheServicesOwnOptions() async throws {
        let service = PlainService { line, _ in
            line.hasPrefix("GET /api/departments?")
                ? Self.json(#"[{"deptId":2},{"deptId":1}]"#) : nil
        }
        let (engine, network) = try await open(service)
        let url = "departments?orderBy=name:desc&limit=2&offset=4"
        for isOnline in [true, false] {
            network.set(isReachable: isOnline)
            #expect(try await engine.read(url).entities?.count == 2)
        }
        #expect(
            service.asked.guarded { $0 }
                == ["GET /api/departments?orderBy=name:desc&limit=2&offset=4"]
        )
    }

    /// What the service has could not be read before the change: the change has not left, and waits.
    @Test func letsAChangeWaitWhereTheObjectCannotBeRead() async throws {
        let isDown = Mutex(false)
        let service = PlainService { line, _ in
            switch line {
            case "GET /api/departments":
                Self.json(#"{"items":[{"deptId":1,"name":"d"}],"etags":["\"1\""]}"#)
            case "GET /api/departments/1" where isDown.guarded({ $0 }): HTTPResponse(status: 500)
            case "GET /api/departments/1": Self.json(#"{"deptId":1,"name":"d"}"#)
            default: HTTPResponse(status: 204)
            }
        }
        let (engine, _) = try await open(service)
        _ = try await engine.read("departments")
        var department = try #require(
            try await engine.provider.executeQuery("departments(1)").first
        )
        department["name"] = "new"
        try await engine.provider.updateEntity(department)
        isDown.guarded { $0 = true }
        _ = try? await engine.provider.upload()
        #expect(try await engine.provider.errorArchive().isEmpty)
        #expect(try await engine.provider.requestQueue().count == 1)
        isDown.guarded { $0 = false }
        #expect(try await engine.provider.upload().succeededCount == 1)
    }

    @Test func readsArraysWrappedItemsAndObjects() async throws {
        let service = PlainService { line, _ in
            switch line {
            case "GET /api/departments":
                Self.json(
                    "[{\"deptId\":10,\"name\":\"Sales\",\"tags\":[\"a\"]},{\"id\":\"20\",\"name\":\"IT\"}]"
                )
            case "GET /api/departments/10":
                Self.json("{\"deptId\":10,\"name\":\"Sales\"}", ["ETag": "\"7\""])
            case "GET /api/departments/10/employees":
                Self.json("{\"items\":[{\"empId\":1,\"name\":\"Ada\"}],\"hasMore\":false}")
            default: nil
            }
        }
        let (engine, network) = try await open(service)
        let all = try await engine.read("departments")
        #expect(all.entities?.map { $0["deptId"]?.integerValue } == [10, 20])
        #expect(all.entities?.first?["name"] == "Sales")
        #expect(all.entities?.first?["tags"]?.items?.count == 1)
        let one = try await engine.read("departments(10)")
        #expect(one.entity?.etag == "\"7\"")
        let employees = try await engine.read("departments(10)/employees")
        #expect(employees.entities?.first?["name"] == "Ada")
        network.set(isReachable: false)
        #expect(try await engine.read("departments(20)").entity?["name"] == "IT")
        #expect(try await engine.read("departments(10)/employees").entities?.count == 1)
    }

    @Test func readsPathsAsTheServiceWritesThem() async throws {
        let service = PlainService { line, _ in
            switch line {
            case "GET /api/departments/10":
                Self.json("{\"deptId\":10,\"name\":\"Sales\"}")
            case "GET /api/departments/10/employees":
                Self.json("[{\"empId\":1,\"name\":\"Ada\"}]")
            case "GET /api/departments/10/employees/1":
                Self.json("{\"empId\":1,\"name\":\"Ada\"}")
            default: nil
            }
        }
        let (engine, network) = try await open(service)
        for isReachable in [true, false] {
            network.set(isReachable: isReachable)
            #expect(try await engine.read("departments/10").entity?["name"] == "Sales")
            #expect(try await engine.read("departments/10/employees").entities?.count == 1)
            let one = try await engine.read("departments/10/employees/1")
            #expect(one.entity?["name"] == "Ada")
        }
    }

    /// A service made for synchronization says what an answer is, and puts addresses and ETags beside the objects of a collection.
    @Test func readsWhatTheServiceSaysThatAnAnswerIs() async throws {
        let item: HTTPHeaders = ["Oracle-Mobile-Sync-Resource-Type": "item", "ETag": "\"7\""]
        let list: HTTPHeaders = ["Oracle-Mobile-Sync-Resource-Type": "collection"]
        let matches = Mutex<[String?]>([])
        let service = PlainService { line, request in
            switch line {
            case "GET /api/departments":
                Self.json(
                    #"{"items":[{"name":"Sales"},{"name":"IT"}],"uris":["/api/departments/10","20"],"etags":["\"a\"",null]}"#,
                    list
                )
            case "GET /api/departments/30":
                Self.json(#"{"name":"One","items":["x"]}"#, item)
            case "GET /api/departments/40":
                Self.json(
                    #"{"items":[{"name":"Other"},{"name":"Four"}],"uris":["4","40"],"etags":[]}"#,
                    list
                )
            case "GET /api/departments/10/employees":
                Self.json(#"{"empId":5,"name":"Only","items":[1]}"#, item)
            case "PUT /api/departments/10":
                matches.guarded { matches in
                    matches.append(request.headers["If-Match"])
                    return Self.json(
                        #"{"name":"Mine"}"#,
                        ["ETag": "\"b\"", "Oracle-Mobile-Sync-Resource-Type": "item"]
                    )
                }
            case "GET /api/departments/10":
                Self.json(#"{"name":"Sales"}"#, item)
            case "POST /api/departments":
                Self.json(
                    #"{"items":[{"deptId":60,"name":"New!"}]}"#,
                    ["ETag": "\"n\"", "Oracle-Mobile-Sync-Resource-Type": "collection"],
                    201
                )
            default: nil
            }
        }
        let (engine, _) = try await open(service)
        let departments = try #require(try await engine.read("departments").entities)
        #expect(departments.map { $0["deptId"] } == [10, 20])
        #expect(departments.map(\.etag) == ["\"a\"", nil])
        let one = try #require(try await engine.read("departments(30)").entity)
        #expect(one["name"] == "One")
        #expect(one["items"]?.items?.count == 1)
        #expect(one.etag == "\"7\"")
        #expect(try await engine.read("departments(40)").entity?["name"] == "Four")
        let employees = try await engine.read("departments(10)/employees").entities
        #expect(employees?.map { $0["name"] } == ["Only"])
        var sales = try #require(departments.first)
        sales["name"] = "Mine"
        #expect(try await engine.update(sales).state == .sent)
        #expect(matches.guarded { $0 } == ["\"a\""])
        let created = try await engine.create(
            EntityValue(entitySet: "departments", ["name": "New"])
        )
        #expect(created.state == .sent)
        #expect(created.entity?["deptId"] == 60)
    }

    @Test func asksForPagesByLimitAndOffset() async throws {
        let service = PlainService { line, _ in
            switch line {
            case "GET /api/departments?limit=2&offset=0":
                Self.json("[{\"deptId\":1},{\"deptId\":2}]")
            case "GET /api/departments?limit=2&offset=2": Self.json("[{\"deptId\":3}]")
            default: nil
            }
        }
        var options = RESTTransport.Options()
        options.pageSize = 2
        let (engine, _) = try await open(service, options)
        #expect(try await engine.read("departments").entities?.count == 3)
        #expect(service.asked.guarded { $0.count } == 2)
    }

    /// The order holds for all pages: else rows would come twice, and others never.
    @Test func asksForEveryPageInTheSameOrder() async throws {
        let service = PlainService { line, _ in
            switch line {
            case "GET /api/departments?orderBy=name:desc&limit=2&offset=0":
                Self.json("[{\"deptId\":1},{\"deptId\":2}]")
            case "GET /api/departments?orderBy=name:desc&limit=2&offset=2":
                Self.json("[{\"deptId\":3}]")
            default: nil
            }
        }
        var options = RESTTransport.Options()
        options.pageSize = 2
        let (engine, _) = try await open(service, options)
        let read = try await engine.read("departments?$orderby=name desc")
        #expect(read.entities?.map { $0["deptId"] } == [1, 2, 3])
    }

    /// An empty object is no version of a resource.
    @Test func keepsWhatWasSentWhereTheServiceAnswersAnEmptyObject() async throws {
        let service = PlainService { line, _ in
            switch line {
            case "GET /api/departments/10": Self.json("{\"deptId\":10,\"name\":\"Sales\"}")
            case "PUT /api/departments/10": Self.json("{}", ["ETag": "\"8\""])
            case "POST /api/departments": Self.json("{}", ["Location": "/departments/30"], 201)
            default: nil
            }
        }
        let (engine, _) = try await open(service)
        var sales = try #require(try await engine.read("departments(10)").entity)
        sales["name"] = "Mine"
        let updated = try await engine.update(sales)
        #expect(updated.state == .sent)
        #expect(updated.entity?["name"] == "Mine")
        let created = try await engine.create(
            EntityValue(entitySet: "departments", ["name": "New"])
        )
        #expect(created.entity?["name"] == "New")
    }

    @Test func sendsChangesMadeOfflineWithTheNextCall() async throws {
        let service = PlainService { line, _ in
            switch line {
            case "GET /api/departments":
                Self.json(
                    "[{\"deptId\":10,\"name\":\"Sales\",\"floor\":3},{\"deptId\":20,\"name\":\"IT\"}]"
                )
            case "GET /api/departments/10":
                Self.json("{\"deptId\":10,\"name\":\"Sales\",\"floor\":3}", ["ETag": "\"7\""])
            case "PUT /api/departments/10": Self.json("{}", ["ETag": "\"8\""])
            case "POST /api/departments":
                Self.json("", ["Location": "/api/departments/30", "ETag": "\"1\""], 201)
            case "DELETE /api/departments/20": HTTPResponse(status: 204)
            default: nil
            }
        }
        var options = RESTTransport.Options()
        options.overwrites = true
        let (engine, network) = try await open(service, options)
        _ = try await engine.read("departments")
        network.set(isReachable: false)
        var sales = try #require(try await engine.read("departments(10)").entity)
        sales["name"] = "Sales and more"
        try await engine.update(sales)
        let it = try #require(try await engine.read("departments(20)").entity)
        try await engine.delete(it)
        try await engine.create(
            EntityValue(entitySet: "departments", ["deptId": 30, "name": "Lab"])
        )
        #expect(try await engine.provider.requestQueue().count == 3)
        network.set(isReachable: true)
        _ = try await engine.read("departments")
        let sent = service.asked.guarded { $0 }.filter { !$0.hasPrefix("GET") }
        #expect(
            sent.contains {
                $0.hasPrefix("PUT /api/departments/10 ") && $0.contains("\"floor\":3")
                    && $0.contains("Sales and more")
            }
        )
        #expect(sent.contains("DELETE /api/departments/20"))
        #expect(
            sent.contains {
                $0.hasPrefix("POST /api/departments {") && $0.contains("\"name\":\"Lab\"")
                    && !$0.contains("@")
            }
        )
        #expect(try await engine.provider.requestQueueIsEmpty())
        #expect(try await engine.provider.errorArchive().isEmpty)
    }

    /// Neither the application nor a defining query asks for it: it is read back when it is uploaded.
    @Test(arguments: [true, false])
    func readsBackWhatItHasCreated(_ byConfiguration: Bool) async throws {
        let service = PlainService { line, _ in
            switch line {
            case "GET /api/departments": Self.json("[]")
            case "POST /api/departments":
                Self.json("", ["Location": "/api/departments/30", "ETag": "\"1\""], 201)
            case "GET /api/departments/30":
                Self.json("{\"deptId\":30,\"name\":\"Lab\",\"floor\":7}", ["ETag": "\"2\""])
            default: nil
            }
        }
        let (engine, network) = try await open(service, flushes: false)
        if byConfiguration {
            var kept = BackendConfiguration()
            kept.express = ExpressConfiguration(templates: [
                try RESTTemplate("/departments/:deptId(\\d+)")
            ])
            try await engine.keep(configuration: kept)
        }
        _ = try await engine.read("departments")
        network.set(isReachable: false)
        try await engine.create(EntityValue(entitySet: "departments", ["name": "Lab"]))
        network.set(isReachable: true)
        service.asked.guarded { $0 = [] }
        if byConfiguration {
            // Sync Express sends what waits with the next read; what it looks up on the way is none of the reader's.
            _ = try await engine.read("departments")
            #expect(engine.takeFlushReport()?.outcome.succeededCount == 1)
            #expect(engine.takeFlushReport() == nil)
        } else {
            _ = try await engine.read("departments")
            #expect(try await !engine.provider.requestQueueIsEmpty())
            service.asked.guarded { $0 = [] }
            try await engine.synchronize()
            service.asked.guarded { $0.append("GET /api/departments") }
        }
        let asked = service.asked.guarded { $0.map { $0.split(separator: " {")[0] } }
        #expect(
            asked == ["POST /api/departments", "GET /api/departments/30", "GET /api/departments"]
        )
        let lab = try #require(try await engine.provider.executeQuery("departments(30)").first)
        #expect(!lab.isLocal)
        #expect(lab.etag == "\"2\"")
        #expect(lab["floor"]?.integerValue == 7)
    }

    @Test func refusesWhatSuchAServiceCannotBeAsked() async throws {
        let service = PlainService { _, _ in Self.json("[]") }
        let (engine, _) = try await open(service)
        for option in ["$filter=name eq 'x'", "$expand=employees", "$search=x"] {
            let error = await #expect(throws: OfflineODataError.self) {
                try await engine.read("departments?" + option)
            }
            let name = String(option.prefix { $0 != "=" })
            #expect(error?.httpStatus == 501)
            #expect(error?.message.contains("cannot be asked \(name)") == true)
        }
        #expect(service.asked.guarded { $0.isEmpty })
    }

    /// Open types: the store knows the properties that the objects came with.
    @Test func offlineTheWholeLocalLanguageAsksTheStore() async throws {
        let service = PlainService { line, _ in
            guard line == "GET /api/departments" else { return nil }
            return Self.json(
                #"[{"deptId":10,"name":"Sales","floor":3,"open":true,"head":{"name":"Ada"}},"#
                    + #"{"deptId":20,"name":"IT","floor":1,"tags":["a","b"]},{"deptId":30,"name":"Lab"}]"#
            )
        }
        let (engine, network) = try await open(service)
        _ = try await engine.read("departments")
        network.set(isReachable: false)
        let queries: [(String, [Int64])] = [
            ("$filter=name eq 'Sales'", [10]), ("$filter=floor gt 2", [10]),
            ("$filter=floor ge 1&$orderby=floor", [20, 10]),
            ("$filter=contains(name,'a')&$orderby=deptId", [10, 30]),
            ("$filter=startswith(name,'S') or deptId eq 30&$orderby=name", [30, 10]),
            ("$filter=open eq true", [10]), ("$filter=floor eq null", [30]),
            ("$filter=never eq 1", []), ("$orderby=name desc&$top=1", [10]),
            ("$filter=head/name eq 'Ada'", [10]),
        ]
        for (query, ids) in queries {
            let found = try await engine.provider.executeQuery("departments?" + query)
            #expect(found.map { $0["deptId"]?.integerValue } == ids, "\(query)")
        }
        let selected = try await engine.provider.executeQuery("departments(20)?$select=name")
        #expect(selected.first?["name"] == "IT")
        #expect(selected.first?["floor"] == nil)
    }

    @Test func narrowsWhatWasFetchedByALocalFilter() async throws {
        let service = PlainService { _, _ in
            Self.json(#"[{"deptId":10,"name":"Sales"},{"deptId":20,"name":"Stock"}]"#)
        }
        let (engine, network) = try await open(service)
        let fetch = engine.endpoint("departments").fetch()
            .filter("name", .equals, "Stock")
        #expect(try await fetch.execute().entities?.map { $0["deptId"] } == [20])
        network.set(isReachable: false)
        #expect(try await fetch.execute().entities?.map { $0["deptId"] } == [20])
        #expect(try await engine.read("departments").entities?.count == 2)
        #expect(service.asked.guarded { $0 } == ["GET /api/departments"])
    }

    @Test func keepsItsTemplatesInTheStore() async throws {
        let service = PlainService { _, _ in Self.json(#"[{"deptId":10,"name":"Sales"}]"#) }
        var options = RESTTransport.Options()
        options.overwrites = true
        options.pageSize = 50
        let (engine, _) = try await open(service, options)
        let path = engine.provider.storeFile
        let before = try RESTTransport.kept(inStoreAt: path, base: HandlerTransport(service))
        #expect(before == nil)
        try await engine.start()

        let transport = try #require(
            try RESTTransport.kept(inStoreAt: path, base: HandlerTransport(service))
        )
        let parameters = OfflineODataParameters()
        parameters.transport = transport
        let later = try OfflineODataProvider(storeFile: path, parameters: parameters)
        let answer = try await PolicyEngine(provider: later).read(
            "departments",
            policy: ResourcePolicy(fetchPolicy: .fromService)
        )
        #expect(answer.entities?.map { $0["deptId"] } == [10])
        #expect(
            service.asked.guarded { $0 }
                == ["GET /api/departments?limit=50&offset=0"]
        )
    }
}
