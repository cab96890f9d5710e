import Foundation
import OstiaryCore
@testable import OstiaryEngine
import OstiaryTesting
import Testing

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// Second factors that move from one server to another with their accounts.
@Suite struct FactorTransferTests {
    private let source: World
    private let target: World

    init() throws {
        source = try .vici { $0.limits = .generous }
        target = try World("vici", .vici, seed: 2) { $0.limits = .generous }
    }

    private static func seal(_ byte: UInt8 = 1) throws -> FactorSeal {
        try FactorSeal(salt: Array(repeating: byte, count: 16), key: Secret(Array(repeating: byte, count: 32)))
    }

    private func exported(_ world: World, _ seal: FactorSeal?) async throws -> [AccountRecord] {
        try await world.administration.exportAccounts(after: nil, limit: 10, factors: seal).page
    }

    /// Exports as lines, and reads them as an import does.
    private func lines(_ seal: FactorSeal) async throws -> [AccountRecord] {
        try await exported(source, seal).map { try AccountRecord(line: $0.line()) }
    }

    private func record(_ line: String) throws -> AccountRecord { try AccountRecord(line: Array(line.utf8)) }

    private func refusal(_ outcome: ImportOutcome?) -> String? {
        guard case .refused(let problem)? = outcome else { return nil }
        return problem.description
    }

    // MARK: Authenticator apps

    @Test func `the same authenticator app and the same recovery codes sign in after the move`() async throws {
        let (app, codes) = try await source.enrolled(source.registered().tokens)
        let outcomes = try await target.administration.importAccounts(
            lines(Self.seal()), opening: [Self.seal()])
        #expect(outcomes == [.added])
        target.advanceStep()
        try await target.answer(target.challenged(), .totp, app.code(target))
        try await target.answer(target.challenged(), .recoveryCode, #require(codes?.first).reveal())
        let account = try #require(try await target.account())
        let moved = try await target.store.factors(of: account.id, in: account.app)
        let original = try await source.store.factors(of: account.id, in: account.app)
        #expect(moved.factors.map(\.id) == original.factors.map(\.id))
        #expect(moved.factors.map(\.name) == original.factors.map(\.name))
        #expect(moved.factors.map(\.createdAt) == original.factors.map(\.createdAt))
        #expect(moved.recoveryCodesLeft == 9)
    }

    @Test func `a time step that was used before the move is not accepted after it`() async throws {
        let (app, _) = try await source.enrolled(source.registered().tokens)
        _ = try await target.administration.importAccounts(lines(Self.seal()), opening: [Self.seal()])
        let challenge = try await target.challenged()
        await #expect(throws: AuthError.codeRefused) { try await target.answer(challenge, .totp, app.code(source)) }
    }

    @Test func `the material is sealed again, for the key of the other server`() async throws {
        let other = try World("vici", .vici, seed: 2, master: 8)
        let (app, codes) = try await source.enrolled(source.registered().tokens)
        let outcomes = try await other.administration.importAccounts(lines(Self.seal()), opening: [Self.seal()])
        #expect(
            outcomes == [
                .addedChanged([
                    "recovery codes: left out, because their hashes have another encryption_key; the owner makes new ones"
                ])
            ])
        other.advanceStep()
        let signedIn = try await other.answer(other.challenged(), .totp, app.code(other))
        let challenge = try await other.challenged()
        #expect(challenge.methods == [.totp])
        #expect(codes?.count == 10)
        let list = try await other.engine.perform(ListFactors(accessToken: signedIn.tokens.accessToken))
        #expect(list.recoveryCodesLeft == 0)
    }

    @Test func `an export without a seal carries no factors`() async throws {
        _ = try await source.enrolled(source.registered().tokens)
        #expect(try await exported(source, nil).first?.factors == nil)
    }

    @Test func `an account without factors has none in the export`() async throws {
        try await source.registered()
        #expect(try await exported(source, Self.seal()).first?.factors == nil)
    }

    @Test func `a sealed text discloses no secret, and is another one each time`() async throws {
        let (app, _) = try await source.enrolled(source.registered().tokens)
        let (one, other) = (try await lines(Self.seal()), try await lines(Self.seal()))
        let text = try #require(one.first?.factors)
        #expect(text.hasPrefix("ostiary-factors-1."))
        #expect(text != other.first?.factors)
        let box = try #require(text.split(separator: ".").last.flatMap { Base64URL.decode($0.utf8) })
        #expect(!Data(box).contains(app.secret))
        #expect(!String(decoding: box, as: UTF8.self).contains(app.id.text))
    }

