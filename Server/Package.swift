// swift-tools-version: 6.2
import PackageDescription

#if canImport(Glibc)
import Glibc

/// The version of glibc, as in [2, 36]; empty elsewhere.
let libc: [Int] = {
    var text = [CChar](repeating: 0, count: 32)
    confstr(Int32(_CS_GNU_LIBC_VERSION), &text, text.count)
    let numbers = text.dropFirst("glibc ".utf8.count).prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return String(decoding: numbers, as: UTF8.self).split(separator: ".").compactMap { Int($0) }
}()
#else
let libc: [Int] = []
#endif

// The runtime would export every symbol of the program. Packed, 190,000 relocations take a fiftieth of the size, which glibc 2.36 reads.
let smallProgram =
    ["-use-ld=lld", "-Xlinker", "--no-export-dynamic"]
    + (libc.lexicographicallyPrecedes([2, 36]) ? [] : ["-Xlinker", "-z", "-Xlinker", "pack-relative-relocs"])

// Warnings are errors where the project builds itself; see the root package.
let isStrict = Context.environment["OSTIARY_TEST_STRICT"] == "1"
let settings: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + (isStrict ? [.treatAllWarnings(as: .error)] : [])

// An asynchronous function runs where its caller does (SE-0461): on the event loop of the connection, for requests.
let callerIsolated = settings + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

let core: Target.Dependency = .product(name: "OstiaryCore", package: "ostiary")
let contracts: Target.Dependency = .product(name: "OstiaryContracts", package: "ostiary")
let engine: Target.Dependency = .product(name: "OstiaryEngine", package: "ostiary")
let admin: Target.Dependency = .product(name: "OstiaryAdmin", package: "ostiary")
let adminAPI: Target.Dependency = .product(name: "OstiaryAdminAPI", package: "ostiary")
let client: Target.Dependency = .product(name: "OstiaryClient", package: "ostiary")
let testKit: Target.Dependency = .product(name: "OstiaryTesting", package: "ostiary")
let testSupport: Target.Dependency = .product(name: "_OstiaryTestSupport", package: "ostiary")
let pinning: Target.Dependency = .product(name: "OstiaryNIO", package: "ostiary")
let middleware: Target.Dependency = .product(name: "OstiaryMiddleware", package: "ostiary")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")

