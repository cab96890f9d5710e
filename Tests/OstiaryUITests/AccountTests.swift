import OstiaryClient
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
@testable import OstiaryUI
import Testing

@MainActor @Suite struct AccountTests {
    let actions = ScriptedActions(.vici)

    @Test func `asks for a reset mail, and says the same whoever has an account`() async {
        let model = AuthViewModel.scripted(actions)
        model.fields.identifier = "ada@example.com"
        await model.requestPasswordReset()?.value
        #expect(actions.calls.map(\.description) == ["requestPasswordReset(ada@example.com)"])
        #expect(model.step == .resetSent)
        #expect(model.texts.text(of: model.step)?.hasPrefix("If there is an account") == true)
    }

    @Test func `asks for the reset mail of the email address where people sign in with a username`() async {
        let actions = ScriptedActions(.viewvault)
        let model = AuthViewModel.scripted(actions)
        model.fields.identifier = "ada"
        #expect(!model.canSubmit(.requestPasswordReset))
        model.fields.email = "ada@example.com"
        await model.requestPasswordReset()?.value
        #expect(actions.calls.first?.arguments == ["ada@example.com"])
    }

    @Test func `sets a new password with what the mail brought`() async {
        let model = AuthViewModel.scripted(actions)
        model.fields.resetToken = "token"
        model.fields.newPassword = "password"
        #expect(model.resetPassword() == nil)
        model.fields.newPassword = goodPassword
        await model.resetPassword()?.value
        #expect(actions.calls.map(\.arguments) == [["token", goodPassword]])
        #expect(model.step == .passwordReset)
        #expect(model.fields.newPassword.isEmpty && model.fields.resetToken.isEmpty)
    }

    @Test func `sets a new password with the code that was sent to the phone`() async {
        let actions = ScriptedActions(.barqnet)
        let model = AuthViewModel.scripted(actions)
        model.fields.identifier = "+15551234567"
        model.fields.newPassword = goodPassword
        model.fields.code = "123456"
        #expect(model.resetPassword() == nil)
        await model.requestCode()?.value
        model.fields.code = "123456"
        await model.resetPassword()?.value
        #expect(actions.calls.last?.description == "resetPassword(+15551234567, 123456, \(goodPassword))")
        #expect(model.step == .passwordReset)
    }

    @Test func `a dead reset link drops the link's token, and keeps the password`() async {
        actions.refuse("resetPassword", .refused(.resetTokenRefused))
        let model = AuthViewModel.scripted(actions)
        model.fields.resetToken = "token"
        model.fields.newPassword = goodPassword
        await model.resetPassword()?.value
        #expect(model.error?.entry == .resetToken)
        #expect(model.fields.resetToken.isEmpty)
        #expect(model.fields.newPassword == goodPassword)
    }

    @Test func `changes the password, says so, and forgets both`() async {
        let model = AuthViewModel.signedIn(actions)
        model.fields.password = "old one"
        model.fields.newPassword = goodPassword
        await model.changePassword()?.value
        #expect(actions.calls.map(\.arguments) == [["old one", goodPassword]])
        #expect(model.notices == [.passwordChanged])
        #expect(model.fields == AuthFields())
        model.dismiss(.passwordChanged)
        #expect(model.notices.isEmpty)
    }

    @Test func `a new password is not the person's own name`() {
        let model = AuthViewModel.signedIn(actions)
        model.fields.password = "old one"
        model.fields.newPassword = "Ada Lovelace"
        #expect(!model.canSubmit(.changePassword))
    }

    @Test func `tells a wrong current password at its field, and keeps the new one`() async throws {
        actions.refuse("changePassword", .refused(.wrongCredentials))
        let model = AuthViewModel.signedIn(actions)
        model.fields.password = "wrong one"
        model.fields.newPassword = goodPassword
        await model.changePassword()?.value
        let field = try model.field(.password, of: .changePassword)
        #expect(model.message(for: field) == "The password is not correct. Try again.")
        #expect(model.fields.password.isEmpty)
        #expect(model.fields.newPassword == goodPassword)
    }

    @Test func `tells the refusal of a new password at the new password`() async {
        actions.refuse("changePassword", .refused(.invalid(.newPassword, .tooCommon)))
        let model = AuthViewModel.signedIn(actions)
        model.fields.password = "old one"
        model.fields.newPassword = goodPassword
        await model.changePassword()?.value
        #expect(model.error?.entry == .newPassword)
        #expect(model.fields.password == "old one")
    }