    // MARK: Passkeys

    @Test func `the same passkey signs in after the move, and its counter goes on`() async throws {
        let settings = PasskeySettings(
            relyingPartyID: "example.com", relyingPartyName: "Example", origins: ["https://example.com"])
        let (source, target) = (
            try World.vici { $0.passkeys = settings }, try World("vici", .vici, seed: 2) { $0.passkeys = settings }
        )
        let passkeys = TestPasskeys(isBackupEligible: false)
        try await source.addPasskey(to: source.registered().tokens, on: passkeys)
        _ = try await source.signIn(with: passkeys)
        let page = try await source.administration.exportAccounts(after: nil, limit: 10, factors: Self.seal()).page
        #expect(try await target.administration.importAccounts(page, opening: [Self.seal()]) == [.added])
        // A copy of the authenticator from before the move is recognized.
        passkeys.setSignCount(0)
        await #expect(throws: AuthError.wrongCredentials) { try await target.signIn(with: passkeys) }
        passkeys.setSignCount(2)
        let signedIn = try await target.signIn(with: passkeys)
        #expect(try await target.use(signedIn.tokens).email?.text == ada)
        let original = try await source.store.factors(of: #require(source.account()).id, in: source.engine.app.name)
        let moved = try await target.store.factors(of: #require(target.account()).id, in: target.engine.app.name)
        #expect(moved.factors.map(\.credentialID) == original.factors.map(\.credentialID))
        #expect(moved.factors.map(\.id) == original.factors.map(\.id))
    }

    @Test func `a passkey of another RP ID is refused with its account`() async throws {
        let (source, target) = (
            try World.vici {
                $0.passkeys = PasskeySettings(
                    relyingPartyID: "example.com", relyingPartyName: "", origins: ["https://example.com"])
            },
            try World("vici", .vici, seed: 2) {
                $0.passkeys = PasskeySettings(
                    relyingPartyID: "example.org", relyingPartyName: "", origins: ["https://example.org"])
            }
        )
        try await source.addPasskey(to: source.registered().tokens, on: TestPasskeys())
        let page = try await source.administration.exportAccounts(after: nil, limit: 10, factors: Self.seal()).page
        let outcome = try await target.administration.importAccounts(page, opening: [Self.seal()]).first
        #expect(
            refusal(outcome)
                == "factors: a passkey belongs to example.com, and those of vici to example.org (passkeys.rp_id)")
        #expect(try await target.account() == nil)
        let without = try World("vici", .vici, seed: 3)
        let refused = try await without.administration.importAccounts(page, opening: [Self.seal()]).first
        #expect(refusal(refused) == "factors: vici has no passkeys (passkeys.rp_id)")
    }

    @Test func `a passkey that another account has is refused`() async throws {
        let settings = PasskeySettings(
            relyingPartyID: "example.com", relyingPartyName: "", origins: ["https://example.com"])
        let world = try World.vici { $0.passkeys = settings }
        try await world.addPasskey(to: world.registered().tokens, on: TestPasskeys())
        let account = try #require(try await world.account())
        let seal = try Self.seal()
        var copy = AccountRecord()
        (copy.id, copy.email) = ("copy", "copy@example.com")
        let sealed = try #require(try await world.administration.exportedFactors(of: account, with: seal))
        copy.factors = try seal.seal(seal.open(sealed, of: account.id), of: AccountID("copy"))
        let outcome = try await world.administration.importAccounts([copy], opening: [seal]).first
        #expect(refusal(outcome) == "factors: account \(account.id) has the same passkey")
    }

    // MARK: The seal

    @Test func `a wrong passphrase and an altered text are refused, and nothing is written`() async throws {
        _ = try await source.enrolled(source.registered().tokens)
        let record = try #require(try await lines(Self.seal()).first)
        #expect(try Self.seal().opens(record))
        let wrong = try FactorSeal(salt: Self.seal().salt, key: Secret(Array(repeating: 9, count: 32)))
        #expect(!wrong.opens(record))
        var altered = record
        altered.factors?.removeLast()
        altered.factors?.append(record.factors?.last == "A" ? "B" : "A")
        var moved = record
        (moved.id, moved.email) = ("another", "another@example.com")
        for (record, seal) in [(record, wrong), (altered, try Self.seal()), (moved, try Self.seal())] {
            let outcome = try await target.administration.importAccounts([record], opening: [seal]).first
            #expect(refusal(outcome)?.hasPrefix("factors: ") == true)
        }
        #expect(try await target.administration.accounts(after: nil, limit: 10).page.isEmpty)
    }

    @Test func `sealed factors without a passphrase are refused`() async throws {
        _ = try await source.enrolled(source.registered().tokens)
        for seals in [[], [try Self.seal(2)]] {
            let outcome = try await target.administration.importAccounts(lines(Self.seal()), opening: seals).first
            #expect(refusal(outcome) == "factors: are sealed, and no passphrase was given")
        }
    }

    @Test(arguments: [
        "", "x", "ostiary-factors-1", "ostiary-factors-1.AA.AA", "ostiary-factors-2.AAAAAAAAAAAAAAAAAAAAAA.AAAA",
        "ostiary-factors-1.AAAAAAAAAAAAAAAAAAAAAA.!", "ostiary-factors-1.AAAAAAAAAAAAAAAAAAAAAA.A.A",
        "ostiary-factors-1.AAAAAAAAAAAAAAAAAAAAAA.",
    ])
    func `a text of another form is refused`(text: String) async throws {
        var record = AccountRecord()
        (record.id, record.email, record.factors) = ("one", ada, text)
        let seal = try FactorSeal(salt: Array(repeating: 0, count: 16), key: Secret(Array(repeating: 1, count: 32)))
        let outcome = try await target.administration.importAccounts([record], opening: [seal]).first
        #expect(refusal(outcome)?.hasPrefix("factors: ") == true)
    }

    @Test func `derives the key by scrypt with the documented parameters`() throws {
        let salt = Array("0123456789abcdef".utf8)
        let seal = try FactorSeal(passphrase: Secret("correct horse battery staple"), salt: salt)
        // By Python's hashlib.scrypt(…, n=2**17, r=8, p=1, dklen=32).
        #expect(
            seal.key.reveal().map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined()
                == "e85a6b6074c5b17927bf067dd98401801052b4ce5840b624aa002af81d322b03")
    }

