import OstiaryConfiguration
import OstiaryCore
import Testing

/// The lists of keys and secrets, the newest first, by which they are changed.
@Suite struct KeyListTests {
    private static let one = "MDEyMzQ1Njc4OWFiY2RlZmdoaWprbG1ub3BxcnN0dXY="
    private static let other = "dnV0c3JxcG9ubWxramloZ2ZlZGNiYTk4NzY1NDMyMTA="

    private func production(_ keys: String) -> String {
        productionHead.replacing("encryption_key: \(Self.one)", with: keys) + "  clarity: {}\n"
    }

    @Test func `takes the encryption keys in their order`() throws {
        let keys = try read(production("encryption_keys: [\(Self.other), \(Self.one)]")).encryptionKeys
        #expect(keys.map { String(decoding: $0.reveal(), as: UTF8.self) }.map { $0.prefix(4) } == ["vuts", "0123"])
        let variable = try read(production(""), ["OSTIARY_ENCRYPTION_KEYS": "\(Self.other), \(Self.one)"])
        #expect(variable.encryptionKeys == keys)
        #expect(try read(productionHead + "  clarity: {}\n").encryptionKeys == Array(keys.dropFirst()))
        #expect(
            try read(production("encryption_keys: [\(Self.other), \(Self.one)]")).show().contains(
                "encryption_keys: [\"***\", \"***\"]"))
    }

    @Test(arguments: [
        ("", "encryption_key: needs 32 bytes in base64"),
        ("encryption_keys: []", "encryption_keys: needs at least one key"),
        ("encryption_keys: [\(one), \(one)]", "encryption_keys: needs different keys"),
        ("encryption_keys: [\(one), short]", "encryption_keys: needs 32 bytes in base64"),
        ("encryption_keys: \(one)", "encryption_keys: needs a list"),
        ("encryption_key: \(one)\nencryption_keys: [\(other)]", "encryption_key: needs to be removed"),
    ]) func `refuses encryption keys`(keys: String, reason: String) throws {
        #expect(refusal(production(keys))?.contains(reason) == true)
    }

    @Test func `the first secret signs and the others verify`() throws {
        let settings =
            "jwt_secrets: [\(goodSecret), \(otherSecret)], jwt_refresh_secrets: [\(goodSecret)-r, \(otherSecret)-r]"
        let signing = try read(productionHead + "  vici: {\(settings), identity: {kind: local}}\n").app("vici").signing
        #expect(signing.secret?.reveal() == goodSecret && signing.earlierSecrets.map { $0.reveal() } == [otherSecret])
        #expect(
            signing.refreshSecret?.reveal() == "\(goodSecret)-r"
                && signing.earlierRefreshSecrets.map { $0.reveal() } == ["\(otherSecret)-r"])
        let clarity = try read("mode: development\napps: {clarity: {jwt_secrets: [\(goodSecret)]}}").app("clarity")
        #expect(clarity.signing.algorithm == .hs256 && clarity.signing.secret?.reveal() == goodSecret)
    }

    @Test(arguments: [
        ("jwt_secrets: []", "jwt_secrets: needs at least one secret"),
        ("jwt_secrets: [\(goodSecret), \(goodSecret)]", "jwt_secrets: needs different secrets"),
        ("jwt_secrets: [\(goodSecret)], jwt_secret: \(otherSecret)", "jwt_secret: needs to be removed"),
        (
            "jwt_secrets: [\(goodSecret), \(otherSecret)], jwt_refresh_secrets: [\(otherSecret)]",
            "jwt_refresh_secrets: needs another secret than jwt_secret"
        ),
    ]) func `refuses secrets`(settings: String, reason: String) throws {
        #expect(refusal("mode: development\napps: {vici: {\(settings)}}")?.contains(reason) == true)
    }

    @Test func `keys that sign tokens change by command alone, unless days are set`() throws {
        #expect(try read(productionHead + "  clarity: {}\n").signingKeyDays == nil)
        let text = "signing_key_days: 90\n" + productionHead + "  clarity: {}\n"
        #expect(try read(text).signingKeyDays == 90 && read(text).show().contains("signing_key_days: 90\n"))
        for days in ["0", "6", "3651", "ninety"] {
            #expect(refusal(text.replacing("90", with: days))?.contains("signing_key_days: needs") == true)
        }
    }
}
