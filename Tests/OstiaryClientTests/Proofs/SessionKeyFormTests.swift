import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClient

/// The key of a session in the form in which sessions are stored.
@Suite struct SessionKeyFormTests {
    private func saved(_ key: SessionKey?) throws -> SavedSessions {
        var session = try ClientSession.sample("access")
        session.boundKey = key
        return SavedSessions(sessions: [session], current: session.id)
    }

    @Test(arguments: ["p256", "secure-enclave"]) func `a stored key is read again`(form: String) throws {
        let key = try SoftwareSessionKeys().makeKey()
        let saved = try saved(
            SessionKey(
                form: form, publicKey: key.publicKey,
                representation: Secret([1, 2, 3] + Array(repeating: 9, count: 200))))
        #expect(try SavedSessions(document: saved.document) == saved)
    }

    @Test func `a session without a key is stored as before`() throws {
        let text = String(decoding: try saved(nil).document, as: UTF8.self)
        #expect(!text.contains("bound_key"))
    }

    @Test func `a key that cannot be read leaves the session`() throws {
        let text = String(decoding: try saved(SoftwareSessionKeys().makeKey()).document, as: UTF8.self)
        let broken = text.replacing("\"p256\"", with: "7")
        let session = try SavedSessions(document: Array(broken.utf8)).currentSession
        #expect(session != nil)
        #expect(session?.boundKey == nil)
    }

    @Test func `no key appears in a description`() throws {
        let key = try SoftwareSessionKeys().makeKey()
        let bytes = "\(key.representation.reveal())"
        for text in ["\(key)", "\(key.representation)", "\(try saved(key))", String(reflecting: key)] {
            #expect(!text.contains(bytes))
        }
    }
}
