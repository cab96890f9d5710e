import Foundation
import OstiaryClient
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
@testable import OstiaryUI
import Testing

/// The second factors of an account, as its screens manage them.
@MainActor @Suite struct FactorTests {
    let actions = ScriptedActions(.vici)

    private func signedIn(passkeys: Bool = true) -> AuthViewModel {
        actions.enter(.signedIn(.sample("here"), verified: true))
        var options = AuthViewModel.Options()
        options.system = TestClock().system
        if passkeys { options.passkeys = TestPasskeys() }
        return AuthViewModel(actions, texts: .english, options: options)
    }

    private func factor(_ id: String, _ type: ChallengeMethod = .totp, name: String = "Phone") throws -> EnrolledFactor
    {
        EnrolledFactor(id: try FactorID(id), type: type, name: name, createdAt: TestClock.start)
    }

    // MARK: The list

    @Test func `lists the factors, and what can be added`() async throws {
        actions.have(factors: [try factor("a"), try factor("b", .passkey)], recoveryCodesLeft: 3)
        let model = signedIn()
        #expect(model.factors == nil)
        await model.loadFactors()?.value
        #expect(model.factors?.factors.map(\.id.text) == ["a", "b"])
        #expect(model.showsFactors && model.addableFactors == [.totp, .passkey])
        #expect(model.securityLead == .securityOn && model.hasFewRecoveryCodes)
        #expect(model.recoveryCodesLeftText == "3 codes left")
        #expect(signedIn(passkeys: false).addableFactors == [.totp])
    }

    @Test func `asks for no list without a session, and where the contract has none`() {
        #expect(AuthViewModel.scripted(actions).loadFactors() == nil)
        let bare = ScriptedActions(
            Contract(
                name: "bare", rules: AppRules(identifier: .email, refresh: RefreshRules()), prefix: "/bare",
                without: [.listFactors, .beginTOTP, .confirmTOTP, .registerPasskey, .renameFactor, .removeFactor]))
        let model = AuthViewModel.signedIn(bare)
        #expect(model.loadFactors() == nil && !model.screens.listsFactors)
        #expect(model.addableFactors.isEmpty && !model.renamesFactors && !model.removesFactors)
    }

    @Test func `a list that does not load says so, and hides where there is none`() async {
        let model = signedIn()
        actions.refuse("factors", .offline)
        await model.loadFactors()?.value
        #expect(model.factorsError?.text == AuthTexts.english(.offline) && model.error == nil)
        await model.loadFactors()?.value
        #expect(model.factorsError == nil && model.factors != nil)
        actions.refuse("factors", .refused(.notFound))
        await model.loadFactors()?.value
        #expect(model.factors == nil && model.factorsError == nil)
    }

    // MARK: An authenticator app

    private func pending() async -> AuthViewModel {
        let model = signedIn()
        await model.addTOTP()?.value
        return model
    }

    @Test func `adds an authenticator app, and shows the recovery codes until they are saved`() async {
        let model = await pending()
        #expect(model.pendingTOTPKey == "JBSW Y3DP EHPK 3PXP")
        #expect(model.confirmTOTP() == nil)
        model.fields.code = "123 456"
        model.fields.factorName = "  My phone "
        await model.confirmTOTP()?.value
        #expect(actions.calls.map(\.description).prefix(2) == ["addTOTP()", "confirmTOTP(pending, 123456, My phone)"])
        #expect(model.pendingTOTP == nil && model.fields.code.isEmpty && model.addedFactors == 1)
        #expect(model.recoveryCodes?.map { $0.reveal() } == ["AAAAA-BBBBB", "CCCCC-DDDDD"])
        let document = model.recoveryCodesDocument ?? ""
        #expect(document.hasPrefix("Recovery codes\nada@example.com\n\nAAAAA-BBBBB\nCCCCC-DDDDD\n"))
        model.didSaveRecoveryCodes()
        #expect(model.recoveryCodes == nil && model.recoveryCodesDocument == nil)
    }

    @Test func `says that a further factor was added, which comes without recovery codes`() async {
        let model = await pending()
        actions.have(recoveryCodes: nil)
        model.fields.code = "123456"
        await model.confirmTOTP()?.value
        #expect(actions.calls.map(\.description).contains("confirmTOTP(pending, 123456, Authenticator app)"))
        #expect(model.recoveryCodes == nil && model.notices == [.factorAdded])
    }

    @Test func `tells a wrong code at the code, and takes another one for the same key`() async throws {
        let model = await pending()
        actions.refuse("confirmTOTP", .refused(.codeRefused))
        model.fields.code = "123456"
        model.fields.factorName = "Phone"
        await model.confirmTOTP()?.value
        let field = try model.field(.code, of: .confirmTOTP)
        #expect(model.message(for: field) == AuthTexts.english(.authenticatorCodeRefused))
        #expect(model.fields.code.isEmpty && model.fields.factorName == "Phone" && model.pendingTOTP != nil)
    }

    @Test func `begins again with a new key once the old one is over`() async {
        let model = await pending()
        actions.refuse("confirmTOTP", .refused(.notFound))
        model.fields.code = "123456"
        await model.confirmTOTP()?.value
        #expect(model.pendingTOTP == nil && model.error?.text == AuthTexts.english(.authenticatorExpired))
        await model.addTOTP()?.value
        #expect(model.pendingTOTP != nil && model.error == nil)
    }

    @Test(arguments: [("", true), ("   ", true), (String(repeating: "n", count: 65), false), ("a\u{7}b", false)])
    func `accepts no name, and none that the server refuses`(name: String, isAccepted: Bool) async {
        let model = await pending()
        model.fields.code = "123456"
        model.fields.factorName = name
        #expect(model.canSubmit(.confirmTOTP) == isAccepted)
    }