let package = Package(
    name: "ostiary-server",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "ostiary", targets: ["ostiary"])
    ],
    dependencies: [
        // In the order in which SwiftPM names them to the compiler as for the SDK's tests, which CI builds in the same folder.
        .package(name: "ostiary", path: "..", traits: ["Metrics", "Hummingbird", "NIO"]),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.3.1"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.14.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.2"),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.0", traits: ["FullFoundation"]),
        .package(url: "https://github.com/hummingbird-project/swift-mustache.git", from: "2.1.0"),
        .package(url: "https://github.com/jpsim/Yams.git", from: "6.2.0"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
        .package(url: "https://github.com/vapor/jwt-kit.git", from: "5.7.0"),
    ],
    targets: [
        // C libraries of the system.
        .systemLibrary(name: "CCrypt", providers: [.apt(["libcrypt-dev"])]),
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),

        .systemLibrary(
            name: "CMaxMindDB", pkgConfig: "libmaxminddb",
            providers: [.apt(["libmaxminddb-dev"]), .brew(["libmaxminddb"])]),
        .systemLibrary(name: "CProcess"),
        .systemLibrary(name: "CPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .systemLibrary(
            name: "CPublicSuffix", pkgConfig: "libpsl", providers: [.apt(["libpsl-dev"]), .brew(["libpsl"])]),
        .systemLibrary(
            name: "CQRencode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"]), .brew(["qrencode"])]),

        // The paths of the server's own endpoints, for their dispatch and for the checks of a configuration.
        .target(name: "OstiaryServerPaths", swiftSettings: settings),
        // bcrypt for several passwords at once. Debug builds optimize it too: they would choose libcrypt else.
        .target(name: "CBcrypt", cSettings: [.unsafeFlags(["-O2"])]),
        .target(
            name: "OstiaryTokens",
            dependencies: [engine, core, contracts, crypto, cryptoExtras],
            swiftSettings: callerIsolated),
        .target(
            name: "OstiaryIdentities",
            dependencies: [
                engine, "OstiaryTokens", "OstiaryWebClient", "CBcrypt", "CCrypt", core, contracts, client, crypto,
                cryptoExtras, logging,
            ], swiftSettings: settings),
        // Requests to other systems over HTTP.
        .target(
            name: "OstiaryWebClient",
            dependencies: [
                "OstiaryCurl", contracts, client, pinning,
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ], swiftSettings: settings),
        // The built-in OpenID provider, without its HTTP endpoints.
        .target(
            name: "OstiaryProvider",
            dependencies: [engine, "OstiaryTokens", core, contracts, crypto], swiftSettings: callerIsolated),
        .target(
            name: "OstiaryDelivery",
            dependencies: [
                engine, "OstiaryCurl", "OstiaryWebClient", core, crypto, logging,
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ], swiftSettings: settings),
        .target(name: "OstiaryCurl", dependencies: ["CCurl"]),
        // The locations of network addresses.
        .target(name: "OstiaryMaxMindDB", dependencies: ["CMaxMindDB"]),
        .target(
            name: "OstiaryGeography", dependencies: [engine, "OstiaryMaxMindDB"], swiftSettings: settings),
        // Events for other systems, and the questions to them.
        .target(
            name: "OstiaryEvents",
            dependencies: [
                contracts, engine, "OstiaryWebClient", core, logging,
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ], swiftSettings: settings),
        // The driver for PostgreSQL, independent of the store's tables.
        .target(name: "OstiaryPostgres", dependencies: ["CPQ", logging], swiftSettings: settings),
        .target(
            name: "OstiaryStore",
            dependencies: [
                engine, "OstiaryPostgres", core, contracts, crypto, logging,
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: callerIsolated),
        .target(
            name: "OstiaryHTTP",
            dependencies: [
                "CProcess", "CQRencode", engine, adminAPI, "OstiaryProvider", "OstiaryServerPaths", core, contracts,
                crypto, logging,
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Mustache", package: "swift-mustache"),
                .product(name: "Instrumentation", package: "swift-distributed-tracing"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ], swiftSettings: callerIsolated),
        .target(
            name: "OstiaryConfiguration",
            dependencies: [
                "CPublicSuffix", engine, "OstiaryPostgres", "OstiaryServerPaths", core, contracts,
                .product(name: "Yams", package: "Yams"),
            ],
            swiftSettings: settings),
        // TXT records by the C library.
        .target(name: "OstiaryResolver", linkerSettings: [.linkedLibrary("resolv")]),
        // The judgements of `ostiary doctor`, and the observation of what they judge.
        .target(
            name: "OstiaryDoctor",
            dependencies: [
                "CProcess", "OstiaryPostgres", "OstiaryResolver", "OstiaryWebClient", logging,
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ], swiftSettings: settings),
        .executableTarget(
            name: "ostiary",
            dependencies: [
                "CProcess", "OstiaryConfiguration", "OstiaryDelivery", "OstiaryDoctor", engine, "OstiaryEvents",
                "OstiaryGeography",
                "OstiaryHTTP",
                "OstiaryIdentities", "OstiaryPostgres", "OstiaryProvider", "OstiaryStore", "OstiaryTokens",
                "OstiaryWebClient", admin, core, contracts, client,
                pinning,
                crypto, logging,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Instrumentation", package: "swift-distributed-tracing"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ], swiftSettings: settings,
            linkerSettings: [.unsafeFlags(smallProgram, .when(platforms: [.linux], configuration: .release))]),
        // The peers that `make bench` compares the server with.
        .executableTarget(
            name: "bench-peers",
            dependencies: [
                "CCrypt", logging, .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            path: "Benchmarks/Peers", swiftSettings: settings),
        // Reads hostile inputs of growing size; Scripts/check-reader-cost.py counts the instructions.
        .executableTarget(
            name: "reader-cost",
            dependencies: [
                engine, "OstiaryHTTP", "OstiaryIdentities", "OstiaryTokens", core, contracts,
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            path: "Tests/ReaderCost", swiftSettings: settings),
        // A real PostgreSQL for tests.
        .target(
            name: "PostgresServer", dependencies: ["OstiaryPostgres", testSupport, logging],
            path: "Tests/PostgresServer", swiftSettings: settings),
        // Support code that the tests of several targets share.
        .target(
            name: "OstiaryServerTestSupport", dependencies: [contracts, client, testKit, logging],
            path: "Tests/Support",
            swiftSettings: settings),
        // An app in a separate process, for tests with two processes.
        .executableTarget(
            name: "session-peer", dependencies: ["OstiaryServerTestSupport", contracts, client, testKit],
            path: "Tests/SessionPeer", swiftSettings: settings),

        .testTarget(
            name: "OstiaryTokensTests",
            dependencies: [
                "OstiaryTokens", engine, core, contracts, crypto, .product(name: "JWTKit", package: "jwt-kit"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "OstiaryIdentitiesTests",
            dependencies: [
                "OstiaryIdentities", "OstiaryServerTestSupport", engine, "OstiaryTokens", core, contracts, crypto,
                cryptoExtras, logging, testKit, testSupport,
            ],
            exclude: ["Peers"], swiftSettings: settings),
        .testTarget(
            name: "OstiaryProviderTests",
            dependencies: [
                "OstiaryProvider", engine, "OstiaryStore", "OstiaryTokens", core, contracts, crypto,
                cryptoExtras, testKit, testSupport,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "OstiaryDeliveryTests",
            dependencies: [
                "OstiaryDelivery", "OstiaryServerTestSupport", engine, core, crypto, logging, testKit, testSupport,
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            exclude: ["Peers"], swiftSettings: settings),
        .testTarget(
            name: "OstiaryEventsTests",
            dependencies: [
                "OstiaryEvents", "OstiaryServerTestSupport", engine, core, crypto, logging, testKit, testSupport,
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "OstiaryGeographyTests", dependencies: ["OstiaryGeography", engine],
            exclude: ["Fixtures"], swiftSettings: settings),
        .testTarget(name: "OstiaryDoctorTests", dependencies: ["OstiaryDoctor"], swiftSettings: settings),
        .testTarget(
            name: "OstiaryPostgresTests",
            dependencies: ["OstiaryPostgres", "PostgresServer", testSupport, logging],
            exclude: ["Peers"], swiftSettings: settings),
        .testTarget(
            name: "OstiaryStoreTests",
            dependencies: [
                "OstiaryStore", engine, "OstiaryPostgres", "PostgresServer", core, contracts, testSupport, crypto,
                logging,
                testKit,
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "OstiaryConfigurationTests",
            dependencies: ["OstiaryConfiguration", engine, core, contracts],
            swiftSettings: settings),
        .testTarget(
            name: "OstiaryHTTPTests",
            dependencies: [
                "OstiaryHTTP", middleware, "OstiaryServerTestSupport", engine, testSupport, "OstiaryProvider",
                "OstiaryServerPaths", "OstiaryStore",
                "OstiaryTokens", "OstiaryIdentities", "session-peer", core, contracts, adminAPI,
                client, testKit, crypto, logging, .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings),
    ]
)
