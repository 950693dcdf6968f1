// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that its targets and flags never touch the product. It sees what an application sees: public API only.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "OfflineOData", path: "..")],
    targets: [
        // The limits that everything is compared with, in C over the bare libraries.
        .systemLibrary(
            name: "CSystemXML",
            pkgConfig: "libxml-2.0",
            providers: [.apt(["libxml2-dev"])]
        ),
        .target(
            name: "CYardsticks",
            dependencies: ["CSystemXML"],
            linkerSettings: [.linkedLibrary("sqlite3"), .linkedLibrary("xml2")]
        ),
        .executableTarget(
            name: "benchmarks",
            dependencies: [
                "CYardsticks", .product(name: "OfflineOData", package: "OfflineOData"),
                .product(name: "OfflineResources", package: "OfflineOData"),
                .product(name: "ODataModel", package: "OfflineOData"),
                .product(name: "ODataProtocol", package: "OfflineOData"),
            ],
            path: "Sources/Benchmarks",
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .strictMemorySafety(),
                .treatAllWarnings(as: .error),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