    @Test func `forgets the key when its screen is left`() async {
        let model = await pending()
        model.fields.code = "123456"
        model.discardTOTP()
        #expect(model.pendingTOTP == nil && model.pendingTOTPKey == nil && model.fields.code.isEmpty)
    }

    @Test func `shows recovery codes that arrive after the screen was left`() async throws {
        let model = await pending()
        let point = actions.hold("confirmTOTP")
        model.fields.code = "123456"
        let task = model.confirmTOTP()
        try await point.arrivals(1)
        model.abandon()
        point.open()
        await task?.value
        #expect(model.recoveryCodes?.count == 2)
    }

    @Test func `a lock keeps key and codes for the same person, and for nobody else`() async {
        let model = await pending()
        actions.enter(.locked)
        await model.until { $0.state == .locked }
        actions.enter(.signedIn(.sample("here"), verified: true))
        await model.until { $0.isSignedIn }
        #expect(model.pendingTOTP != nil)
        model.fields.code = "123456"
        await model.confirmTOTP()?.value
        actions.enter(.locked)
        await model.until { $0.state == .locked }
        #expect(model.recoveryCodes?.count == 2)
        actions.enter(.signedIn(.sample("another"), verified: true))
        await model.until { $0.isSignedIn }
        #expect(model.recoveryCodes == nil && model.factors == nil)
    }

    @Test func `signing out forgets key and codes`() async {
        let model = await pending()
        model.fields.code = "123456"
        await model.confirmTOTP()?.value
        await model.addTOTP()?.value
        await model.signOut().value
        await model.until { !$0.isSignedIn }
        #expect(model.recoveryCodes == nil && model.pendingTOTP == nil && model.factors == nil)
    }

    // MARK: A passkey

    @Test func `adds a passkey`() async {
        let model = signedIn()
        await model.addPasskey()?.value
        #expect(actions.callNames.first == "addPasskey" && model.recoveryCodes?.count == 2)
        #expect(signedIn(passkeys: false).addPasskey() == nil)
    }

    @Test(
        arguments: [
            (.passkeyExists, .passkeyExists), (.refused(.credentialRefused), .credentialRefused),
            (.refused(.factorLimitReached), .factorLimitReached), (.refused(.notFound), .factorUnavailable),
        ] as [(ClientError, TextKey)])
    func `says why a passkey was not added`(failure: ClientError, key: TextKey) async {
        let model = signedIn()
        actions.refuse("addPasskey", failure)
        await model.addPasskey()?.value
        #expect(model.error?.text == AuthTexts.english(key) && model.error?.entry == nil)
        #expect(model.addableFactors == (failure == .refused(.notFound) ? [.totp] : [.totp, .passkey]))
    }

    @Test func `says nothing to a person who closed the sheet`() async {
        let model = signedIn()
        actions.refuse("addPasskey", .cancelledByUser)
        await model.addPasskey()?.value
        #expect(model.error == nil && model.notices.isEmpty)
    }

    // MARK: Changes

    @Test func `renames a factor`() async throws {
        actions.have(factors: [try factor("a")])
        let model = signedIn()
        await model.loadFactors()?.value
        let factor = try #require(model.factors?.factors.first)
        model.fields.factorName = "Phone"
        #expect(!model.canRename(factor))
        model.fields.factorName = " Tablet "
        #expect(model.canRename(factor))
        await model.renameFactor(factor.id)?.value
        #expect(actions.calls.last?.description == "renameFactor(a, Tablet)")
        #expect(model.factors?.factors.map(\.name) == ["Tablet"] && model.notices == [.factorRenamed])
        model.fields.factorName = ""
        #expect(model.renameFactor(factor.id) == nil)
    }

    @Test func `removes a factor`() async throws {
        actions.have(factors: [try factor("a"), try factor("b")])
        let model = signedIn()
        await model.loadFactors()?.value
        let factor = try #require(model.factors?.factors.first)
        #expect(model.canRemove(factor) && !model.isLast(factor))
        actions.have(factors: [try self.factor("b")])
        await model.removeFactor(factor.id)?.value
        #expect(actions.calls.contains { $0.description == "removeFactor(a)" })
        await model.until { $0.factors?.factors.map(\.id.text) == ["b"] && $0.running.isEmpty }
        #expect(model.notices == [.factorRemoved])
    }

    @Test func `the last factor stays where the app requires one`() async throws {
        actions.have(factors: [try factor("a")], isRequired: true)
        let model = signedIn()
        await model.loadFactors()?.value
        let factor = try #require(model.factors?.factors.first)
        #expect(model.isLast(factor) && !model.canRemove(factor) && model.securityLead == .securityRequired)
        actions.refuse("removeFactor", .refused(.factorRequired))
        await model.removeFactor(factor.id)?.value
        #expect(model.error?.text == AuthTexts.english(.factorRequired))
    }

    @Test func `a factor that another device removed disappears`() async throws {
        actions.have(factors: [try factor("a")])
        let model = signedIn()
        await model.loadFactors()?.value
        actions.have(factors: [])
        actions.refuse("removeFactor", .refused(.notFound))
        await model.removeFactor(try FactorID("a"))?.value
        await model.until { $0.factors?.factors.isEmpty == true }
    }

    @Test func `replaces the recovery codes`() async throws {
        let model = signedIn()
        await model.loadFactors()?.value
        #expect(!model.replacesRecoveryCodes && !model.hasFewRecoveryCodes)
        actions.have(factors: [try factor("a")], recoveryCodesLeft: 0)
        await model.loadFactors()?.value
        #expect(model.replacesRecoveryCodes && model.recoveryCodesLeftText == "No codes left")
        await model.replaceRecoveryCodes()?.value
        #expect(model.recoveryCodes?.count == 2)
    }
}
