/// The environment that App Attest created a key in, from the app's entitlement. Source: Apple, "App Attest Environment".
package enum AppAttestEnvironment: String, Sendable, Hashable, CaseIterable {
    /// Apps that Xcode installed, unless their entitlement chooses the other environment.
    case development
    /// Apps from TestFlight, the App Store and enterprise distribution.
    case production

    /// The identifier in the authenticator data: 16 bytes. Source: Apple, "Validating apps that connect to your server".
    package var aaguid: [UInt8] {
        switch self {
        case .development: Array("appattestdevelop".utf8)
        case .production: Array("appattest".utf8) + [UInt8](repeating: 0, count: 7)
        }
    }
}
