// swift-tools-version: 6.2
// Linux only: compiles the SDK's sources for Apple's platforms against shims of Apple's frameworks, and tests them
// there. See README.md.
import PackageDescription

#if !os(Linux)
fatalError("On a Mac the stand-ins would hide the real frameworks: build the package above this folder.")
#endif

// One build simulates one platform, with a --scratch-path of its own: canImport sees every module that is left in a
// build folder.
let kit = Context.environment["APPLE_SHIM_OS"] == "macOS" ? "AppKit" : "UIKit"

/// In Swift 5 mode, because Apple's Objective-C modules are not checked for concurrency: closures that are handed to
/// them then get the same checks at run time (SE-0423).
func shim(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Shims/\(name)", swiftSettings: [.swiftLanguageMode(.v5)])
}

// Warnings are errors where the project builds itself, see the package above.
let isStrict = Context.environment["OSTIARY_TEST_STRICT"] == "1"
let settings: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + (isStrict ? [.treatAllWarnings(as: .error)] : [])

let frameworks: [Target.Dependency] = [
    "Security", "LocalAuthentication", "DeviceCheck", "AuthenticationServices", .byName(name: kit),
]
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")
/// The system modules of every platform.
let system: [Target.Dependency] = ["os", "CryptoKit"]

/// An example app: its own sources, and those that it shares with the others.
func app(_ name: String) -> Target {
    .executableTarget(
        name: name,
        dependencies: ["OstiaryCore", "OstiaryContracts", "OstiaryClient", "OstiaryUI", "OstiaryTesting", "SwiftUI"]
            + frameworks,
        path: "Sources/Apps/\(name)", swiftSettings: settings)
}

let apps = ["TimeTracker", "Vici", "Clarity", "Barqnet", "ViewVault"]

let package = Package(
    name: "ostiary-apple",
    dependencies: [.package(url: "https://github.com/apple/swift-crypto.git", from: "4.3.1")],
    targets: [
        shim("os"),
        shim("CryptoKit", [crypto]),
        shim("Security"),
        shim(kit),
        shim("LocalAuthentication", ["Security"]),
        shim("DeviceCheck"),
        shim("AuthenticationServices", [.byName(name: kit)]),
        shim("Accessibility"),
        shim("CoreGraphics"),
        shim("CoreImage", ["CoreGraphics"]),
        shim("SwiftUI", [.byName(name: kit), "AuthenticationServices", "Accessibility", "CoreGraphics"]),
        // The toolchain's Testing wants an overlay of that name wherever a test imports both.
        shim("_Testing_\(kit)"),
        .target(name: "OstiaryCore", swiftSettings: settings),
        .target(name: "OstiaryContracts", dependencies: ["OstiaryCore"], swiftSettings: settings),
        .target(
            name: "OstiaryEngine", dependencies: ["OstiaryCore", "OstiaryWebAuthn", "CryptoKit", cryptoExtras],
            swiftSettings: settings),
        .target(
            name: "OstiaryWebAuthn", dependencies: ["OstiaryCore", "OstiaryContracts", "CryptoKit", cryptoExtras],
            swiftSettings: settings),
        .target(
            name: "OstiaryClient", dependencies: ["OstiaryCore", "OstiaryContracts"] + system + frameworks,
            exclude: ["PrivacyInfo.xcprivacy"], swiftSettings: settings),
        .target(
            name: "OstiaryUI",
            dependencies: [
                "OstiaryCore", "OstiaryContracts", "OstiaryClient", "SwiftUI", "Accessibility", "CoreGraphics",
                "CoreImage",
            ] + frameworks,
            swiftSettings: settings),
        .target(name: "OstiaryAdminAPI", dependencies: ["OstiaryCore", "OstiaryContracts"], swiftSettings: settings),
        .target(
            name: "OstiaryAdmin",
            dependencies: ["OstiaryCore", "OstiaryContracts", "OstiaryAdminAPI", "OstiaryClient", "CryptoKit"],
            swiftSettings: settings),
        .target(
            name: "OstiaryTesting",
            dependencies: ["OstiaryCore", "OstiaryContracts", "OstiaryEngine", "OstiaryClient", "OstiaryWebAuthn"]
                + system,
            swiftSettings: settings),
        // Test support that is shared with the package above.
        .target(
            name: "OstiaryClientTestSupport",
            dependencies: ["OstiaryCore", "OstiaryContracts", "OstiaryClient", "OstiaryUI", "OstiaryTesting"],
            swiftSettings: settings),
        .testTarget(
            name: "AppleTests",
            dependencies: [
                "OstiaryCore", "OstiaryContracts", "OstiaryClient", "OstiaryUI", "OstiaryTesting",
                "OstiaryClientTestSupport", "SwiftUI",
                .byName(name: "_Testing_\(kit)"),
            ] + system + frameworks,
            exclude: ["Golden", "Snapshots"], swiftSettings: settings),
        // The queries that run against Apple's keychain on a Mac; the rest there needs more of the frameworks than the
        // shims have.
        .testTarget(
            name: "RealFrameworksTests",
            dependencies: ["OstiaryCore", "OstiaryContracts", "OstiaryClient", "OstiaryTesting", "Security"],
            path: "RealFrameworks/Tests",
            exclude: ["RealServerTrustTests.swift", "RealLocalAuthenticationTests.swift"], swiftSettings: settings),
        .testTarget(
            name: "AppTests",
            dependencies: [
                "OstiaryCore", "OstiaryContracts", "OstiaryClient", "OstiaryUI", "OstiaryTesting", "SwiftUI",
                .byName(name: "_Testing_\(kit)"),
            ] + frameworks + apps.map { .byName(name: $0) },
            swiftSettings: settings),
    ] + apps.map(app)
)
