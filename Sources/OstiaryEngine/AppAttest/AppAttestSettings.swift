import OstiaryWebAuthn

/// The settings of App Attest for one app. Source: Apple, "Validating apps that connect to your server".
public struct AppAttestSettings: Sendable {
    /// The consequence of a request without a valid assertion.
    public var mode: Mode
    let verifier: AppAttestVerifier

    /// The consequence of a request without a valid assertion. Kept in the configuration by raw value.
    public enum Mode: String, Hashable, Sendable, CaseIterable {
        /// It is counted, and performed.
        case monitor
        /// It is refused.
        case required
    }

    /// The environment that App Attest creates keys in. Kept in the configuration by raw value.
    public enum Environment: String, Hashable, Sendable, CaseIterable {
        /// Apps that Xcode installed.
        case development
        /// Apps from TestFlight, the App Store and enterprise distribution.
        case production
    }

    /// Creates settings; nil if the text is not the certificate of a root authority in PEM.
    ///
    /// - Parameters:
    ///   - appIDs: The App IDs: the team's id, a full stop, and a bundle id.
    ///   - rootCertificate: The root certificate in PEM; nil for Apple's.
    public init?(mode: Mode, appIDs: [String], environment: Environment, rootCertificate: String? = nil) {
        guard let root = try? X509Certificate(pem: rootCertificate ?? X509Certificate.appleAppAttestationRoot),
            root.isTrustAnchor
        else { return nil }
        self.mode = mode
        let environment: AppAttestEnvironment = environment == .production ? .production : .development
        verifier = AppAttestVerifier(appIDs: appIDs, environment: environment, root: root)
    }

    /// The lifetime of a challenge, in seconds.
    static let challengeSeconds = 300
    /// The time without use after which a key is forgotten, in seconds, unless sessions live longer without a refresh.
    static let keySeconds = 180 * 86_400
}
