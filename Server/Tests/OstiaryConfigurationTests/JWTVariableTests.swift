import OstiaryConfiguration
import OstiaryCore
import Testing

@Suite struct JWTVariableTests {
    private let environment = [
        "JWT_SECRET": goodSecret, "JWT_REFRESH_SECRET": otherSecret, "JWT_EXPIRES_IN_SECONDS": "120",
        "JWT_REFRESH_EXPIRES_IN_SECONDS": "1200",
    ]

    @Test func `signs vici with the variables`() throws {
        let vici = try read(environment).app("vici")
        #expect(vici.signing.algorithm == .hs256)
        #expect(vici.signing.secret?.reveal() == goodSecret && vici.signing.refreshSecret?.reveal() == otherSecret)
        #expect(vici.tokens.access == 120 && vici.tokens.refresh == 1200)
    }

    @Test func `leaves the other apps their published keys, and gives them the lifetimes`() throws {
        let clarity = try read(environment).app("clarity")
        #expect(clarity.signing == SigningSettings())
        #expect(clarity.tokens.access == 120 && clarity.tokens.refresh == 1200)
    }

    @Test func `signs another app with a secret of its own`() throws {
        let clarity = try read(["OSTIARY_APPS_CLARITY_JWT_SECRET": goodSecret]).app("clarity")
        #expect(clarity.signing.algorithm == .hs256 && clarity.signing.secret?.reveal() == goodSecret)
    }

    @Test func `signs another app with the variables if its section asks for it`() throws {
        let text = "mode: development\napps: {clarity: {tokens: {signing: hs256}}}"
        #expect(try read(text, environment).app("clarity").signing.secret?.reveal() == goodSecret)
    }

    @Test func `puts the variables before the file for vici and after it for the others`() throws {
        let text = "mode: development\napps: {vici: {tokens: {access: 60}}, clarity: {tokens: {access: 60}}}"
        let configuration = try read(text, environment)
        #expect(try configuration.app("vici").tokens.access == 120)
        #expect(try configuration.app("clarity").tokens.access == 60)
    }

    @Test func `puts an app's own variable before the general one`() throws {
        let own = environment.merging(["OSTIARY_APPS_VICI_TOKENS_ACCESS": "90"]) { $1 }
        #expect(try read(own).app("vici").tokens.access == 90)
    }

    @Test func `names the variable of a bad lifetime`() {
        #expect(
            refusal("mode: development", ["JWT_EXPIRES_IN_SECONDS": "-1"])
                == "JWT_EXPIRES_IN_SECONDS: apps.timetracker.tokens.access: needs a whole number from 1 to 315359999")
    }
}
