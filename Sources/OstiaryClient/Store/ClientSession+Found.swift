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
        self.init(rawValue: "keychain:\(print)")
    }
}

extension ClientSession {
    /// Returns `true` if another session is this one, by its identifier or because it was found by this one's tokens.
    func isSame(as other: ClientSession) -> Bool { id == other.id || isFound(as: other.id) }

    /// Returns `true` if an identifier is derived from this session's tokens.
    func isFound(as id: ID) -> Bool {
        [accessToken, refreshToken].contains { token in token.map { ID(foundBy: $0.reveal()) == id } ?? false }
    }
}
