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

/// A Swift module of `Sources/`, in the one-way order of the house.
func module(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// The tests of one module.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies + ["TestSupport"], swiftSettings: strict)
}

let package = Package(
    name: "OfflineOData",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "OfflineOData", targets: ["OfflineOData"]),
        // On Apple's systems a part of the product above; elsewhere for those who want it.
        .library(name: "OfflineODataURLSession", targets: ["OfflineODataURLSession"]),
        .library(name: "OfflineResources", targets: ["OfflineResources"]),
        .library(name: "ODataModel", targets: ["ODataModel"]),
        .library(name: "ODataProtocol", targets: ["ODataProtocol"]),
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
            name: "CLibXML2",
            pkgConfig: "libxml-2.0",
            providers: [.apt(["libxml2-dev"])]
        ),
        // These two open their library when it is first needed.
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

        module("ODataModel", [.target(name: "CLibXML2", condition: .when(platforms: [.linux]))]),
        // Values with their exact texts, and the payloads made of them: JSON of all versions, Atom, deltas, errors.
        module(
            "ODataPayload",
            [
                .target(name: "CThreadSanitizer", condition: .when(platforms: [.linux])),
                "ODataModel",
            ]
        ),
        // The language of URLs: text to a written tree, to a tree bound to a model, and back.
        module("ODataURL", ["ODataModel", "ODataPayload"]),
        // Swift types from a model: what `generate swift` writes. Nothing of the product needs it.
        module("ODataGeneration", ["ODataModel", "ODataPayload"]),
        // HTTP messages, their headers and batches of them, as values.
        module("ODataHTTP", ["ODataPayload"]),
        // The three under one name, for those who want all of the protocol.
        module("ODataProtocol", ["ODataPayload", "ODataURL", "ODataHTTP"]),
        // The standard's own grammar beside the parser: what `url check --rule` asks, and the tests hold the parser to.
        module("ODataGrammar", ["ODataModel", "ODataPayload", "ODataURL"]),
        module(
            "ODataTables",
            [
                .target(name: "CSQLite", condition: .when(traits: ["SystemSQLite"])),
                .target(name: "CSQLCipher", condition: .when(traits: ["SQLCipher"])),
                "ODataModel", "ODataPayload", "ODataURL",
            ]
        ),
        // A request over entities to an answer: what a store and a service of its own have in common.
        module(
            "ODataAnswers",
            ["ODataModel", "ODataPayload", "ODataURL", "ODataHTTP", "ODataTables"]
        ),
        module(
            "OfflineStore",
            ["ODataModel", "ODataPayload", "ODataURL", "ODataHTTP", "ODataTables", "ODataAnswers"]
        ),
        module(
            "OfflineOData",
            [
                "ODataModel", "ODataPayload", "ODataURL", "ODataHTTP", "ODataTables",
                "ODataAnswers", "OfflineStore",
                .target(name: "CCurl", condition: .when(platforms: [.linux, .macOS])),
                .target(name: "OfflineODataURLSession", condition: .when(platforms: apple)),
            ]
        ),
        module("OfflineODataURLSession", ["ODataPayload", "ODataHTTP"]),
        // A service without any other behind it: tables, their changes, delta links. Nothing of the product needs it.
        module(
            "ODataService",
            ["ODataModel", "ODataPayload", "ODataURL", "ODataHTTP", "ODataTables", "ODataAnswers"]
        ),
        // Asks the kernel about its network connections (netlink on Linux).
        .target(name: "CNetlink"),
        // Edits lines of the shell by libedit, opened when the first one is asked for.
        .target(name: "CEditLine"),
        module(
            "OfflineResources",
            [
                "ODataModel", "ODataPayload", "ODataURL", "ODataHTTP", "ODataTables",
                "OfflineStore", "OfflineOData",
                .target(name: "CNetlink", condition: .when(platforms: [.linux])),
            ]
        ),
        module(
            "ODataHTTPServer",
            [
                .target(name: "CMicroHTTPD", condition: .when(platforms: [.linux, .macOS])),
                "ODataModel", "ODataPayload", "ODataHTTP",
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
            dependencies: [
                "FieldService", "FieldServiceMetadata", "ODataModel", "ODataPayload", "ODataURL",
                "ODataHTTP",
                "ODataTables",
                "ODataAnswers", "ODataService", "ODataHTTPServer", "OfflineOData",
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
            dependencies: ["offline-odata", "OfflineODataURLSession"],
            packageAccess: false,
            swiftSettings: strict
        ),
        .target(
            name: "offline-odata",
            dependencies: [
                "ODataModel", "ODataProtocol", "ODataGrammar", "ODataGeneration", "ODataService",
                "OfflineOData",
                "OfflineResources", "ODataHTTPServer", "FieldServiceMetadata", "FieldService",
                "FieldServiceDemo",
                .target(name: "CEditLine", condition: .when(platforms: [.linux, .macOS])),
            ],
            // An application like any other: what is `package` it does not see.
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
            dependencies: ["ODataModel", "ODataPayload", "ODataURL", "ODataHTTP"],
            path: "Tests/TestSupport",
            swiftSettings: strict
        ),
        tests("ODataModelTests", ["ODataModel"]),
        tests("ODataPayloadTests", ["ODataModel", "ODataPayload"]),
        tests("ODataURLTests", ["ODataModel", "ODataPayload", "ODataURL"]),
        tests("ODataHTTPTests", ["ODataHTTP"]),
        tests("ODataGrammarTests", ["ODataModel", "ODataPayload", "ODataURL", "ODataGrammar"]),
        tests("FieldServiceTests", ["FieldService", "FieldServiceMetadata"]),
        tests("ODataTablesTests", ["ODataModel", "ODataPayload", "ODataURL", "ODataTables"]),
        tests("ODataHTTPServerTests", ["ODataHTTP", "ODataHTTPServer"]),
        tests(
            "ODataServiceTests",
            [
                "ODataModel", "ODataPayload", "ODataURL", "ODataHTTP", "ODataTables",
                "ODataAnswers", "ODataService",
                "FieldServiceMetadata", "FieldService",
            ]
        ),
        tests(
            "OfflineODataTests",
            [
                "ODataModel", "ODataPayload", "ODataURL", "ODataHTTP", "ODataTables",
                "ODataAnswers", "ODataService",
                "OfflineStore", "ODataHTTPServer", "OfflineOData", "FieldService",
                "FieldServiceMetadata",
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
            [
                "FieldService", "FieldServiceMetadata", "ODataModel", "ODataPayload", "ODataURL",
                "ODataHTTP",
                "ODataTables", "offline-odata", "policy-day",
            ]
        ),
        tests(
            "OfflineResourcesTests",
            [
                "ODataModel", "ODataPayload", "ODataURL", "ODataHTTP", "ODataTables",
                "OfflineStore", "OfflineOData",
                "OfflineResources", "CRecordingVFS",
            ]
        ),
        tests(
            "OfflineStoreTests",
            [
                "ODataModel", "ODataPayload", "ODataURL", "ODataHTTP", "ODataTables",
                "ODataAnswers", "ODataService",
                "OfflineStore",
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
