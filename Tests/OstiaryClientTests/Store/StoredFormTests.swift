import Foundation
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import OstiaryTestSupport
import Testing

@testable import OstiaryClient

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

struct StoredFormTests {
    private static let key = SealingKey((0..<32).map { UInt8($0) })

    private static func sealed() throws -> SealedSessions {
        let nonce = try AES.GCM.Nonce(data: (0xA0..<0xAC).map { UInt8($0) })
        return try SealedSessions(
            SampleSessions.all, of: SampleSessions.app, with: try #require(key), from: "key-file", nonce: nonce)
    }

    // MARK: Golden files

    @Test func `reads version 1, and gives its session an id that stays`() throws {
        guard
            case .first(let saved) = try StoredForm(
                SampleSessions.golden("session-record-1"), of: SampleSessions.app)
        else {
            Issue.record("not version 1")
            return
        }
        let id = "1:0b0c6a5e-7d0e-4a62-9a0e-1f6f4e0c8a11"
        let session = try SampleSessions.session(id, accessToken: "access/token", refreshToken: "refresh token")
        #expect(saved == SavedSessions(sessions: [session], current: session.id))
    }

    @Test func `writes version 2 to the byte`() throws {
        #expect(try SampleSessions.all.document == SampleSessions.golden("saved-sessions-2"))
    }

    @Test func `reads version 2`() throws {
        #expect(try SavedSessions(document: SampleSessions.golden("saved-sessions-2")) == SampleSessions.all)
    }

    @Test func `keeps the secret of the device under its name, and nothing where there is none`() throws {
        var saved = try SampleSessions.all
        #expect(saved.json["device_token"] == nil)
        #expect(saved.json["app_attest_key"] == nil)
        saved.appAttestKey = "BAUG"
        #expect(saved.json["app_attest_key"] == "BAUG")
        saved.deviceToken = Secret("AQID")
        #expect(saved.json["device_token"] == "AQID")
        #expect(try SavedSessions(document: saved.document) == saved)
        #expect(!SavedSessions(deviceToken: Secret("AQID")).isEmpty)
    }

    @Test func `keeps the loss of sessions, until one begins or ends`() throws {
        var saved = SavedSessions(deviceID: "device-1")
        #expect(saved.json["has_lost_sessions"] == nil)
        saved.hasLostSessions = true
        #expect(saved.json["has_lost_sessions"] == true)
        #expect(try SavedSessions(document: saved.document) == saved)
        let session = try SampleSessions.session()
        let changes: [(inout SavedSessions) -> Void] = [
            { $0.use(session) }, { $0.forget(session.id) }, { $0.signOut(session, at: session.issuedAt) },
        ]
        for change in changes {
            var changed = saved
            change(&changed)
            #expect(!changed.hasLostSessions)
        }
    }

    @Test func `keeps the start of a password change, and nothing where there is none`() throws {
        var saved = try SampleSessions.all
        #expect(saved.json["sessions"]?.elements?.first?["password_change_started_at"] == nil)
        saved.sessions[0].passwordChangeStartedAt = Date(timeIntervalSince1970: 1_800_000_000)
        #expect(saved.json["sessions"]?.elements?.first?["password_change_started_at"] == 1_800_000_000)
        #expect(try SavedSessions(document: saved.document) == saved)
    }

    @Test func `keeps the user's attributes with their types, and drops what is none`() throws {
        var saved = try SampleSessions.all
        #expect(saved.json["sessions"]?.elements?.first?["user"]?["attributes"] == nil)
        let attributes: [String: AttributeValue] = [
            "plan": "pro", "seats": 3, "rating": 4.0, "wants_news": true, "tags": ["a", "b"],
        ]
        saved.sessions[0].user?.attributes = attributes
        #expect(try SavedSessions(document: saved.document) == saved)
        let text = String(decoding: saved.document, as: UTF8.self)
        let damaged = text.replacing("\"pro\"", with: "{}").replacing("\"seats\"", with: "\"Seats\"")
        let read = try SavedSessions(document: Array(damaged.utf8))
        #expect(read.sessions[0].user?.attributes == attributes.filter { !["plan", "seats"].contains($0.key) })
    }

    @Test func `seals version 2 to the byte, as another implementation does`() throws {
        #expect(try Self.sealed().bytes == SampleSessions.golden("sealed-sessions-2"))
    }

    @Test func `opens what another implementation sealed`() throws {
        guard
            case .sealed(let sealed) = try StoredForm(
                SampleSessions.golden("sealed-sessions-2"), of: SampleSessions.app)
        else {
            Issue.record("not sealed")
            return
        }
        let key = try #require(Self.key)
        #expect(sealed.mark == SealingKeyReference(source: "key-file", id: key.id))
        #expect(try sealed.open(for: SampleSessions.app, with: key) == SampleSessions.all)
    }

    // MARK: Reading

    @Test(arguments: [
        "", "{}", "[]", "null", "{\"version\":1}", "{\"version\":0}", "{\"version\":\"1\"}", "\u{0}\u{0}\u{0}",
        "{\"version\":1,\"contract\":\"vici\",\"base_url\":\"ftp://x\",\"account\":\"a\",\"access_token\":\"t\",\"saved_at\":1}",
        "{\"version\":1,\"contract\":\"vici\",\"base_url\":\"https://x\",\"account\":\"a\",\"access_token\":7,\"saved_at\":1}",
    ])
    func `calls damaged what is no form of any version`(_ text: String) throws {
        let vici = StoredApp(contract: "vici", baseURL: try BaseURL("https://x"))
        for app in [try SampleSessions.app, vici] {
            #expect(throws: StoredFormProblem.damaged) { try StoredForm(Array(text.utf8), of: app) }
        }
    }

    @Test func `calls damaged every file of version 1 that was cut short`() throws {
        let whole = try SampleSessions.golden("session-record-1")
        // The last byte is the line's end.
        for length in 0..<(whole.count - 1) {
            #expect(throws: StoredFormProblem.damaged) {
                try StoredForm(Array(whole[..<length]), of: SampleSessions.app)
            }
        }
    }

