// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that the fuzzer's flags never touch the product. `make fuzz` builds it with them.

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

/// A fuzzer of one reader.
func fuzzer(_ name: String, _ target: String) -> Target {
    .executableTarget(
        name: name,
        dependencies: [
            "FuzzSupport",
            .product(name: "ODataModel", package: "OfflineOData"),
            .product(name: "ODataProtocol", package: "OfflineOData"),
            .product(name: "ODataGrammar", package: "OfflineOData"),
        ],
        path: "Sources/\(target)",
        swiftSettings: strict,
        // gold stops at what the sanitizers bring.
        linkerSettings: [.unsafeFlags(["-use-ld=lld"], .when(platforms: [.linux]))]
    )
}

let package = Package(
    name: "Fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "OfflineOData", path: "..")],
    targets: [
        .systemLibrary(name: "CFuzzer"),
        .target(
            name: "FuzzSupport",
            dependencies: [
                "CFuzzer",
                .product(name: "ODataModel", package: "OfflineOData"),
                .product(name: "ODataProtocol", package: "OfflineOData"),
            ],
            swiftSettings: strict
        ),
        fuzzer("fuzz-metadata", "FuzzMetadata"),
        fuzzer("fuzz-url", "FuzzURL"),
        fuzzer("fuzz-payload", "FuzzPayload"),
        fuzzer("fuzz-batch", "FuzzBatch"),
    ],
    swiftLanguageModes: [.v6]
)
