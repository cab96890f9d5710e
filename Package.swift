// swift-tools-version: 6.2
import PackageDescription

// The SDK an app adds. Away from Apple's platforms it needs swift-crypto, and nothing else unless a trait asks for it; the
// server is a package of its own in `Server/`, because SwiftPM resolves every dependency of a package, used or not.

// Warnings are errors where the project builds itself, as `make` does. As a dependency it must not ask for that: Xcode's build
// system suppresses the warnings of dependencies, and the compiler refuses the two options together.
let isStrict = Context.environment["OSTIARY_TEST_STRICT"] == "1"
let settings: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + (isStrict ? [.treatAllWarnings(as: .error)] : [])

// An asynchronous function runs where its caller does (SE-0461). The server answers requests on event loops, and each function of
// the engine would otherwise ask for the executor to run on.
let callerIsolated = settings + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

let crypto: Target.Dependency = .product(
    name: "Crypto", package: "swift-crypto", condition: .when(platforms: [.linux, .android, .windows]))
// RSA and scrypt, which CryptoKit lacks.
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")

// What Apple wants to know of an SDK goes into apps. Elsewhere it would be a folder to carry around with every program, and
// code that looks for it.
#if os(Linux)
let (privacyManifest, notForHere): ([Resource], [String]) = ([], ["PrivacyInfo.xcprivacy"])
#else
let (privacyManifest, notForHere): ([Resource], [String]) = ([.process("PrivacyInfo.xcprivacy")], [])
#endif

