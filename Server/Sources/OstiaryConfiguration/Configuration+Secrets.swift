import Foundation
import OstiaryCore

extension Configuration {
    /// Returns `true` if a file contains one of the configured secrets itself, and not a variable in its place.
    package func hasSecret(in bytes: [UInt8]) -> Bool {
        let content = Data(bytes)
        return secrets.contains { secret in
            let text = secret.reveal()
            return !text.isEmpty && content.range(of: Data(text.utf8)) != nil
        }
    }

    /// The secrets as a file spells them.
    private var secrets: [Secret<String>] {
        var secrets = encryptionKeys.map { Secret(Data($0.reveal()).base64EncodedString()) }
        for app in apps {
            let signing = app.signing
            secrets += [signing.secret, signing.refreshSecret].compactMap(\.self)
            secrets += (signing.earlierSecrets + signing.earlierRefreshSecrets)
        }
        if case .smtp(let url, _) = email, URLParts(url.reveal())?.userinfo != nil { secrets.append(url) }
        switch sms {
        case .twilio(_, let token, _): secrets.append(token)
        case .webhook(_, let secret): secrets.append(secret)
        case .inbox, nil: break
        }
        if case .postgres(let url) = store, URLParts(url.reveal())?.userinfo?.contains(":") == true {
            secrets.append(url)
        }
        return secrets
    }
}