    @Test func `calls damaged every document that was cut short`() throws {
        let whole = try SampleSessions.golden("saved-sessions-2")
        // The last byte is the line's end.
        for length in 0..<(whole.count - 1) {
            #expect(throws: StoredFormProblem.damaged) { try SavedSessions(document: Array(whole[..<length])) }
        }
    }

    @Test(arguments: [
        "id", "contract", "base_url", "account", "access_token", "issued_at", "sessions", "untold_sign_outs", "since",
        "session", "version",
    ])
    func `makes no session of less than all that it needs`(_ name: String) throws {
        let text = String(decoding: try SampleSessions.golden("saved-sessions-2"), as: UTF8.self)
        let without = text.replacing("\"\(name)\":", with: "\"x-\(name)\":")
        #expect(without != text)
        #expect(throws: StoredFormProblem.damaged) { try SavedSessions(document: Array(without.utf8)) }
    }

    @Test func `keeps a session whose user it does not understand`() throws {
        let text = String(decoding: try SampleSessions.golden("saved-sessions-2"), as: UTF8.self)
        let other = text.replacing(
            "\"user\": {\n        \"id\": \"0b0c6a5e-7d0e-4a62-9a0e-1f6f4e0c8a11\"",
            with: "\"user\": {\n        \"id\": \"no id\"")
        #expect(other != text)
        let saved = try SavedSessions(document: Array(other.utf8))
        #expect(saved.sessions.count == 2 && saved.sessions[0].user == nil)
        #expect(saved.sessions[0].accessToken == Secret("access/token"))
    }

    @Test func `holds times that no calendar holds`() throws {
        var saved = try SampleSessions.all
        saved.sessions[0].expiresAt = Date(timeIntervalSince1970: .infinity)
        saved.sessions[1].expiresAt = .distantPast
        let read = try SavedSessions(document: saved.document)
        #expect(read.sessions[0].expiresAt == nil && read.sessions[1].expiresAt == .distantPast)
    }

