// swift-tools-version: 6.2
import PackageDescription

// The readers of WebAuthn with the coverage instrumentation of libFuzzer, without the rest of the repository. `fuzz.sh` copies
// this beside links to the sources. swift-crypto is not instrumented: its own tests read it.
let settings: [SwiftSetting] = [
    .unsafeFlags(["-sanitize=fuzzer"]),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")

let package = Package(
    name: "ostiary",
    platforms: [.macOS(.v15)],
    products: [.library(name: "Fuzzing", type: .static, targets: ["OstiaryWebAuthnFuzzing"])],
    dependencies: [.package(url: "https://github.com/apple/swift-crypto.git", from: "4.3.1")],
    targets: [
        .target(name: "OstiaryCore", swiftSettings: settings),
        .target(name: "OstiaryContracts", dependencies: ["OstiaryCore"], swiftSettings: settings),
        .target(
            name: "OstiaryWebAuthn", dependencies: ["OstiaryCore", "OstiaryContracts", crypto, cryptoExtras],
            swiftSettings: settings),
        .target(
            name: "OstiaryWebAuthnFuzzing",
            dependencies: ["OstiaryCore", "OstiaryContracts", "OstiaryWebAuthn", crypto], path: "Fuzzing",
            swiftSettings: settings),
    ]
)
