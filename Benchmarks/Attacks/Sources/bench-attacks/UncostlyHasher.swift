import OstiaryCore
import OstiaryEngine

/// A hasher without cost: the stored form of a password is the password.
final class UncostlyHasher: PasswordHashing {
    func hash(_ password: Secret<String>) async throws(AuthError) -> String { password.reveal() }

    func check(_ password: Secret<String>, against hash: String?) async throws(AuthError) -> PasswordMatch {
        guard let hash else { return .differs }
        return hash.utf8.elementsEqual(password.reveal().utf8) ? .matches : .differs
    }

    func expect(_ hash: String) {}
    func canImport(_ hash: String) -> Bool { true }
}
