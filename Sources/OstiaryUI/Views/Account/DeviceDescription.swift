#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import OstiaryCore

/// The description of a device in a list: of a session, or of a recognized device.
struct DeviceDescription {
    private let device: DeviceInfo?
    private let userAgent: String?

    init(_ session: SessionSummary) { (device, userAgent) = (session.device, session.userAgent) }
    init(_ device: DeviceSummary) { (self.device, userAgent) = (device.device, device.userAgent) }

    /// Returns the platform and version that the device reported; otherwise the user agent, cut to 60 characters, or a
    /// placeholder.
    func name(_ texts: AuthTexts) -> String {
        let system = [device?.platform, device?.osVersion].compactMap(\.self).filter { !$0.isEmpty }
        if !system.isEmpty { return system.joined(separator: " ") }
        guard let userAgent, !userAgent.isEmpty else { return texts(.unknownDevice) }
        return String(userAgent.prefix(60))
    }

    /// The name of the system's symbol for the device.
    var symbol: String {
        switch device?.platform {
        case "iOS": "iphone"
        case "macOS": "laptopcomputer"
        default: "desktopcomputer"
        }
    }
}
#endif
