// swift-tools-version: 6.2
// Linux only: compiles the code under `#if canImport(Darwin)` against a shim of Darwin, and runs it. A package of its
// own: a module named Darwin misleads swift-crypto and SwiftPM's test runner, which would be in one build with it. See
// ../README.md.
import PackageDescription

#if !os(Linux)
fatalError("On a Mac the stand-in would hide the real Darwin: build the package at the top of this repository.")
#endif

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "ostiary-darwin",
    targets: [
        .target(name: "Darwin", path: "Shims/Darwin"),
        .target(name: "DarwinBranches", dependencies: ["Darwin"], swiftSettings: strict),
        .executableTarget(
            name: "DarwinChecks", dependencies: ["Darwin", "DarwinBranches"], swiftSettings: strict),
    ]
)
