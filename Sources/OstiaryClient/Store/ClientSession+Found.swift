import Foundation
import OstiaryCore

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

extension ClientSession.ID {
    /// Creates the identifier of a session of which only the tokens were found. It is derived from a token, so that every reading
    /// has the same one.
    init(foundBy token: String) {
        let print = Data(SHA256.hash(data: Array(token.utf8)).prefix(16)).base64EncodedString()
        self.init(rawValue: "\(Self.derivedPrefix)\(print)")
    }

    /// `true` for an identifier that is derived from a token.
    var isDerived: Bool { rawValue.utf8.starts(with: Self.derivedPrefix.utf8) }

    private static let derivedPrefix = "keychain:"
}

extension ClientSession {
    /// Returns `true` if another session is this one, by its identifier or because it was found by this one's tokens.
    func isSame(as other: ClientSession) -> Bool { id == other.id || isFound(as: other.id) }

    /// Returns `true` if another session has a token of this one: they are the same session of the server.
    func sharesToken(with other: ClientSession) -> Bool {
        let tokens = [accessToken, refreshToken].compactMap(\.self)
        return [other.accessToken, other.refreshToken].compactMap(\.self).contains { token in
            !token.reveal().isEmpty && tokens.contains(token)
        }
    }

    /// Returns `true` if an identifier is derived from this session's tokens.
    func isFound(as id: ID) -> Bool {
        guard id.isDerived else { return false }
        return [accessToken, refreshToken].contains { token in
            token.map { ID(foundBy: $0.reveal()) == id } ?? false
        }
    }
}