    @Test func `saves the person's name`() async {
        let model = AuthViewModel.signedIn(actions)
        model.fields.name = "Ada L."
        await model.updateProfile()?.value
        #expect(actions.calls.map(\.description) == ["updateProfile(Ada L.)"])
        #expect(model.notices == [.profileSaved])
    }

    @Test func `lists sessions, and ends one`() async throws {
        actions.have(sessions: [try .sample("mine", isCurrent: true), try .sample("phone")])
        let model = AuthViewModel.signedIn(actions)
        await model.loadSessions()?.value
        #expect(model.sessions.map(\.id.text) == ["mine", "phone"])
        await model.endSession(try SessionID("phone"))?.value
        #expect(actions.calls.last?.description == "endSession(phone)")
        #expect(model.sessions.map(\.id.text) == ["mine"])
    }

    @Test func `lists the recognized devices and forgets one`() async throws {
        let (laptop, phone) = (try DeviceSummary.sample("laptop", isCurrent: true), try DeviceSummary.sample("phone"))
        actions.have(devices: [laptop, phone])
        let model = AuthViewModel.signedIn(actions)
        await model.loadDevices()?.value
        #expect(model.devices.map(\.id.text) == ["laptop", "phone"])
        await model.forgetDevice(try DeviceID("phone"))?.value
        #expect(actions.calls.last?.description == "forgetDevice(phone)")
        #expect(model.devices.map(\.id.text) == ["laptop"])
    }

    @Test func `a sign-in that requires a device link requests one for the typed identifier`() async {
        actions.refuse("signIn", .refused(.deviceLinkRequired))
        let model = AuthViewModel.scripted(actions)
        model.fields.identifier = "ada@example.com"
        model.fields.password = goodPassword
        await model.signIn()?.value
        #expect(model.error?.requiresDeviceLink == true && model.error?.canRetry == false)
        await model.requestDeviceLink()?.value
        #expect(actions.calls.last?.description == "requestDeviceLink(ada@example.com)")
        #expect(model.error == nil && model.notices == [.deviceLinkSent])
    }

    @Test func `a device link that opened the app is used when the person asks for it`() async {
        let model = AuthViewModel.scripted(actions)
        #expect(model.redeemDeviceLink() == nil)
        #expect(model.fill(from: .deviceRecognition(DeviceRecognitionLink(token: Secret("t")))) == .signIn)
        #expect(actions.calls.isEmpty)
        await model.redeemDeviceLink()?.value
        #expect(actions.calls.map(\.description) == ["redeemDeviceLink(t)"])
        #expect(model.deviceLinkToken == nil && model.notices == [.deviceRecognized])
    }

    @Test func `two sessions can be ended at once, one of them once`() async throws {
        let point = actions.hold("endSession")
        actions.have(sessions: [try .sample("a"), try .sample("b")])
        let model = AuthViewModel.signedIn(actions)
        await model.loadSessions()?.value
        let (a, b) = (try SessionID("a"), try SessionID("b"))
        let tasks = [model.endSession(a), model.endSession(b), model.endSession(a)]
        #expect(model.isBusy(.endSession(a)) && model.isBusy(.endSession(b)))
        point.open()
        for task in tasks { await task?.value }
        #expect(Set(actions.calls.dropFirst().map(\.description)) == ["endSession(a)", "endSession(b)"])
        #expect(actions.calls.count == 3)
        #expect(model.sessions.isEmpty)
    }

    @Test func `ends the session in use by signing out`() async throws {
        actions.have(sessions: [try .sample("mine", isCurrent: true)])
        let model = AuthViewModel.signedIn(actions)
        await model.loadSessions()?.value
        await model.endSession(try SessionID("mine"))?.value
        #expect(actions.callNames == ["accountSessions", "signOut"])
        await model.until { $0.state == .signedOut(.signedOut) }
        #expect(model.sessions.isEmpty)
    }

    @Test func `keeps the session in the list that could not be ended`() async throws {
        actions.have(sessions: [try .sample("phone")])
        actions.refuse("endSession", .offline)
        let model = AuthViewModel.signedIn(actions)
        await model.loadSessions()?.value
        await model.endSession(try SessionID("phone"))?.value
        #expect(model.sessions.count == 1)
        #expect(model.error?.canRetry == true)
        await model.retry()?.value
        #expect(model.sessions.isEmpty)
    }

