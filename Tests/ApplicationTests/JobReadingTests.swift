import OfflineOData
import Testing

/// Jobs as JSON: what is read, and what is refused with line, path and expectation.
@Suite struct JobReadingTests {
    @Test func readsEveryMember() throws {
        let job = try OfflineODataJob(
            json: Array(
                """
                {
                  "service": "https://example.org/odata/",
                  "stores": ["a.store", {"path": "b.store", "service": "https://b.example/", "variables": {"region": "7"}}],
                  "queries": {"Orders": "Orders", "Photos": {"url": "Photos", "streams": true}},
                  "steps": ["open", {"do": "upload", "categories": ["urgent"]}, {"do": "download", "full": true},
                            {"do": "check", "againstService": true, "every": "7d"}, {"do": "export", "directory": "out/{name}"}],
                  "credentials": {"bearer": "env:TOKEN"},
                  "headers": {"X-Client": "nightly", "X-Key": "@key.txt"},
                  "storeKey": "@store.key",
                  "options": {"timeout": "90s", "wait": 5, "pageSize": 500, "batchSize": 20, "queryOptions": {"sap-client": "100"}, "ca": "ca.pem"},
                  "concurrency": 8, "retries": {"count": 3, "delay": "2m"}, "every": "12h", "afterUpload": "clear",
                  "hooks": {"before": ["./mount"], "after": ["cp", "{name}"], "failed": ["mail"]}
                }
                """.utf8
            ),
            directory: "/jobs"
        )

        #expect(
            job.stores == [
                .init("a.store"),
                .init("b.store", service: "https://b.example/", variables: ["region": "7"]),
            ]
        )
        #expect(job.queries.map(\.query) == ["Orders", "Photos"])
        #expect(job.queries.map(\.automaticallyRetrievesStreams) == [false, true])
        #expect(
            job.steps == [
                .init(.open), .init(.upload(categories: ["urgent"])),
                .init(.download(isFull: true)),
                .init(.check(againstService: true), every: .seconds(7 * 86_400)),
                .init(.export(directory: "out/{name}")),
            ]
        )
        #expect(job.credentials == .bearer(.environment("TOKEN")))
        #expect(job.headers == ["X-Client": .text("nightly"), "X-Key": .secret(.file("key.txt"))])
        #expect(job.storeKey == .file("store.key"))
        #expect(job.options.timeout == .seconds(90))
        #expect(job.options.wait == .seconds(5))
        #expect(job.options.pageSize == 500)
        #expect(job.options.batchSize == 20)
        #expect(job.options.queryOptions == ["sap-client": "100"])
        #expect(job.options.authorityFile == "ca.pem")
        #expect(job.concurrency == 8)
        #expect(job.retries == .init(count: 3, delay: .seconds(120)))
        #expect(job.every == .seconds(43_200))
        #expect(job.afterUpload == .clear)
        #expect(job.hooks.after == ["cp", "{name}"])
        #expect(job.resolved("a.store") == "/jobs/a.store")
        #expect(job.resolved("/b.store") == "/b.store")
    }

    @Test func opensUploadsAndDownloadsByDefault() throws {
        let job = try OfflineODataJob(json: Array(#"{"stores":["a"]}"#.utf8))
        #expect(job.steps.map(\.name) == ["open", "upload", "download"])
        #expect(job.concurrency == 4)
        #expect(job.retries.count == 2)
        #expect(job.every == nil)
    }

    @Test(arguments: [
        ("[]", "line 1: expected an object with service, stores, storesFrom"),
        ("{", "line 1: Not well-formed JSON: a member name is expected."),
        ("{\n\"stores\": [],\n}", "line 3: Not well-formed JSON: a member name is expected."),
        ("{}", "line 1: expected 'stores' or 'storesFrom' with at least one store"),
        (#"{"stores":[]}"#, "line 1: expected 'stores' or 'storesFrom' with at least one store"),
        ("{\n\"store\": []}", "line 2, store: 'store' is unknown; did you mean 'stores'?"),
        (
            "{\"stores\": [\n1]}",
            "line 2, stores[0]: expected the path of a store or an object with path, found a number"
        ),
        (
            #"{"stores":["a",{"service":"https://h/"}]}"#,
            "line 1, stores[1]: expected the member 'path'"
        ),
        (
            #"{"stores":["a"],"service":"example.org"}"#,
            "line 1, service: expected the URL of a service, such as https://example.org/odata/, not 'example.org'"
        ),
        (#"{"stores":["a","b","a"]}"#, "line 1: the store a is named twice"),
        (#"{"stores":["a","b/../a"]}"#, "line 1: the store b/../a is named twice"),
        (#"{"stores":["a/"]}"#, "line 1: 'a/' is a directory: name the file of the store"),
        (#"{"stores":[".."]}"#, "line 1: '..' is a directory: name the file of the store"),
        (
            #"{"stores":["a"],"service":"ftp://h/"}"#,
            "line 1, service: the service root must be an absolute http or https URL with a host, not 'ftp://h/'"
        ),
        (
            #"{"stores":["a"],"service":"https://h:99999/"}"#,
            "line 1, service: the service root must be an absolute http or https URL with a host, not"
        ),
        (
            #"{"stores":["a"],"service":"https://me:pw@h/"}"#,
            "line 1, service: a name and a password do not stand in a job: give them as 'credentials', by reference"
        ),
        (#"{"stores":["a"],"steps":[]}"#, "line 1, steps: expected at least one step"),
        (
            #"{"stores":["a"],"steps":["opn"]}"#,
            "line 1, steps[0]: expected one of open, upload, download, check, export, found 'opn'; did you mean 'open'?"
        ),
        (
            #"{"stores":["a"],"steps":["open","open"]}"#,
            "line 1, steps[1]: the step 'open' comes twice"
        ),
        (
            #"{"stores":["a"],"steps":["export"]}"#,
            #"line 1, steps[0]: expected {"do": "export", "directory": "DIR"}: an export needs a directory"#
        ),
        (
            #"{"stores":["a"],"steps":[{"do":"export"}]}"#,
            "line 1, steps[0]: expected the member 'directory'"
        ),
        (
            #"{"stores":["a"],"steps":[{"do":"open","full":true}]}"#,
            "line 1, steps[0]/full: 'full' does not belong to the step 'open'"
        ),
        (
            #"{"stores":["a","b"],"steps":[{"do":"export","directory":"out"}]}"#,
            "line 1: the store b would be exported to the directory of another one; put {name} into 'directory'"
        ),
        (
            #"{"stores":["a"],"concurrency":0}"#,
            "line 1, concurrency: expected a whole number from 1 to 256, found 0"
        ),
        (
            #"{"stores":["a"],"concurrency":"2"}"#,
            "line 1, concurrency: expected a whole number from 1 to 256, found a string"
        ),
        (
            #"{"stores":["a"],"every":"2 weeks"}"#,
            "line 1, every: expected a time such as 90s, 15m, 12h or 7d, or a number of seconds"
        ),
        (
            #"{"stores":["a"],"every":"999999d"}"#,
            "line 1, every: expected a time such as 90s, 15m, 12h or 7d, or a number of seconds"
        ),
        (
            #"{"stores":["a"],"afterUpload":"burn"}"#,
            "line 1, afterUpload: expected keep or clear, found 'burn'"
        ),
        (
            #"{"stores":["a"],"credentials":{}}"#,
            "line 1, credentials: expected one of bearer, user"
        ),
        (#"{"stores":["a"],"hooks":{"before":[]}}"#, "line 1, hooks/before: expected a program"),
        (
            #"{"stores":["a"],"queries":{"Q":"Orders?$filter=Region eq {region}"}}"#,
            #"line 1: the store a has no variable 'region'; give it as "variables": {"region": …}"#
        ),
    ])
    func refusesAMalformedJobAndNamesThePlace(_ text: String, _ message: String) {
        let error = #expect(throws: OfflineODataError.self) {
            try OfflineODataJob(json: Array(text.utf8))
        }
        #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
        #expect(error?.category == .invalidInput)
        #expect(error?.place?.line != nil)
    }

    @Test(arguments: [
        #""credentials":{"bearer":"s3cret"}"#, #""credentials":{"user":"bo:s3cret"}"#,
        #""storeKey":"s3cret""#, #""headers":{"Authorization":"Bearer s3cret"}"#,
        #""headers":{"X-Api-Key":"s3cret"}"#, #""headers":{"cookie":"s3cret"}"#,
        #""headers":{"X-Vendor-Token":"s3cret"}"#,
    ])
    func refusesSecretsWithoutRepeatingThem(member: String) {
        let error = #expect(throws: OfflineODataError.self) {
            try OfflineODataJob(json: Array("{\"stores\":[\"a\"],\(member)}".utf8))
        }
        #expect(error?.message.contains("@FILE or env:NAME") == true)
        #expect(error?.description.contains("s3cret") == false)
    }

    @Test func refusesMoreStoresThanTheLimit() throws {
        func job(_ count: Int) -> [UInt8] {
            let stores = (0..<count).map { "\"\($0)\"" }.joined(separator: ",")
            return Array("{\"stores\":[\(stores)]}".utf8)
        }
        let limit = OfflineODataJob.maximumStoreCount
        #expect(try OfflineODataJob(json: job(limit)).stores.count == limit)
        #expect(throws: OfflineODataError.self) { try OfflineODataJob(json: job(limit + 1)) }
    }

    @Test(arguments: [
        ("0/8", "8/8"), ("8/8", "8/8"), ("1/8", "1/8"), ("7/8", "7/8"), ("1/1", "1/1"),
    ])
    func readsShards(_ text: String, _ description: String) {
        #expect(OfflineODataJobShard(text)?.description == description)
    }

    @Test(arguments: ["", "1", "9/8", "-1/8", "1/0", "1/2/3", "a/8", "1/"])
    func refusesShards(_ text: String) {
        #expect(OfflineODataJobShard(text) == nil)
    }
}
