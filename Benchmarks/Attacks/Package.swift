// swift-tools-version: 6.2
import PackageDescription

// Plays attacks against the engine: `make bench ONLY=attacks`.
let package = Package(
    name: "bench-attacks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "ostiary", path: "../.."),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.3.1"),
    ],
    targets: [
        .executableTarget(
            name: "bench-attacks",
            dependencies: [
                .product(name: "OstiaryCore", package: "ostiary"),
                .product(name: "OstiaryEngine", package: "ostiary"),
                .product(name: "Crypto", package: "swift-crypto"),
            ])
    ]
)
