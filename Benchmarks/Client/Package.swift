// swift-tools-version: 6.2
import PackageDescription

// Measures the cost of the client SDK: `make bench-client`.
let package = Package(
    name: "bench-client",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "ostiary", path: "../..")],
    targets: [
        .target(name: "CHeap"),
        .executableTarget(
            name: "bench-client",
            dependencies: [
                "CHeap",
                .product(name: "OstiaryCore", package: "ostiary"),
                .product(name: "OstiaryContracts", package: "ostiary"),
                .product(name: "OstiaryClient", package: "ostiary"),
            ]),
    ]
)
