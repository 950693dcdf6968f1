// swift-tools-version: 6.2

import PackageDescription

/// Applied to every Swift target: the language's strictest mode, in which unsafe code must say so.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    // An async function without isolation runs where its caller runs; ours hop to their own executors.
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

/// The platforms that have `URLSession` in their Foundation, and SQLite and libxml2 in their SDKs.
let apple: [Platform] = [.macOS, .iOS, .tvOS, .watchOS, .visionOS, .macCatalyst]

/// The files of the page that `serve` shows in a browser.
let pageFiles = [
    "page.html", "page.css", "icon.svg", "page.js", "elements.js", "service.js", "values.js",
    "data.js", "entity.js", "queue.js", "errors.js", "conflict.js", "events.js", "sync.js",
    "model.js", "diagram.js",
]

/// A Swift module of `Sources/`, in the one-way order of the house.
func module(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// The tests of one module.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies + ["TestSupport"], swiftSettings: strict)
}

// What stands before a module, layer by layer.

/// Model, values and the URL language.
let language: [Target.Dependency] = [
    "ODataText", "ODataModel", "ODataValues", "ODataPayload", "ODataURL", "ODataBinding",
]
/// With the tables of a model in SQLite.
let tables = language + ["ODataSQLite", "ODataSQL", "ODataTables"]
/// With requests over entities, and their answers.
let answers = tables + ["ODataHTTP", "ODataAnswers"]
/// With a store of local changes.
let store =
    answers + [
        "ODataModelComparison", "StoreRecords", "StoreUpload", "OfflineStore", "StoreUpgrade",
        "StoreDownload", "StoreExchange",
    ]
/// With what an application sees.
let product =
    store + ["OfflineValues", "ODataClient", "OfflineSync", "OfflineProvider", "OfflineOData"]