    @Test func `deletes the account with its password, and is signed out then`() async {
        let model = AuthViewModel.signedIn(actions)
        model.fields.password = "the password"
        await model.deleteAccount()?.value
        #expect(actions.calls.map(\.description) == ["deleteAccount(the password)"])
        await model.until { !$0.isSignedIn }
        #expect(model.fields == AuthFields())
    }

    @Test func `deletes an account that has no password`() async {
        let actions = ScriptedActions(.timetracker)
        let model = AuthViewModel.signedIn(actions)
        await model.deleteAccount()?.value
        #expect(actions.calls.map(\.description) == ["deleteAccount(-)"])
    }

    @Test func `says that an account is deleted, though its session is over first`() async throws {
        let model = AuthViewModel.signedIn(actions)
        let point = actions.hold("deleteAccount")
        let deletion = model.deleteAccount()
        try await point.arrivals(1)
        // What the client does on the way, heard before its answer.
        actions.enter(.signedOut(.signedOut))
        await model.until { !$0.isSignedIn }
        model.abandon()
        point.open()
        await deletion?.value
        #expect(model.notices == [.accountDeleted])
    }

    @Test func `says when the server is told of a sign-out only later, until somebody signs in`() async {
        actions.have(signOut: .revocationPending)
        let model = AuthViewModel.signedIn(actions)
        await model.signOut().value
        await model.until { !$0.isSignedIn }
        #expect(model.notices == [.revocationPending])
        actions.enter(.signedIn(.sample("next"), verified: true))
        await model.until { $0.isSignedIn }
        #expect(model.notices.isEmpty)
    }

    @Test(arguments: [(AppLockEnd.enrolmentChanged, AuthNotice.enrolmentChanged), (.notEnrolled, .notEnrolled)])
    func `says why a lock no longer opens, and asks for nothing but a new sign-in`(
        end: AppLockEnd, notice: AuthNotice
    ) async {
        actions.enter(.locked)
        let model = AuthViewModel.scripted(actions)
        actions.refuse("unlock", .notSignedIn)
        await model.unlock("Show your notes")?.value
        actions.enter(.signedOut(.notRecognised(end)))
        await model.until { $0.state != .locked }
        #expect(model.notices == [notice])
        #expect(model.error == nil)
    }

    @Test func `says what to do where it stays locked`() async {
        actions.enter(.locked)
        let model = AuthViewModel.scripted(actions)
        actions.refuse("unlock", .locked)
        await model.unlock("Show your notes")?.value
        #expect(model.error?.text == AuthTexts.english(.unlockFailed))
    }

    @Test func `switches to another account, and fetches whose it is`() async {
        let other = SessionSnapshot.sample("other", user: nil)
        actions.have(accounts: [.sample("here"), other])
        let model = AuthViewModel.signedIn(actions)
        await model.loadAccounts().value
        #expect(model.accounts.map(\.id.rawValue) == ["here", "other"])
        let point = actions.hold("refreshUser")
        await model.switchAccount(to: other.id).value
        await model.until { $0.isBusy(.loadUser) }
        #expect(model.user == nil)
        point.open()
        await model.until { !$0.isBusy(.loadUser) }
        #expect(actions.callNames == ["savedAccounts", "switchAccount", "refreshUser"])
    }

    @Test func `shows nothing of a session that is locked, until its owner has unlocked it`() async throws {
        actions.have(sessions: [try .sample("phone")])
        let model = AuthViewModel.signedIn(actions)
        await model.loadSessions()?.value
        model.fields.newPassword = goodPassword
        actions.enter(.locked)
        await model.until { $0.state == .locked }
        #expect(model.user == nil && model.sessions.isEmpty && model.fields == AuthFields())
        actions.refuse("unlock", .cancelledByUser)
        await model.unlock("Show your notes")?.value
        #expect(model.state == .locked && model.error == nil)
        await model.unlock("Show your notes")?.value
        await model.until { $0.isSignedIn }
        #expect(model.unlock("Again") == nil)
        #expect(actions.callNames.filter { $0 == "unlock" }.count == 2)
    }

    @Test func `does nothing in an account while nobody is signed in`() throws {
        let model = AuthViewModel.scripted(actions)
        model.type(identifier: "ada@example.com")
        model.fields.newPassword = goodPassword
        #expect(model.changePassword() == nil)
        #expect(model.updateProfile() == nil)
        #expect(model.loadSessions() == nil)
        #expect(model.endSession(try SessionID("a")) == nil)
        #expect(model.deleteAccount() == nil)
        #expect(actions.calls.isEmpty)
    }
}
