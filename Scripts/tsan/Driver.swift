// swift-tools-version: 6.2
// The server's package reduced to its driver for PostgreSQL and the driver's tests. Scripts/check-races.sh copies it
// into a folder in which `Sources` and `Tests` are links to the server's, and `Support` is one to the root package's
// `Tests/Support`.
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")

let package = Package(
    name: "driver",
    platforms: [.macOS(.v15)],
    dependencies: [.package(url: "https://github.com/apple/swift-log.git", from: "1.14.0")],
    targets: [
        .systemLibrary(name: "CPQ", pkgConfig: "libpq"),
        .target(name: "OstiaryPostgres", dependencies: ["CPQ", logging], swiftSettings: strict),
        .target(name: "OstiaryTestSupport", path: "Support", swiftSettings: strict),
        .target(
            name: "PostgresServer", dependencies: ["OstiaryPostgres", "OstiaryTestSupport", logging],
            path: "Tests/PostgresServer", swiftSettings: strict),
        .testTarget(
            name: "OstiaryPostgresTests",
            dependencies: ["OstiaryPostgres", "PostgresServer", "OstiaryTestSupport", logging],
            exclude: ["Peers"], swiftSettings: strict),
    ]
)
