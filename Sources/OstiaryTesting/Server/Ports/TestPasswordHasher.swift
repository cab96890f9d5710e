import Foundation
import OstiaryCore
import OstiaryEngine

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// One round of SHA-256 without a salt: fast, and not secure.
struct TestPasswordHasher: PasswordHashing {
    private static let prefix = "$test$"

    func hash(_ password: Secret<String>) -> String {
        Self.prefix + Base64URL.encode(Array(SHA256.hash(data: Data(password.reveal().utf8))))
    }

    func check(_ password: Secret<String>, against hash: String?) -> PasswordMatch {
        guard let hash else { return .differs }
        return hash.utf8.elementsEqual(self.hash(password).utf8) ? .matches : .differs
    }

    func expect(_ hash: String) {}

    func canImport(_ hash: String) -> Bool { hash.utf8.starts(with: Self.prefix.utf8) }
}
