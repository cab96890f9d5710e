import Foundation
import Logging
import OstiaryConfiguration
import OstiaryCore
import OstiaryEngine

extension ResolvedConfiguration {
    /// Logs what is valid and may still be a mistake.
    func warn(_ log: Logger) {
        if let files = configuration.tls, files.isKeyExposed {
            log.warning("the private TLS key can be read or changed by other users", metadata: ["file": "\(files.key)"])
        }
        if configuration.mode == .development, !configuration.listen.isLoopback {
            log.warning("development mode is open to other machines", metadata: ["listen": "\(configuration.listen)"])
        }
        for app in apps {
            let live = app.settings.codes.testNumbers.filter { Date() < $0.value.until }
            guard !live.isEmpty else { continue }
            let numbers = live.keys.map(\.masked).sorted().joined(separator: ", ")
            log.warning("fixed codes are accepted", metadata: ["app": "\(app.settings.name)", "numbers": "\(numbers)"])
        }
        for (domain, apps) in appsByRelyingPartyID where apps.count > 1 {
            log.warning(
                "apps share an RP ID: the system offers the passkeys of each at the sign-in of the others",
                metadata: ["rp_id": "\(domain)", "apps": "\(apps.map(\.settings.name.text).joined(separator: ", "))"])
        }
    }
}
