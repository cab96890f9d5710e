import Foundation
import OstiaryContracts
public import OstiaryCore

extension DeviceInfo {
    /// Returns the information about this device that needs no permission: the system, its version, the app's version.
    ///
    /// - Parameter deviceID: An identifier that was generated on this device and is stored with its sessions; see
    ///   ``randomID()``.
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

    /// Returns a random device identifier: a UUID in lower case with 122 random bits, none of them derived from the
    /// hardware.
    public static func randomID() -> String { UUID().uuidString.lowercased() }
}

extension String {
    /// The printable text within the server's limit of bytes, on one line; `nil` if nothing is left.
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
    /// Returns `true` if the contract sends device information with the operation. If it does not, no device identifier
    /// is generated.
    func takesDevice(in kind: OperationKind) -> Bool {
        endpoint(for: kind)?.takes?.contains { $0.field == .deviceInfo } ?? false
    }
}
