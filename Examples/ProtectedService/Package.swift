// swift-tools-version: 6.2
import PackageDescription

// A service whose routes accept the access tokens of an Ostiary server. `make check` builds it with the package added
// by its URL, and runs it beside a server.

let package = Package(
    name: "protected-service",
    platforms: [.macOS(.v15)],
    dependencies: [
        // In a repository of its own: .package(url: "https://…/ostiary.git", from: "…", traits: ["Hummingbird"])
        .package(name: "ostiary", path: "../..", traits: ["Hummingbird"]),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.0"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
    ],
    targets: [
        .executableTarget(
            name: "ProtectedService",
            dependencies: [
                .product(name: "OstiaryMiddleware", package: "ostiary"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
            ])
    ]
)
