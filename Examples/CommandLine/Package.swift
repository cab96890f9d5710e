// swift-tools-version: 6.2
import PackageDescription

// A program for the terminal that keeps a user signed in. `make check` builds it and runs it against the server.

let package = Package(
    name: "command-line",
    platforms: [.macOS(.v15)],
    dependencies: [
        // In a program: .package(url: "https://…/ostiary.git", from: "…")
        .package(name: "ostiary", path: "../..")
    ],
    targets: [
        .executableTarget(
            name: "Greeter", dependencies: [.product(name: "OstiaryClient", package: "ostiary")],
            swiftSettings: [.treatAllWarnings(as: .error)])
    ]
)