    @Test func `opens what the documented format says`() throws {
        let seal = try Self.seal()
        // By Python's cryptography.
        let sealed = "ostiary-factors-1.AQEBAQEBAQEBAQEBAQEBAQ.AAECAwQFBgcICQoLz87wBkafZQ2RGJT1vwt6K9JHKKgNS7HH9kuZ"
        #expect(try seal.open(sealed, of: AccountID("ann")) == Array("the factors".utf8))
    }

    // MARK: Contents

    /// A change of the sealed contents.
    enum Damage: CaseIterable {
        case id, name, type, noMaterial, both, shortSecret, longSecret, counter, none, many, twice, codes, noJSON
    }

    @Test(arguments: Damage.allCases)
    func `contents that no export writes are refused`(damage: Damage) async throws {
        let seal = try Self.seal()
        var entry = ExportedFactors.Entry(
            id: "f1", type: "totp", name: "App", counter: 0, createdAt: 0, secret: Data(repeating: 1, count: 20))
        var exported = ExportedFactors(factors: [])
        var count = 1
        switch damage {
        case .id: entry.id = "no id"
        case .name: entry.name = " "
        case .type: entry.type = "sms_code"
        case .noMaterial: entry.secret = nil
        case .both:
            entry.passkey = ExportedFactors.Passkey(
                credentialID: Data([1]), relyingPartyID: "", publicKey: Data(), userHandle: Data([1]),
                isBackupEligible: false, transports: [], aaguid: Data())
        case .shortSecret: entry.secret = Data(repeating: 1, count: 9)
        case .longSecret: entry.secret = Data(repeating: 1, count: 65)
        case .counter: entry.counter = -1
        case .none: count = 0
        case .many: count = 11
        case .twice: count = 2
        case .codes: exported.recoveryCodes = ExportedFactors.RecoveryCodeHashes(keyCheck: Data(), hashes: [Data([1])])
        case .noJSON: break
        }
        for number in 0..<count {
            if damage == .many { entry.id = "f\(number)" }
            exported.factors.append(entry)
        }
        var plain = Array(try JSONEncoder().encode(exported))
        if damage == .noJSON { plain.removeLast() }
        var record = AccountRecord()
        (record.id, record.email) = ("one", ada)
        record.factors = try seal.seal(plain, of: AccountID("one"))
        let outcome = try await target.administration.importAccounts([record], opening: [seal]).first
        #expect(refusal(outcome)?.hasPrefix("factors: ") == true)
        #expect(try await target.administration.accounts(after: nil, limit: 10).page.isEmpty)
    }