let package = Package(
    name: "ostiary",
    platforms: [.macOS(.v15), .iOS(.v18), .macCatalyst(.v18), .visionOS(.v2), .tvOS(.v18), .watchOS(.v11)],
    products: [
        .library(name: "OstiaryCore", targets: ["OstiaryCore"]),
        .library(name: "OstiaryContracts", targets: ["OstiaryContracts"]),
        .library(name: "OstiaryEngine", targets: ["OstiaryEngine"]),
        .library(name: "OstiaryClient", targets: ["OstiaryClient"]),
        .library(name: "OstiaryUI", targets: ["OstiaryUI"]),
        .library(name: "OstiaryNIO", targets: ["OstiaryNIO"]),
        .library(name: "OstiaryMetrics", targets: ["OstiaryMetrics"]),
        .library(name: "OstiaryMiddleware", targets: ["OstiaryMiddleware"]),
        .library(name: "OstiaryAdmin", targets: ["OstiaryAdmin"]),
        .library(name: "OstiaryAdminAPI", targets: ["OstiaryAdminAPI"]),
        .library(name: "OstiaryTesting", targets: ["OstiaryTesting"]),
        // For the tests of this repository's other packages, and for no app: without a promise, as the underscore says.
        .library(name: "_OstiaryTestSupport", targets: ["OstiaryTestSupport", "OstiaryEngineTestSupport"]),
    ],
    // What a trait brings is neither resolved nor built without it.
    traits: [
        .trait(name: "NIO", description: "OstiaryNIO: a transport on SwiftNIO that pins certificates on Linux."),
        .trait(name: "Metrics", description: "OstiaryMetrics: counts of what a client does, by swift-metrics."),
        .trait(
            name: "Hummingbird",
            description: "OstiaryMiddleware: authentication and authorization for services on Hummingbird."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.3.1"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.2"),
        .package(url: "https://github.com/apple/swift-certificates.git", from: "1.21.0"),
        .package(url: "https://github.com/apple/swift-asn1.git", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.9.0"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        // The middleware needs none of its traits; a service enables those it uses.
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.0", traits: []),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
    ],
    targets: [
        .target(name: "OstiaryCore", swiftSettings: settings),
        .target(name: "OstiaryContracts", dependencies: ["OstiaryCore"], swiftSettings: settings),
        // The rules of sign-in, for the server and for tests.
        .target(
            name: "OstiaryEngine", dependencies: ["OstiaryCore", "OstiaryWebAuthn", crypto, cryptoExtras],
            swiftSettings: callerIsolated),
        // The verification of passkeys. Pure: no clock, no randomness, no input and output.
        .target(
            name: "OstiaryWebAuthn", dependencies: ["OstiaryCore", "OstiaryContracts", crypto, cryptoExtras],
            swiftSettings: settings),
        .target(
            name: "OstiaryClient", dependencies: ["OstiaryCore", "OstiaryContracts", crypto], exclude: notForHere,
            resources: privacyManifest, swiftSettings: settings),
        // What screens are made of; the screens themselves are for Apple's platforms.
        .target(
            name: "OstiaryUI", dependencies: ["OstiaryCore", "OstiaryContracts", "OstiaryClient"],
            swiftSettings: settings
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
            ], swiftSettings: settings),
        .target(
            name: "OstiaryMetrics",
            dependencies: [
                "OstiaryClient",
                .product(name: "Metrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
            ], swiftSettings: settings),
        // For services that accept an app's access tokens. Its tests are the server's, which they run against.
        .target(
            name: "OstiaryMiddleware",
            dependencies: [
                "OstiaryCore", "OstiaryContracts",
                .product(
                    name: "AsyncHTTPClient", package: "async-http-client", condition: .when(traits: ["Hummingbird"])),
                .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["Hummingbird"])),
                .product(name: "HTTPTypes", package: "swift-http-types", condition: .when(traits: ["Hummingbird"])),
                .product(name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["Hummingbird"])),
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Hummingbird"])),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["Hummingbird"])),
            ], swiftSettings: settings),
        // The admin API as values, for the server and its client.
        .target(name: "OstiaryAdminAPI", dependencies: ["OstiaryCore", "OstiaryContracts"], swiftSettings: settings),
        // For programs that administer a server from another machine.
        .target(
            name: "OstiaryAdmin",
            dependencies: ["OstiaryCore", "OstiaryContracts", "OstiaryAdminAPI", "OstiaryClient", crypto],
            swiftSettings: settings),
        // For the tests of apps that use the SDK.
        .target(
            name: "OstiaryTesting",
            dependencies: [
                "OstiaryCore", "OstiaryContracts", "OstiaryEngine", "OstiaryClient", "OstiaryWebAuthn", crypto,
            ],
            swiftSettings: settings),
        // What the tests of several targets share: processes and sockets, parts of the engine, parts of the client.
        .target(name: "OstiaryTestSupport", path: "Tests/Support", swiftSettings: settings),
        .target(
            name: "OstiaryEngineTestSupport",
            dependencies: ["OstiaryCore", "OstiaryContracts", "OstiaryEngine", "OstiaryTesting", crypto],
            path: "Tests/EngineSupport", swiftSettings: settings),
        .target(
            name: "OstiaryClientTestSupport",
            dependencies: ["OstiaryCore", "OstiaryContracts", "OstiaryClient", "OstiaryUI", "OstiaryTesting"],
            path: "Tests/ClientSupport", swiftSettings: settings),
        .testTarget(name: "OstiaryCoreTests", dependencies: ["OstiaryCore"], swiftSettings: settings),
        .testTarget(
            name: "OstiaryContractsTests", dependencies: ["OstiaryCore", "OstiaryContracts", "OstiaryTesting"],
            exclude: ["Golden", "validate_openapi.py"], swiftSettings: settings),
        .testTarget(
            name: "OstiaryEngineTests",
            dependencies: [
                "OstiaryCore", "OstiaryContracts", "OstiaryEngine", "OstiaryClient", "OstiaryTesting",
                "OstiaryEngineTestSupport", crypto,
            ],
            exclude: ["Mistakes"], swiftSettings: settings),
        // What `make fuzz` runs, and the tests replay.
        .target(
            name: "OstiaryWebAuthnFuzzing",
            dependencies: ["OstiaryCore", "OstiaryContracts", "OstiaryWebAuthn", crypto], path: "Tests/WebAuthnFuzzing",
            swiftSettings: settings),
        .testTarget(
            name: "OstiaryWebAuthnTests",
            dependencies: [
                "OstiaryCore", "OstiaryContracts", "OstiaryWebAuthn", "OstiaryWebAuthnFuzzing", "OstiaryTesting",
                crypto,
                cryptoExtras,
            ],
            exclude: ["Recording", "Corpus"], swiftSettings: settings),
        .testTarget(
            name: "OstiaryClientTests",
            dependencies: [
                "OstiaryCore", "OstiaryContracts", "OstiaryClient", "OstiaryTesting", "OstiaryTestSupport",
                "OstiaryClientTestSupport", crypto,
            ],
            exclude: ["Golden", "Support/run-script"],
            swiftSettings: settings),
        .testTarget(
            name: "OstiaryAdminAPITests", dependencies: ["OstiaryCore", "OstiaryContracts", "OstiaryAdminAPI"],
            exclude: ["Golden"], swiftSettings: settings),
        .testTarget(
            name: "OstiaryAdminTests",
            dependencies: [
                "OstiaryCore", "OstiaryContracts", "OstiaryAdminAPI", "OstiaryAdmin", "OstiaryClient", "OstiaryTesting",
                "OstiaryTestSupport", crypto,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "OstiaryUITests",
            dependencies: [
                "OstiaryCore", "OstiaryContracts", "OstiaryClient", "OstiaryUI", "OstiaryTesting",
                "OstiaryClientTestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "OstiaryTestingTests",
            dependencies: ["OstiaryCore", "OstiaryContracts", "OstiaryClient", "OstiaryTesting"],
            swiftSettings: settings),
        // What every transport passes: those on URLSession and SwiftNIO.
        .testTarget(
            name: "OstiaryTransportTests",
            dependencies: ["OstiaryContracts", "OstiaryClient", "OstiaryNIO", "OstiaryTestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "OstiaryNIOTests",
            dependencies: [
                "OstiaryCore", "OstiaryContracts", "OstiaryClient", "OstiaryNIO", "OstiaryTesting",
                "OstiaryTestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "OstiaryMetricsTests",
            dependencies: [
                "OstiaryCore", "OstiaryClient", "OstiaryMetrics",
                .product(name: "Metrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
                .product(name: "MetricsTestKit", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
            ], swiftSettings: settings),
    ]
)