let package = Package(
    name: "OfflineOData",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "OfflineOData", targets: ["OfflineOData"]),
        // On Apple's systems a part of the product above; elsewhere for those who want it.
        .library(name: "OfflineODataURLSession", targets: ["OfflineODataURLSession"]),
        .library(name: "OfflineResources", targets: ["OfflineResources", "OfflinePolicies"]),
        .library(name: "ODataModel", targets: ["ODataModel", "ODataModelComparison"]),
        .library(name: "ODataProtocol", targets: ["ODataProtocol"]),
        // What Fuzz/ holds the parser to: no other product links it.
        .library(name: "ODataGrammar", targets: ["ODataGrammar"]),
        .library(name: "ODataGeneration", targets: ["ODataGeneration"]),
        .library(name: "ODataService", targets: ["ODataService"]),
        .library(name: "ODataHTTPServer", targets: ["ODataHTTPServer"]),
        .executable(name: "offline-odata", targets: ["offline-odata-main"]),
        // What `--transport urlsession` starts on Linux; it stands beside the other.
        .executable(name: "offline-odata-urlsession", targets: ["offline-odata-urlsession"]),
        // swift package generate-odata-swift FILE --output DIR
        .plugin(name: "GenerateODataSwift", targets: ["GenerateODataSwift"]),
    ],
    traits: [
        .trait(name: "SystemSQLite", description: "The system's SQLite, which does not encrypt."),
        .trait(
            name: "SQLCipher",
            description: "SQLCipher 4.5 or later in its place, where pkg-config finds it."
        ),
        .default(enabledTraits: ["SystemSQLite"]),
    ],
    targets: [
        .systemLibrary(
            name: "CSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"])]
        ),
        .systemLibrary(
            name: "CSQLCipher",
            pkgConfig: "sqlcipher",
            providers: [.apt(["libsqlcipher-dev"]), .brew(["sqlcipher"])]
        ),
        // Apple's SDKs have a module of their own.
        .systemLibrary(
            name: "CLibXML2Headers",
            pkgConfig: "libxml-2.0",
            providers: [.apt(["libxml2-dev"])]
        ),
        // These three open their library when it is first needed.
        .target(
            name: "CLibXML2",
            dependencies: [.target(name: "CLibXML2Headers", condition: .when(platforms: [.linux]))]
        ),
        .target(name: "CCurl"),
        .target(
            name: "CMicroHTTPD",
            dependencies: [
                .target(name: "CMicroHTTPDHeaders", condition: .when(platforms: [.macOS]))
            ]
        ),
        // Where the header is only pkg-config knows, as it does with Homebrew.
        .systemLibrary(
            name: "CMicroHTTPDHeaders",
            pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]
        ),

        .systemLibrary(name: "CThreadSanitizer"),
        // How glibc takes memory from the system, which Swift's own module of it leaves out.
        .systemLibrary(name: "CMalloc"),
        // One bit of each byte of a vector.
        .systemLibrary(name: "CByteMasks"),

        // Texts in the forms that every module meets: JSON documents, percent-encoding, references of URLs.
        module("ODataText", []),
        module(
            "ODataModel",
            ["ODataText", .target(name: "CLibXML2", condition: .when(platforms: [.linux]))]
        ),
        // Reports on models: what a document holds, what a new one keeps of an old one, and what it breaks.
        module("ODataModelComparison", ["ODataText", "ODataModel"]),
        // The metadata document in its other form: CSDL XML as CSDL JSON, and the reverse.
        module("ODataModelConversion", ["ODataText", "ODataModel", "ODataValues"]),
        // A model as bytes that are read in a fraction of the time that its document takes.
        module("ODataCompiledModel", ["ODataModel", "ODataValues"]),
        // Values with their exact texts.
        module(
            "ODataValues",
            [
                .target(name: "CThreadSanitizer", condition: .when(platforms: [.linux])),
                "ODataText", "ODataModel",
            ]
        ),
        // Payloads in and out: JSON of all versions, Atom, deltas, errors.
        module("ODataPayload", ["CByteMasks", "ODataText", "ODataModel", "ODataValues"]),
        // The language of URLs: text to a written tree, and back.
        module("ODataURL", ["ODataText", "ODataModel", "ODataValues", "ODataPayload"]),
        // The written tree bound to a model: every name resolved, every type known.
        module(
            "ODataBinding",
            ["ODataText", "ODataModel", "ODataValues", "ODataPayload", "ODataURL"]
        ),
        // Swift types from a model: what `generate swift` writes. Nothing of the product needs it.
        module("ODataGeneration", ["ODataText", "ODataModel", "ODataValues", "ODataPayload"]),
        // HTTP messages, their headers and batches of them, as values.
        module("ODataHTTP", ["ODataText", "ODataValues", "ODataPayload"]),
        // All of the protocol under one name, for those who want it.
        module("ODataProtocol", language + ["ODataHTTP"]),
        // The standard's own grammar beside the parser: what `url check --rule` asks, and the tests hold the parser to.
        module("ODataGrammar", language),
        // SQLite here and nowhere else: connections, statements, functions, encryption.
        module(
            "ODataSQLite",
            [
                .target(name: "CSQLite", condition: .when(traits: ["SystemSQLite"])),
                .target(name: "CSQLCipher", condition: .when(traits: ["SQLCipher"])),
                "ODataText", "ODataModel", "ODataValues", "ODataPayload",
            ]
        ),
        // A model as tables, and a bound request as SQL.
        module("ODataSQL", language + ["ODataSQLite"]),
        // Rows of the tables: read as values and as JSON, and written.
        module("ODataTables", language + ["ODataSQLite", "ODataSQL"]),
        // A request over entities to an answer: what a store and a service of its own have in common.
        module("ODataAnswers", tables + ["ODataHTTP", "ODataModelConversion"]),
        // What stands in a store's file beside the rows: the queue, the effects of changes, coverage, events, state.
        module("StoreRecords", answers + ["ODataCompiledModel"]),
        // Which request goes when and in what form, and what its answer changes.
        module("StoreUpload", answers + ["StoreRecords"]),
        // A store: local changes, edits of the queue, stored collections.
        module("OfflineStore", answers + ["StoreRecords", "StoreUpload"]),
        // A store brought to another version of its service's model.
        module(
            "StoreUpgrade",
            answers + ["ODataModelComparison", "StoreRecords", "OfflineStore"]
        ),
        // Pages staged and merged into a store.
        module(
            "StoreDownload",
            answers + ["StoreRecords", "StoreUpload", "OfflineStore", "StoreUpgrade"]
        ),
        // A store's data as files: imported and exported.
        module(
            "StoreExchange",
            answers + ["StoreRecords", "OfflineStore", "StoreUpgrade", "StoreDownload"]
        ),
        // What an application gives and gets: entities and values, errors, results, log records.
        module("OfflineValues", store),
        // Requests to a service: the transport, credentials, repeated attempts, recordings.
        module(
            "ODataClient",
            store + [
                "OfflineValues",
                .target(name: "CCurl", condition: .when(platforms: [.linux, .macOS])),
                .target(name: "OfflineODataURLSession", condition: .when(platforms: apple)),
            ]
        ),
        // Upload and download between a store and its service.
        module("OfflineSync", store + ["OfflineValues", "ODataClient"]),
        // The provider: its parameters, its reads and changes, its queue.
        module(
            "OfflineProvider",
            store + [
                "OfflineValues", "ODataClient", "OfflineSync",
                .target(name: "OfflineODataURLSession", condition: .when(platforms: apple)),
            ]
        ),
        // All that an application imports, with what surrounds a provider: files, jobs, rehearsals, typed entities.
        module(
            "OfflineOData",
            store + ["OfflineValues", "ODataClient", "OfflineSync", "OfflineProvider"]
        ),
        module("OfflineODataURLSession", ["ODataValues", "ODataPayload", "ODataHTTP"]),
        // A service without any other behind it: tables, their changes, delta links. Nothing of the product needs it.
        module("ODataService", answers),
        // Asks the kernel about its network connections (netlink on Linux).
        .target(name: "CNetlink"),
        // Edits lines of the shell by libedit, opened when the first one is asked for.
        .target(name: "CEditLine"),
        // Policies as values: read from configuration, and the one that holds for a request.
        module("OfflinePolicies", product),
        // The policies at work: cache, fetch, expiry, eviction, conflicts.
        module(
            "OfflineResources",
            product + [
                "OfflinePolicies",
                .target(name: "CNetlink", condition: .when(platforms: [.linux])),
            ]
        ),
        module(
            "ODataHTTPServer",
            [
                .target(name: "CMicroHTTPD", condition: .when(platforms: [.linux, .macOS])),
                "ODataText", "ODataModel", "ODataValues", "ODataPayload", "ODataHTTP",
            ]
        ),

        .target(
            name: "FieldServiceMetadata",
            path: "metadata",
            resources: [
                .embedInCode("v1.xml"), .embedInCode("v2.xml"), .embedInCode("v3.xml"),
                .embedInCode("v4-incompatible.xml"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "FieldService",
            dependencies: ["FieldServiceMetadata"],
            path: "samples/FieldService",
            swiftSettings: strict
        ),
        .target(
            name: "FieldServiceDemo",
            dependencies: product + [
                "FieldService", "FieldServiceMetadata", "ODataService", "ODataHTTPServer",
            ],
            path: "samples/FieldServiceDemo",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "quick-start",
            dependencies: ["OfflineOData"],
            path: "samples/quick-start",
            swiftSettings: strict
        ),
        // Made by `generate swift metadata/v1.xml`; a test makes it once more and compares.
        .target(
            name: "FieldServiceModel",
            dependencies: ["OfflineOData"],
            path: "samples/FieldServiceModel",
            packageAccess: false,
            swiftSettings: strict
        ),
        .executableTarget(
            name: "typed-orders",
            dependencies: ["FieldServiceModel", "OfflineOData"],
            path: "samples/typed-orders",
            packageAccess: false,
            swiftSettings: strict
        ),
        .executableTarget(
            name: "technician",
            dependencies: ["OfflineOData"],
            path: "samples/technician",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "policy-day",
            dependencies: ["OfflineOData", "OfflineResources"],
            path: "samples/policy-day",
            exclude: ["policies.json"],
            packageAccess: false,
            swiftSettings: strict
        ),
        .executableTarget(
            name: "field-service-data",
            dependencies: ["FieldService"],
            path: "samples/field-service-data",
            swiftSettings: strict
        ),

        // Two programs of one: the one that is called, and the one that has Foundation's URLSession linked.
        .executableTarget(
            name: "offline-odata-main",
            dependencies: ["offline-odata"],
            packageAccess: false,
            swiftSettings: strict
        ),
        .executableTarget(
            name: "offline-odata-urlsession",
            dependencies: ["CommandSupport", "offline-odata", "OfflineODataURLSession"],
            packageAccess: false,
            swiftSettings: strict
        ),
        // What every command needs: an application like any other, so what is `package` it does not see.
        .target(
            name: "CommandSupport",
            dependencies: [
                "ODataModel", "ODataProtocol", "ODataService", "ODataHTTPServer", "OfflineOData",
                "OfflineResources",
                .target(name: "CMalloc", condition: .when(platforms: [.linux])),
            ],
            packageAccess: false,
            swiftSettings: strict
        ),
        .target(
            name: "MetadataCommands",
            dependencies: [
                "CommandSupport", "ODataModel", "ODataModelComparison", "ODataModelConversion",
                "ODataProtocol", "ODataGrammar",
                "ODataGeneration", "OfflineOData", "OfflineResources",
            ],
            packageAccess: false,
            swiftSettings: strict
        ),
        .target(
            name: "offline-odata",
            dependencies: [
                "CommandSupport", "MetadataCommands", "ODataModel", "ODataProtocol",
                "ODataService", "OfflineOData", "OfflinePolicies",
                "OfflineResources", "ODataHTTPServer", "FieldServiceMetadata", "FieldService",
                "FieldServiceDemo",
                .target(name: "CEditLine", condition: .when(platforms: [.linux, .macOS])),
            ],
            resources: pageFiles.map { .embedInCode("Page/Files/\($0)") },
            packageAccess: false,
            swiftSettings: strict
        ),

        .plugin(
            name: "GenerateODataSwift",
            capability: .command(
                intent: .custom(
                    verb: "generate-odata-swift",
                    description: "Writes Swift types from an OData metadata document."
                ),
                permissions: [
                    .writeToPackageDirectory(reason: "The sources are written into the package.")
                ]
            ),
            dependencies: ["offline-odata-main"]
        ),

        // A layer under SQLite that tests cut the power with; in C, since it is called by SQLite.
        .target(
            name: "CRecordingVFS",
            dependencies: ["CSQLite"],
            path: "Tests/CRecordingVFS"
        ),
        .target(
            name: "TestSupport",
            dependencies: language + ["ODataHTTP", "ODataSQLite"],
            path: "Tests/TestSupport",
            swiftSettings: strict
        ),
        tests("ODataTextTests", ["ODataText"]),
        tests("ODataModelTests", ["ODataText", "ODataModel", "ODataModelComparison"]),
        tests(
            "ODataModelConversionTests",
            ["ODataText", "ODataModel", "ODataModelComparison", "ODataModelConversion"]
        ),
        tests("ODataCompiledModelTests", ["ODataModel", "ODataCompiledModel"]),
        tests("ODataPayloadTests", ["ODataText", "ODataModel", "ODataValues", "ODataPayload"]),
        tests("ODataURLTests", language),
        tests("ODataHTTPTests", ["ODataHTTP"]),
        tests("ODataGrammarTests", language + ["ODataGrammar"]),
        tests("FieldServiceTests", ["FieldService", "FieldServiceMetadata"]),
        tests("ODataTablesTests", tables),
        tests("ODataHTTPServerTests", ["ODataHTTP", "ODataHTTPServer"]),
        tests(
            "ODataServiceTests",
            answers + ["ODataService", "FieldServiceMetadata", "FieldService"]
        ),
        tests(
            "OfflineODataTests",
            product + [
                "ODataService", "ODataHTTPServer", "FieldService", "FieldServiceMetadata",
                "CRecordingVFS", "OfflineODataURLSession",
            ]
        ),
        // What an application sees: one import, as `import OfflineOData` is promised to be enough.
        .testTarget(
            name: "ApplicationTests",
            dependencies: ["OfflineOData", "FieldServiceModel"],
            swiftSettings: strict
        ),
        tests(
            "CommandLineTests",
            tables + [
                "FieldService", "FieldServiceMetadata", "ODataHTTP", "ODataModelConversion",
                "CommandSupport", "MetadataCommands", "offline-odata", "policy-day",
            ]
        ),
        tests(
            "OfflineResourcesTests",
            product + ["OfflinePolicies", "OfflineResources", "CRecordingVFS"]
        ),
        tests("OfflineStoreTests", store + ["ODataService"]),
    ],
    swiftLanguageModes: [.v6]
)
