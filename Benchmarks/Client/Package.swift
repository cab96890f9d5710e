// swift-tools-version: 6.2
import PackageDescription

// What the client SDK costs: `make bench-client`.
let package = Package(
    name: "bench-client",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "ostiary", path: "../..")],
    targets: [
        .executableTarget(
            name: "bench-client",
            dependencies: [
                .product(name: "OstiaryCore", package: "ostiary"),
                .product(name: "OstiaryContracts", package: "ostiary"),
                .product(name: "OstiaryClient", package: "ostiary"),
            ])
    ]
)
