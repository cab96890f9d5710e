import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import OstiaryUI
import Testing

@Suite struct ScreensTests {
    /// Entries of a form, `?` behind those that may stay empty; nil for a form that is not there.
    private static func entries(_ form: AuthForm, of contract: Contract) -> [String]? {
        let screens = AuthScreens(contract)
        guard screens.has(form) else { return nil }
        return screens.fields(of: form).map { $0.entry.rawValue + ($0.isOptional ? "?" : "") }
    }

    @Test(
        arguments: [
            ("timetracker", nil), ("vici", ["identifier", "password"]),
            ("clarity", ["identifier", "password", "rememberMe?"]), ("barqnet", ["identifier", "password"]),
            ("viewvault", ["identifier", "password"]),
        ] as [(String, [String]?)])
    func `signs in with what the contract asks for`(name: String, entries: [String]?) throws {
        #expect(Self.entries(.signIn, of: try #require(Contract.preset(name))) == entries)
    }

    @Test(
        arguments: [
            ("timetracker", nil), ("vici", ["identifier", "password", "name?"]),
            ("clarity", ["identifier", "password", "name?", "rememberMe?"]),
            ("barqnet", ["identifier", "password", "code"]),
            ("viewvault", ["identifier", "email", "password", "name?"]),
        ] as [(String, [String]?)])
    func `registers with what the contract asks for`(name: String, entries: [String]?) throws {
        #expect(Self.entries(.register, of: try #require(Contract.preset(name))) == entries)
    }

    @Test(
        arguments: [
            ("timetracker", nil, nil), ("vici", ["identifier"], ["resetToken", "newPassword"]),
            ("clarity", ["identifier"], ["resetToken", "newPassword"]),
            ("barqnet", nil, ["identifier", "code", "newPassword"]),
            ("viewvault", ["email"], ["resetToken", "newPassword"]),
        ] as [(String, [String]?, [String]?)])
    func `asks for a forgotten password's proof as the contract has it`(
        name: String, request: [String]?, reset: [String]?
    ) throws {
        let contract = try #require(Contract.preset(name))
        #expect(Self.entries(.requestPasswordReset, of: contract) == request)
        #expect(Self.entries(.resetPassword, of: contract) == reset)
    }

    @Test(
        arguments: [
            ("timetracker", nil), ("vici", ["registrationToken", "password"]),
            ("clarity", ["registrationToken", "password"]), ("barqnet", nil),
            ("viewvault", ["registrationToken", "password"]),
        ] as [(String, [String]?)])
    func `finishes a registration where a link confirms it`(name: String, entries: [String]?) throws {
        #expect(Self.entries(.confirmRegistration, of: try #require(Contract.preset(name))) == entries)
    }

    @Test(arguments: [
        ("timetracker", true, []), ("vici", false, []), ("clarity", false, []), ("barqnet", false, []),
        ("viewvault", false, ["google", "github"]),
    ])
    func `has a button for every provider that the contract names`(
        name: String, browser: Bool, providers: [String]
    ) throws {
        let screens = AuthScreens(try #require(Contract.preset(name)))
        #expect(screens.signsInWithBrowser == browser)
        #expect(screens.socialProviders == providers)
    }

    @Test func `takes the providers of the server where the contract names none`() {
        #expect(AuthScreens(.vici, socialProviders: ["apple"]).socialProviders == ["apple"])
        #expect(AuthScreens(.timetracker, socialProviders: ["apple"]).socialProviders.isEmpty)
    }

    @Test func `only barqnet sends a code before it registers`() {
        #expect(Contract.presets.filter { AuthScreens($0).registersWithCode }.map(\.name) == ["barqnet"])
        #expect(Contract.presets.filter { AuthScreens($0).has(.verifyCode) }.map(\.name) == ["barqnet"])
    }

    @Test func `reads a sixth contract as well`() {
        let screens = AuthScreens(.sixth)
        #expect(screens.identifier == .phoneNumber)
        #expect(!screens.registersWithCode)
        #expect(!screens.listsSessions)
        #expect(Self.entries(.register, of: .sixth) == ["identifier", "password", "rememberMe?"])
        #expect(Self.entries(.requestCode, of: .sixth) == ["identifier"])
    }

    @Test(arguments: Contract.presets) func `every account can be deleted, and every session be ended`(
        contract: Contract
    ) {
        let screens = AuthScreens(contract)
        #expect(screens.has(.deleteAccount))
        #expect(screens.listsSessions)
    }
}
