import Foundation
import OstiaryContracts
public import OstiaryCore

extension DeviceInfo {
    /// What this program can say of the device without asking anybody: the system, its version, the app's version.
    ///
    /// - Parameter deviceID: Made up on this device and kept with its sessions; see ``randomID()``.
    public static func ofThisDevice(deviceID: String? = nil) -> DeviceInfo {
        DeviceInfo(
            deviceID: deviceID, .current(),
            appVersion: Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String)
    }

    init(deviceID: String?, _ system: OperatingSystem, appVersion: String?) {
        self.init(
            deviceID: deviceID?.asDeviceText, platform: system.name.asDeviceText,
            osVersion: system.version?.asDeviceText, appVersion: appVersion?.asDeviceText)
    }

    /// A name for this device that says nothing about it: 122 random bits, none of them the hardware's.
    public static func randomID() -> String { UUID().uuidString.lowercased() }
}

extension String {
    /// The text as a server takes it: on one line, and not too long. Nil if nothing is left.
    fileprivate var asDeviceText: String? {
        var text = ""
        for scalar in unicodeScalars where scalar.isPrintable {
            guard text.utf8.count + String(scalar).utf8.count <= DeviceInfo.maximumBytes else { break }
            text.unicodeScalars.append(scalar)
        }
        return text.isEmpty ? nil : text
    }
}

extension Codec {
    /// Whether the contract has a place for what a device says of itself. Where it has none, nothing is made up to be said.
    func takesDevice(in kind: OperationKind) -> Bool {
        endpoint(for: kind)?.takes?.contains { $0.field == .deviceInfo } ?? false
    }
}