    @Test(arguments: ["{\"version\":3}", "{\"version\":3,\"sealed\":7}", "{\"version\":9000}"])
    func `does not judge a newer version`(_ text: String) throws {
        #expect(throws: StoredFormProblem.newerVersion) {
            try StoredForm(Array(text.utf8), of: SampleSessions.app)
        }
        #expect(throws: StoredFormProblem.newerVersion) { try SavedSessions(document: Array(text.utf8)) }
    }

    @Test func `does not take version 1 of another app for its own`() throws {
        let bytes = try SampleSessions.golden("session-record-1")
        let places = [
            StoredApp(contract: "vici", baseURL: try SampleSessions.baseURL),
            StoredApp(contract: SampleSessions.contract, baseURL: try BaseURL("https://auth.example.com/other")),
        ]
        for place in places { #expect(throws: StoredFormProblem.damaged) { try StoredForm(bytes, of: place) } }
    }

    // MARK: Sealing

    @Test func `opens with its own key, at its own app`() throws {
        let sealed = try Self.sealed()
        let key = try #require(Self.key)
        let elsewhere = [
            StoredApp(contract: "vici", baseURL: try SampleSessions.baseURL),
            StoredApp(contract: SampleSessions.contract, baseURL: try BaseURL("https://auth.example.com")),
        ]
        for app in elsewhere { #expect(throws: StoredFormProblem.damaged) { try sealed.open(for: app, with: key) } }
        #expect(throws: StoredFormProblem.damaged) { try sealed.open(for: SampleSessions.app, with: SealingKey()) }
    }

    @Test func `seals one document differently each time`() throws {
        let key = SealingKey()
        let files = try (0..<100).map { _ in
            try SealedSessions(SampleSessions.all, of: SampleSessions.app, with: key, from: "key-file").bytes
        }
        #expect(Set(files).count == 100)
    }

    @Test func `notices every flipped bit of a sealed file without a key`() throws {
        let saved = SavedSessions(sessions: [try SampleSessions.session()])
        let whole = try SealedSessions(saved, of: SampleSessions.app, with: SealingKey(), from: "key-file").bytes
        let version = try #require(whole.firstIndex(of: UInt8(ascii: "2")))
        // White space at the end may be any.
        for index in whole.indices.dropLast() {
            for bit in 0..<8 {
                var bytes = whole
                bytes[index] ^= 1 << bit
                let problem = #expect(throws: StoredFormProblem.self) { try StoredForm(bytes, of: SampleSessions.app) }
                // A version that became a higher one is not judged, and so not moved.
                #expect(problem == .damaged || problem == .newerVersion && index == version)
            }
        }
    }

    @Test func `notices a sealed file that was cut short, without a key`() throws {
        let whole = try SampleSessions.golden("sealed-sessions-2")
        for length in 0..<(whole.count - 1) {
            #expect(throws: StoredFormProblem.damaged) {
                try StoredForm(Array(whole[..<length]), of: SampleSessions.app)
            }
        }
    }

    @Test func `notices every changed byte of what is sealed, whoever repaired the check`() throws {
        let key = try #require(Self.key)
        let json = try JSON.read(SampleSessions.golden("sealed-sessions-2"))
        let sealed = try #require(json.storedText("sealed").flatMap { Data(base64Encoded: $0) })
        for index in sealed.indices {
            var bytes = sealed
            bytes[index] ^= 1
            let forged = try Self.forged(sealed: bytes)
            #expect(throws: StoredFormProblem.damaged) { try forged.open(for: SampleSessions.app, with: key) }
        }
        for length in [0, 1, 11, 12, 27, 28, sealed.count - 1] {
            let forged = try Self.forged(sealed: sealed.prefix(length))
            #expect(throws: StoredFormProblem.damaged) { try forged.open(for: SampleSessions.app, with: key) }
        }
        // The forger is no better than the original.
        #expect(try Self.forged(sealed: sealed).open(for: SampleSessions.app, with: key) == SampleSessions.all)
    }

    private static func forged(sealed: Data) throws -> SealedSessions {
        let parts = ["key-file", try #require(key).id, sealed.base64EncodedString()]
        let check = SHA256.hash(data: JSON.array(parts.map { .string($0) }).bytes)
        return try #require(
            SealedSessions([
                "version": 2, "key": .string(parts[0]), "key_id": .string(parts[1]), "sealed": .string(parts[2]),
                "check": .string(Data(check.prefix(8)).base64EncodedString()),
            ]))
    }

    // MARK: Secrets

    @Test func `prints no token, no name and no key`() async throws {
        let key = SealingKey()
        let place = try StoreHome(
            keys: .automatic(environment: ["OSTIARY_SESSION_KEY": key.text.reveal(), "PASSWORD": "Jo's"]))
        try await place.write()
        let values: [Any] = [
            try SampleSessions.all, try SampleSessions.all.sessions[0], try SampleSessions.all.pendingRevocations,
            StoredSessions.found(try SampleSessions.all), StoredForm.first(try SampleSessions.all), key,
            try #require(EnvironmentKey([EnvironmentKey.variable: key.text.reveal()])),
            place.store, place.keys, place.keys.sources(place.directory, place.store.name),
        ]
        for value in values {
            var dumped = ""
            dump(value, to: &dumped)
            for shown in ["\(value)", String(reflecting: value), "\([value])", dumped] {
                // The random name of the directory can contain the beginning of a secret.
                let text = shown.replacingOccurrences(of: place.home.path, with: "")
                for secret in ["token", "Jo", "jö", "5551234567", "AAEC", "255", key.text.reveal()] {
                    #expect(!text.contains(secret), "\(text)")
                }
            }
        }
    }
}

extension JSON {
    fileprivate var elements: [JSON]? { if case .array(let elements) = self { elements } else { nil } }
}
