// swift-tools-version: 6.2
import PackageDescription

// A backend that invites customers through the admin API, and receives the events of their accounts. `make check` builds it with
// the package added by its URL, and runs it beside a server.

let package = Package(
    name: "customer-backend",
    platforms: [.macOS(.v15)],
    dependencies: [
        // In a repository of its own: .package(url: "https://…/ostiary.git", from: "…")
        .package(name: "ostiary", path: "../.."),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.0"),
    ],
    targets: [
        .executableTarget(
            name: "CustomerBackend",
            dependencies: [
                .product(name: "OstiaryAdmin", package: "ostiary"),
                .product(name: "Hummingbird", package: "hummingbird"),
            ])
    ]
)
