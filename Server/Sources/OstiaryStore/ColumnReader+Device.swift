import Foundation
import OstiaryCore
import OstiaryEngine

extension ColumnReader {
    /// The columns that ``recognizedDevice()`` reads.
    static var deviceColumns: String {
        """
        id, app, account_id, hash, created_at, last_used_at, expires_at, presentations, device_id, platform, os_version, \
        app_version, address, user_agent, remembered_until, remembered_for
        """
    }

    mutating func recognizedDevice() throws -> RecognizedDevice {
        var device = RecognizedDevice(
            id: try value(DeviceID.init), app: try value(AppName.init), accountID: try value(AccountID.init),
            hash: try bytes(), createdAt: try date())
        device.lastUsedAt = try date()
        device.expiresAt = try date()
        device.presentations = Int(try integer())
        let description = DeviceInfo(
            deviceID: try optionalText(), platform: try optionalText(), osVersion: try optionalText(),
            appVersion: try optionalText())
        device.device = description == DeviceInfo() ? nil : description
        device.address = try optionalText()
        device.userAgent = try optionalText()
        let until = try optionalDate()
        if let until, let credentials = try optionalBytes() {
            device.remembered = RecognizedDevice.Remembered(until: until, credentials: credentials)
        }
        return device
    }
}
