// swift-tools-version: 6.2
import PackageDescription

// An app that adds the SDK. `make check` builds it and counts what it had to resolve.

let package = Package(
    name: "consumer",
    platforms: [.macOS(.v15), .iOS(.v18)],
    dependencies: [
        // In an app: .package(url: "https://…/ostiary.git", from: "…")
        .package(name: "ostiary", path: "../..")
    ],
    targets: [
        .executableTarget(name: "Consumer", dependencies: [.product(name: "OstiaryClient", package: "ostiary")])
    ]
)