    @Test func `a factor that the app does not accept is refused`() async throws {
        _ = try await source.enrolled(source.registered().tokens)
        let strict = try World("vici", .vici, seed: 3) { $0.secondFactor.methods = [.passkey] }
        let outcome = try await strict.administration.importAccounts(lines(Self.seal()), opening: [Self.seal()]).first
        #expect(refusal(outcome) == "factors: vici accepts no totp (second_factor.methods)")
    }

    // MARK: Secrets of other systems

    @Test(arguments: ["", "id"])
    func `a secret in base32 from another system is taken, with or without an id`(id: String) async throws {
        let secret = Array("12345678901234567890".utf8)
        let member = id.isEmpty ? "" : #""id": "kept", "#
        let line =
            #"{\#(member)"email": "\#(ada)", "password_hash": "current:\#(goodPassword)","#
            + #" "totp_secret": "gezd gnbv gy3t qojq GEZD-GNBV-GY3T-QOJQ="}"#
        #expect(try await target.administration.importAccounts([record(line)]) == [.added])
        let code = TOTP(secret: secret).code(at: TOTP.step(at: target.clock.now))
        let signedIn = try await target.answer(target.challenged(), .totp, code)
        let list = try await target.engine.perform(ListFactors(accessToken: signedIn.tokens.accessToken))
        #expect(list.factors.map(\.name) == ["Authenticator app"])
        #expect(list.recoveryCodesLeft == 0)
        #expect(try await target.administration.importAccounts([record(line)]) == [.alreadyThere])
        #expect(try await target.account()?.id.text == "kept" || id.isEmpty)
    }

    @Test(arguments: ["", "A", "GEZDGNBVGY3TQOJ", "GEZDGNBV", "GEZDGNBVGY3TQOJ1", "GEZDGNBVGY3TQOJ8Ж"])
    func `a secret that is no base32, or too short, is refused`(secret: String) async throws {
        let outcome = try await target.administration.importAccounts([
            record(#"{"email": "\#(ada)", "totp_secret": "\#(secret)"}"#)
        ]).first
        #expect(refusal(outcome) == "totp_secret: must be 10 to 64 bytes in base32")
    }

    @Test func `a secret for an account that gets its number from the store needs an id`() async throws {
        let world = try World.viewvault()
        let line = #"{"username": "ann", "totp_secret": "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"}"#
        let outcome = try await world.administration.importAccounts([record(line)]).first
        #expect(refusal(outcome) == "id: is needed with second factors, because viewvault counts its accounts")
        let numbered = line.replacingOccurrences(of: "{", with: #"{"id": "7", "#)
        #expect(try await world.administration.importAccounts([record(numbered)]) == [.added])
    }

    @Test func `a secret is not printed with its record`() throws {
        let record = try record(#"{"email": "\#(ada)", "totp_secret": "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"}"#)
        var text = ""
        dump(record, to: &text)
        #expect(!text.contains("GEZDGNBV") && !"\(record)".contains("GEZDGNBV"))
    }

    @Test func `the audit log has the export and the import of factors`() async throws {
        _ = try await source.enrolled(source.registered().tokens)
        _ = try await target.administration.importAccounts(lines(Self.seal()), opening: [Self.seal()])
        #expect(try await source.events().suffix(2).map(\.action) == ["cli.users.export", "cli.users.factors.export"])
        #expect(try await target.events().map(\.action) == ["cli.users.import", "cli.users.factors.import"])
    }

    @Test func `a store that fails adds neither the account nor its factors`() async throws {
        _ = try await source.enrolled(source.registered().tokens)
        let records = try await lines(Self.seal())
        target.store.fail("addAccount")
        await #expect(throws: WatchedStore.Away.self) {
            try await target.administration.importAccounts(records, opening: [Self.seal()])
        }
        target.store.recover()
        #expect(try await target.account() == nil)
    }
}
