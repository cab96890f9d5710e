import Foundation
import OstiaryCore

extension Configuration {
    /// Returns `true` if a file contains one of the configured secrets itself, and not a variable in its place.
    package func hasSecret(in bytes: [UInt8]) -> Bool {
        let content = Data(bytes)
        return secrets.contains { secret in
            // A key of several lines is indented in the file.
            let lines = secret.reveal().utf8.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
            guard let line = lines.max(by: { $0.count < $1.count }) else { return false }
            return content.range(of: Data(line)) != nil
        }
    }

    /// The secrets as a file spells them: all that ``show(rules:)`` masks.
    private var secrets: [Secret<String>] {
        var secrets =
            outline(rules: [:]).secrets + encryptionKeys.map { Secret(Data($0.reveal()).base64EncodedString()) }
        if case .postgres(let url) = store, URLParts(url.reveal())?.userinfo?.contains(":") == true {
            secrets.append(url)
        }
        return secrets
    }
}
