import OstiaryCore
@testable import OstiaryEngine
import Testing

@Suite struct PasswordPolicyTests {
    @Test(
        arguments: [
            ("", FieldProblem.tooShort(minimum: 8)), ("1234567", .tooShort(minimum: 8)),
            // Seven people and families, each many bytes and one or more code points.
            ("👩👩👩👩👩👩👩", .tooShort(minimum: 8)), ("xkcd9362", nil), ("👩👩👩👩👩👩👩👩", nil),
            (String(repeating: "€", count: 24), nil), (String(repeating: "€", count: 24) + "a", .tooLong(maximum: 72)),
            (String(repeating: "a", count: 72), nil), (String(repeating: "a", count: 73), .tooLong(maximum: 72)),
            ("        ", nil), ("пароль-на-завтра", nil), ("密码密码密码密码", nil), ("nul inside\0 here", .malformed),
            ("password", .tooCommon), ("PassWord", .tooCommon), ("12345678", .tooCommon),
            ("ostiary12", .containsIdentifier),
            ("abcdefghij", .tooCommon), ("9876543210", .tooCommon), ("abcdefgk", nil),
        ] as [(String, FieldProblem?)])
    func `says what is wrong with a password`(text: String, problem: FieldProblem?) {
        #expect(PasswordPolicy().problem(with: Secret(text), own: []) == problem)
    }

    @Test(arguments: [
        "Password1!", "P@ssw0rd123", "pa$$w0rd!!", "Summer2026!", "2026summer", "$ummer2026", "Sommer2026!",
        "frühling24",
        "Dezember_24", "Freitag13!", "Monday123", "Qwertz123!", "1qaz2wsx!", "asdfqwer12", "Dr4g0n2024", "!!dragon!!",
        "__l3tm31n__", "Welcome2026!", "Admin1234", "abcdef123!", "passwordpassword", "i love you 1",
    ])
    func `PT-09: refuses a common password with the usual additions`(text: String) {
        #expect(PasswordPolicy().problem(with: Secret(text), own: []) == .tooCommon)
    }

    @Test(arguments: [
        "Lovelace1!", "L0vel4ce2026", "Lovelace1815", "!ada.lovelace!", "AdaLovelace99", "adalovelace",
        "Ada-Lovelace-1",
        "Analytical7", "c0untess1!", "01711234567", "1711234567!", "4917-11234567", "Sampleapp2026!", "0st1ary2026!",
    ])
    func `PT-09: refuses the person's and the app's names with the usual additions`(text: String) throws {
        let names = Account.ownNames(
            try AppName("sampleapp"), try EmailAddress("ada.lovelace@analytical.example.com"),
            try Username("Countess85"), try PhoneNumber("+491711234567"), try PersonName("Ada Lovelace"))
        #expect(PasswordPolicy().problem(with: Secret(text), own: names) == .containsIdentifier)
    }

    @Test(arguments: [
        "correct horse battery staple", "my password is long enough", "summer in december again",
        "lovelace likes trains",
        "dragon-orchid-lantern", "xkcd9362", "Zq7!kv2#", "8Hd!pasta%Kfz", "tr0ub4dor&3x", "83920174655",
        "qwertyish lemon tree",
    ])
    func `PT-09: takes a passphrase that merely holds a common word`(text: String) throws {
        let names = Account.ownNames(
            try AppName("sampleapp"), try EmailAddress("ada.lovelace@example.com"), nil,
            try PhoneNumber("+491711234567"), try PersonName("Ada Lovelace"))
        #expect(PasswordPolicy().problem(with: Secret(text), own: names) == nil)
    }

    @Test func `PT-09: lets people go on who have a weak password`() async throws {
        let world = try World.vici()
        try await world.registered()
        let account = try #require(try await world.account())
        try await world.store.upgradePasswordHash(
            of: account.id, in: world.engine.app.name, from: try #require(account.passwordHash),
            to: "current:Summer2026!")
        _ = try await world.signIn(password: "Summer2026!")
    }

    @Test func `counts eight family emoji as more than 72 bytes`() {
        let family = "👨‍👩‍👧‍👦"
        #expect(
            PasswordPolicy().problem(with: Secret(String(repeating: family, count: 8)), own: [])
                == .tooLong(maximum: 72))
    }

    @Test(arguments: [
        "ada.lovelace@example.com", "ADA.LOVELACE@EXAMPLE.COM", "ada.lovelace", "ada_lovelace", "+15551234567",
        "15551234567", "Ada Lovelace", "sampleapp",
    ])
    func `refuses what the person or the app is called`(text: String) throws {
        let names = Account.ownNames(
            try AppName("sampleapp"), try EmailAddress("ada.lovelace@example.com"), try Username("Ada_Lovelace"),
            try PhoneNumber("+15551234567"), try PersonName("Ada Lovelace"))
        #expect(PasswordPolicy().problem(with: Secret(text), own: names) == .containsIdentifier)
        #expect(PasswordPolicy().problem(with: Secret(text + " and more"), own: names) == nil)
    }

    @Test func `asks for as many code points as it is told`() {
        let policy = PasswordPolicy(minimumLength: 12)
        #expect(policy.problem(with: Secret("elevenchars"), own: []) == .tooShort(minimum: 12))
        #expect(policy.problem(with: Secret("twelve chars"), own: []) == nil)
    }

    @Test func `refuses a megabyte`() {
        let text = Secret(String(repeating: "a", count: 1_000_000))
        #expect(PasswordPolicy().problem(with: text, own: []) == .tooLong(maximum: 72))
    }

    @Test func `prints no password`() {
        var text = ""
        dump(Secret(goodPassword), to: &text)
        #expect(!text.contains(goodPassword))
        #expect(!"\(Secret(goodPassword))".contains(goodPassword))
    }
}
