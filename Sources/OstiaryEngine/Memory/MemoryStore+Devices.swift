public import Foundation
public import OstiaryCore

extension MemoryStore {
    /// Adds a device, if the account is active and has that credential version; returns `true` if it was added.
    public func add(_ device: RecognizedDevice, credentialVersion: Int) -> Bool {
        transaction { tables in
            guard var row = tables.apps[device.app]?.rows[device.accountID], row.account.isActive,
                row.account.credentialVersion == credentialVersion
            else { return false }
            let kept = row.devices.enumerated().sorted { one, other in
                let keys = (one.element.keepingOrder, other.element.keepingOrder)
                return keys.0 == keys.1 ? one.offset > other.offset : keys.0 > keys.1
            }.prefix(RecognizedDevice.limitPerAccount - 1).map(\.element.id)
            row.devices.removeAll { !kept.contains($0.id) }
            row.devices.append(device.asStored)
            tables.apps[device.app]?.rows[device.accountID] = row
            return true
        }
    }

    /// Returns the device whose present secret has that hash; `nil` if there is none, or it has expired.
    public func device(_ hash: [UInt8], in app: AppName, at now: Date) -> RecognizedDevice? {
        transaction { tables in
            tables.apps[app]?.device(hash).flatMap { $0.expiresAt > now.asStored ? $0 : nil }
        }
    }

    /// Replaces the device by one with a new hash, if its hash is still `hash`; returns `true` if it was.
    public func replace(_ hash: [UInt8], by device: RecognizedDevice) -> Bool {
        transaction { $0.replace(hash, by: device) }
    }

    /// Returns the devices of an account that have not expired at `now`, the most recently used first.
    public func devices(of account: AccountID, in app: AppName, at now: Date) -> [RecognizedDevice] {
        transaction { tables in
            (tables.apps[app]?.rows[account]?.devices ?? []).enumerated()
                .filter { $0.element.expiresAt > now.asStored }
                .sorted { ($0.element.lastUsedAt, $0.offset) > ($1.element.lastUsedAt, $1.offset) }
                .map(\.element)
        }
    }

    /// Deletes a device of an account; returns `true` if the account had it.
    public func forgetDevice(_ id: DeviceID, of account: AccountID, in app: AppName) -> Bool {
        transaction { tables in
            guard let index = tables.apps[app]?.rows[account]?.devices.firstIndex(where: { $0.id == id }) else {
                return false
            }
            tables.apps[app]?.rows[account]?.devices.remove(at: index)
            return true
        }
    }
}

extension MemoryTables {
    /// Replaces the device by one with a new hash, if its hash is still `hash`; returns `true` if it was.
    mutating func replace(_ hash: [UInt8], by device: RecognizedDevice) -> Bool {
        let devices = apps[device.app]?.rows[device.accountID]?.devices
        guard let index = devices?.firstIndex(where: { $0.id == device.id && $0.hash == hash }) else { return false }
        var renewed = device.asStored
        renewed.remembered = renewed.remembered ?? devices?[index].remembered
        apps[device.app]?.rows[device.accountID]?.devices[index] = renewed
        return true
    }
}

extension AccountTable {
    fileprivate func device(_ hash: [UInt8]) -> RecognizedDevice? {
        for row in rows.values {
            if let device = row.devices.first(where: { $0.hash == hash }) { return device }
        }
        return nil
    }
}

extension RecognizedDevice {
    /// Of the devices of an account that has too many, those with the greatest values are kept.
    fileprivate var keepingOrder: (Int, Date) { (presentations > 0 ? 1 : 0, lastUsedAt) }

    /// This device with the values that a store returns.
    fileprivate var asStored: RecognizedDevice {
        var device = self
        device.createdAt = createdAt.asStored
        device.lastUsedAt = lastUsedAt.asStored
        device.expiresAt = expiresAt.asStored
        device.remembered?.until = remembered.map { $0.until.asStored } ?? .distantPast
        if device.device == DeviceInfo() { device.device = nil }
        return device
    }
}
