import Foundation
import OstiaryCore

extension AuthEngine {
    func hash(_ code: OneTimeCode, id: String) -> [UInt8] {
        ports.keys.digest([id, code.reveal()], for: .codes, app: app.name)
    }

    /// Returns the keyed hash under which a recipient is stored.
    func recipientKey(_ recipient: String) -> [UInt8] {
        ports.keys.digest([recipient], for: .recipients, app: app.name)
    }
}
