// swift-tools-version: 6.2
import PackageDescription

// The SDK an app adds. It depends on nothing outside this repository; the server is a package of its own in `Server/`,
// because SwiftPM resolves every dependency of a package, used or not.

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "ostiary",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "OstiaryCore", targets: ["OstiaryCore"]),
        .library(name: "OstiaryContracts", targets: ["OstiaryContracts"]),
        .library(name: "OstiaryClient", targets: ["OstiaryClient"]),
    ],
    targets: [
        .target(name: "OstiaryCore", swiftSettings: strict),
        .target(name: "OstiaryContracts", dependencies: ["OstiaryCore"], swiftSettings: strict),
        .target(name: "OstiaryClient", dependencies: ["OstiaryCore", "OstiaryContracts"], swiftSettings: strict),
        .testTarget(name: "OstiaryCoreTests", dependencies: ["OstiaryCore"], swiftSettings: strict),
        .testTarget(
            name: "OstiaryContractsTests", dependencies: ["OstiaryCore", "OstiaryContracts"],
            exclude: ["Golden", "validate_openapi.py"], swiftSettings: strict),
        .testTarget(
            name: "OstiaryClientTests", dependencies: ["OstiaryCore", "OstiaryContracts", "OstiaryClient"],
            exclude: ["Golden"],
            swiftSettings: strict),
    ]
)
