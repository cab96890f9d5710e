// swift-tools-version: 6.2
import PackageDescription

// The SDK an app adds. Away from Apple's platforms it needs swift-crypto, and nothing else unless a trait asks for it; the
// server is a package of its own in `Server/`, because SwiftPM resolves every dependency of a package, used or not.

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

let crypto: Target.Dependency = .product(
    name: "Crypto", package: "swift-crypto", condition: .when(platforms: [.linux, .android, .windows]))

// What Apple wants to know of an SDK goes into apps. Elsewhere it would be a folder to carry around with every program, and
// code that looks for it.
#if os(Linux)
let (privacyManifest, notForHere): ([Resource], [String]) = ([], ["PrivacyInfo.xcprivacy"])
#else
let (privacyManifest, notForHere): ([Resource], [String]) = ([.process("PrivacyInfo.xcprivacy")], [])
#endif

let package = Package(
    name: "ostiary",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "OstiaryCore", targets: ["OstiaryCore"]),
        .library(name: "OstiaryContracts", targets: ["OstiaryContracts"]),
        .library(name: "OstiaryClient", targets: ["OstiaryClient"]),
        .library(name: "OstiaryUI", targets: ["OstiaryUI"]),
        .library(name: "OstiaryNIO", targets: ["OstiaryNIO"]),
        .library(name: "OstiaryMetrics", targets: ["OstiaryMetrics"]),
        .library(name: "OstiaryTesting", targets: ["OstiaryTesting"]),
    ],
    // What a trait brings is neither resolved nor built without it.
    traits: [
        .trait(name: "NIO", description: "OstiaryNIO: a transport on SwiftNIO that pins certificates on Linux."),
        .trait(name: "Metrics", description: "OstiaryMetrics: counts of what a client does, by swift-metrics."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.3.1"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.2"),
        .package(url: "https://github.com/apple/swift-certificates.git", from: "1.21.0"),
        .package(url: "https://github.com/apple/swift-asn1.git", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.9.0"),
    ],
    targets: [
        .target(name: "OstiaryCore", swiftSettings: strict),
        .target(name: "OstiaryContracts", dependencies: ["OstiaryCore"], swiftSettings: strict),
        .target(
            name: "OstiaryClient", dependencies: ["OstiaryCore", "OstiaryContracts", crypto], exclude: notForHere,
            resources: privacyManifest, swiftSettings: strict),
        // What screens are made of; the screens themselves are for Apple's platforms.
        .target(
            name: "OstiaryUI", dependencies: ["OstiaryCore", "OstiaryContracts", "OstiaryClient"], swiftSettings: strict
        ),
        .target(
            name: "OstiaryNIO",
            dependencies: [
                "OstiaryCore", "OstiaryContracts", "OstiaryClient",
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["NIO"])),
                .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["NIO"])),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["NIO"])),
                .product(name: "NIOTLS", package: "swift-nio", condition: .when(traits: ["NIO"])),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["NIO"])),
                .product(name: "X509", package: "swift-certificates", condition: .when(traits: ["NIO"])),
                .product(name: "SwiftASN1", package: "swift-asn1", condition: .when(traits: ["NIO"])),
            ], swiftSettings: strict),
        .target(
            name: "OstiaryMetrics",
            dependencies: [
                "OstiaryClient",
                .product(name: "Metrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
            ], swiftSettings: strict),
        // For the tests of apps that use the SDK.
        .target(
            name: "OstiaryTesting", dependencies: ["OstiaryCore", "OstiaryContracts", "OstiaryClient", crypto],
            swiftSettings: strict),
        .testTarget(name: "OstiaryCoreTests", dependencies: ["OstiaryCore"], swiftSettings: strict),
        .testTarget(
            name: "OstiaryContractsTests", dependencies: ["OstiaryCore", "OstiaryContracts"],
            exclude: ["Golden", "validate_openapi.py"], swiftSettings: strict),
        .testTarget(
            name: "OstiaryClientTests",
            dependencies: ["OstiaryCore", "OstiaryContracts", "OstiaryClient", "OstiaryTesting", crypto],
            exclude: ["Golden", "Support/run-script"],
            swiftSettings: strict),
        .testTarget(
            name: "OstiaryUITests",
            dependencies: ["OstiaryCore", "OstiaryContracts", "OstiaryClient", "OstiaryUI", "OstiaryTesting"],
            swiftSettings: strict),
        .testTarget(
            name: "OstiaryTestingTests",
            dependencies: ["OstiaryCore", "OstiaryContracts", "OstiaryClient", "OstiaryTesting"], swiftSettings: strict),
        // What every transport passes: those on URLSession and SwiftNIO.
        .testTarget(
            name: "OstiaryTransportTests", dependencies: ["OstiaryContracts", "OstiaryClient", "OstiaryNIO"],
            swiftSettings: strict),
        .testTarget(
            name: "OstiaryNIOTests",
            dependencies: ["OstiaryCore", "OstiaryContracts", "OstiaryClient", "OstiaryNIO", "OstiaryTesting"],
            swiftSettings: strict),
        .testTarget(
            name: "OstiaryMetricsTests",
            dependencies: [
                "OstiaryCore", "OstiaryClient", "OstiaryMetrics",
                .product(name: "Metrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
                .product(name: "MetricsTestKit", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
            ], swiftSettings: strict),
    ]
)
