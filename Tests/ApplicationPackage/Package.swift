// swift-tools-version: 6.2

import PackageDescription

// Applications outside of the package that they use: nothing but `public` reaches them, and `import OfflineOData` is all they import.

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "Applications",
    platforms: [.macOS(.v15), .iOS(.v18)],
    dependencies: [.package(name: "OfflineOData", path: "../..")],
    targets: [
        .testTarget(
            name: "PlainTests",
            dependencies: [.product(name: "OfflineOData", package: "OfflineOData")],
            // The types that the tool generates for the sample are no product.
            exclude: ["TypedQueryTests.swift"],
            swiftSettings: strict
        ),
        // Everything in it belongs to the main actor unless it says otherwise, as in a new project of Xcode.
        .testTarget(
            name: "MainActorTests",
            dependencies: [.product(name: "OfflineOData", package: "OfflineOData")],
            swiftSettings: strict + [.defaultIsolation(MainActor.self)]
        ),
    ],
    swiftLanguageModes: [.v6]
)
