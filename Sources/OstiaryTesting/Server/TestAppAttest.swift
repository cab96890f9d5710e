import OstiaryEngine

/// The verification of an app by App Attest at a ``TestServer``.
public enum TestAppAttest: Sendable {
    /// The server does not verify the app.
    case off
    /// The server counts requests without a valid assertion of a service's keys, and performs them.
    case monitor(SoftwareAppAttestService)
    /// The server refuses requests without a valid assertion of a service's keys.
    case required(SoftwareAppAttestService)

    var settings: AppAttestSettings? {
        switch self {
        case .off: nil
        case .monitor(let service): Self.settings(.monitor, service)
        case .required(let service): Self.settings(.required, service)
        }
    }

    private static func settings(
        _ mode: AppAttestSettings.Mode, _ service: SoftwareAppAttestService
    ) -> AppAttestSettings? {
        AppAttestSettings(
            mode: mode, appIDs: [service.appID], environment: service.isProduction ? .production : .development,
            rootCertificate: service.rootCertificate)
    }
}
