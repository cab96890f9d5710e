import Foundation
import OstiaryCore

/// The credential ids of removed passkeys, which no registration takes while the removal can be undone: see decision 57.
extension AuthEngine {
    private static let periodSeconds = FactorChangeNotice.undoSeconds

    /// Reserves the credential ids of passkeys that are about to be removed.
    ///
    /// A record covers every removal of one period, until the last of them cannot be undone: a record is never extended.
    ///
    /// - Parameter undo: The link that undoes the removal; without one there is nothing to reserve.
    func reserveCredentialIDs(of factors: [Factor], for undo: FactorUndoLink?) async throws {
        guard undo != nil else { return }
        let period = currentPeriod
        let end = Date(timeIntervalSince1970: Double((period + 2) * Self.periodSeconds))
        for credentialID in factors.compactMap(\.credentialID) {
            do {
                try await ports.store.add(
                    SingleUseRecord(
                        app: app.name, kind: .reservedCredential, hash: reservationHash(of: credentialID, in: period),
                        payload: [], expiresAt: end))
            } catch StoreRefusal.alreadySpent {}
        }
    }

    /// Returns `true` if the credential id of a removed passkey is reserved.
    func isReserved(_ credentialID: [UInt8]) async throws -> Bool {
        let current = currentPeriod
        for period in [current, current - 1] {
            let hash = reservationHash(of: credentialID, in: period)
            let record = try await ports.store.singleUseRecord(
                .reservedCredential, hash, in: app.name, at: ports.system.now())
            if record != nil { return true }
        }
        return false
    }

    private var currentPeriod: Int {
        Int((ports.system.now().timeIntervalSince1970 / Double(Self.periodSeconds)).rounded(.down))
    }

    private func reservationHash(of credentialID: [UInt8], in period: Int) -> [UInt8] {
        ports.keys.digest(
            ["reserved-credential", credentialID.base64URL, "\(period)"], for: .factors, app: app.name)
    }
}
