import Foundation
import OstiaryClient
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
@testable import OstiaryUI
import Testing

/// The client rules of the five contracts, as far as a view model has to do with them; each under the rule's own words.
@MainActor @Suite struct ClientRulesTests {
    // MARK: timetracker

    @Test func `timetracker: no local password: signing in is the browser's`() async {
        let actions = ScriptedActions(.timetracker)
        actions.signInAs(.sample("one"))
        let model = AuthViewModel.scripted(actions)
        #expect(!model.screens.has(.signIn) && model.screens.signsInWithBrowser)
        #expect(model.signIn() == nil && model.register() == nil)
        await model.signInWithBrowser(using: NoBrowser()).value
        await model.until { $0.isSignedIn }
        #expect(actions.calls.first?.description == "browser(-, -)")
    }

    @Test func `timetracker: any 401, anywhere, centrally: show login`() async {
        let actions = ScriptedActions(.timetracker)
        let model = AuthViewModel.signedIn(actions)
        actions.enter(.signedOut(.ended(.invalidAccessToken)))
        await model.until { !$0.isSignedIn }
        #expect(model.user == nil)
        #expect(model.error?.text == "Your session has ended. Sign in again.")
    }

    @Test func `timetracker: other errors: the error string is what the person is shown`() async {
        let actions = ScriptedActions(.timetracker)
        actions.refuse("deleteAccount", .refused(.rejected(status: 422, message: "Der Chef ist dagegen.")))
        let model = AuthViewModel.signedIn(actions)
        await model.deleteAccount()?.value
        #expect(model.error?.text == "Der Chef ist dagegen.")
    }

    @Test func `timetracker: a network failure is not a rejection`() async {
        let actions = ScriptedActions(.timetracker)
        actions.refuse("refreshUser", .offline)
        let model = AuthViewModel.scripted(actions)
        actions.enter(.signedIn(.sample("one"), verified: false))
        await model.until { $0.isBusy(.loadUser) }
        await model.until { !$0.isBusy(.loadUser) }
        #expect(model.isSignedIn)
        #expect(model.error == nil)
    }

    @Test func `timetracker: logout: keychain, user and token are cleared whatever the answer was`() async {
        let actions = ScriptedActions(.timetracker)
        let model = AuthViewModel.signedIn(actions)
        actions.refuse("signOut", .offline)
        let out = model.signOut()
        actions.enter(.signedOut(.signedOut))
        await out.value
        await model.until { !$0.isSignedIn }
        #expect(model.user == nil)
    }

    // MARK: vici

    @Test func `vici: logged in or not, loading, current user, error to show`() async {
        let actions = ScriptedActions(.vici, state: .unknown)
        let model = AuthViewModel.scripted(actions)
        #expect(!model.isSignedIn && model.isLoading && model.user == nil && model.error == nil)
        actions.enter(.signedIn(.sample("one"), verified: true))
        await model.until { $0.isSignedIn }
        #expect(!model.isLoading)
        #expect(model.user == User.ada)
    }

    @Test func `vici: login, register, logout`() async {
        let actions = ScriptedActions(.vici)
        let model = AuthViewModel.scripted(actions)
        model.type(identifier: "ada@example.com")
        await model.signIn()?.value
        model.type(identifier: "bo@example.com")
        await model.register()?.value
        await model.signOut().value
        #expect(actions.callNames == ["signIn", "register", "signOut"])
    }

    @Test func `vici: persisted through restarts: what the client found is there at once`() {
        let actions = ScriptedActions(.vici, state: .signedIn(.sample("one"), verified: false))
        let model = AuthViewModel.scripted(actions)
        #expect(model.isSignedIn)
        #expect(model.user == User.ada)
    }

    @Test func `vici: a profile fetch after sign-in`() async throws {
        let actions = ScriptedActions(.vici)
        actions.signInAs(.sample("one", user: nil))
        let point = actions.hold("refreshUser")
        let model = AuthViewModel.scripted(actions)
        model.type(identifier: "ada@example.com")
        await model.signIn()?.value
        try await point.arrivals(1)
        #expect(actions.callNames == ["signIn", "refreshUser"])
        #expect(model.user == nil)
        actions.enter(.signedIn(.sample("one", user: User.ada), verified: true))
        point.open()
        await model.until { $0.user == User.ada }
        // The same session with its user is no new one.
        await model.until { !$0.isBusy(.loadUser) }
        #expect(actions.callNames == ["signIn", "refreshUser"])
    }

    @Test func `vici: a profile update`() async {
        let actions = ScriptedActions(.vici)
        let model = AuthViewModel.signedIn(actions)
        model.fields.name = "Ada L."
        await model.updateProfile()?.value
        #expect(actions.callNames == ["updateProfile"])
    }

    @Test func `vici: a refused refresh token leads to login`() async {
        let actions = ScriptedActions(.vici)
        let model = AuthViewModel.signedIn(actions)
        actions.enter(.signedOut(.ended(.refreshTokenReused)))
        await model.until { !$0.isSignedIn }
        #expect(model.error?.text == "For safety you were signed out. Sign in again.")
    }

    @Test func `vici: if the keychain is unavailable the app still works (memory only) and says so`() async {
        let actions = ScriptedActions(.vici)
        let model = AuthViewModel.signedIn(actions)
        actions.tell(.storeUnwritable(.busy))
        await model.until { $0.notices == [.memoryOnly] }
        #expect(model.isSignedIn)
        #expect(model.texts.text(of: .memoryOnly).contains("cannot keep your sign-in"))
        actions.tell(.storeUnwritable(.busy))
        actions.tell(.storeWritableAgain)
        await model.until { $0.notices.isEmpty }
    }

    // MARK: clarity

    @Test func `clarity: remember_me is the person's choice, and no is the default`() async {
        let actions = ScriptedActions(.clarity)
        let model = AuthViewModel.scripted(actions)
        for choice in [false, true] {
            model.type(identifier: "ada@example.com")
            model.fields.rememberMe = choice
            await model.signIn()?.value
        }
        #expect(actions.calls.map(\.arguments.last) == ["false", "true"])
    }

    // MARK: barqnet

    @Test func `barqnet: sensitive data is dropped from memory after use`() async {
        let actions = ScriptedActions(.barqnet)
        actions.signInAs(.sample("one"))
        let model = AuthViewModel.scripted(actions)
        model.type(identifier: "+15551234567")
        await model.signIn()?.value
        #expect(model.fields.password.isEmpty)
        await model.until { $0.isSignedIn }
        #expect(model.fields == AuthFields())
        #expect(model.code == nil)
    }

    @Test func `barqnet: each error has a description fit for a person`() {
        for failure in ClientError.samples {
            for texts in AuthTexts.all {
                let text = texts.text(of: failure, in: .form(.signIn), identifier: .phoneNumber, now: TestClock.start)
                #expect(text.count > 10 && text.contains(" "), "\(failure)")
                #expect(!text.contains("{") && !text.contains("_"), "\(failure): \(text)")
            }
        }
    }

    // MARK: viewvault

    @Test func `viewvault: wrong credentials get a friendly message; server errors a generic one with a retry`() async {
        let actions = ScriptedActions(.viewvault)
        actions.refuse("signIn", .refused(.wrongCredentials))
        actions.refuse("signIn", .temporarilyUnavailable)
        let model = AuthViewModel.scripted(actions)
        model.type(identifier: "ada")
        await model.signIn()?.value
        #expect(model.error?.text == "The username or the password is not correct. Check both and try again.")
        model.fields.password = goodPassword
        await model.signIn()?.value
        #expect(model.error?.text == "Something failed on our side. Try again in a moment.")
        #expect(model.error?.canRetry == true)
    }

    @Test func `viewvault: inputs validated before sending`() {
        let actions = ScriptedActions(.viewvault)
        let model = AuthViewModel.scripted(actions)
        model.type(identifier: "ada", password: "1234567")
        model.fields.email = "ada@"
        #expect(model.register() == nil)
        model.fields.email = "ada@example.com"
        #expect(model.register() == nil)
        #expect(actions.calls.isEmpty)
        model.fields.password = goodPassword
        #expect(model.register() != nil)
    }

    @Test func `viewvault: Google and GitHub buttons, username and password fields, loading state`() async throws {
        let actions = ScriptedActions(.viewvault)
        let point = actions.hold("signIn")
        let model = AuthViewModel.scripted(actions)
        #expect(model.screens.socialProviders == ["google", "github"])
        #expect(model.formFields(of: .signIn).map(\.entry) == [.identifier, .password])
        model.type(identifier: "ada")
        let task = model.signIn()
        #expect(model.isBusy(.signIn))
        point.open()
        await task?.value
    }
}

extension ClientError {
    /// One of each, but the two that nobody is told.
    static let samples: [ClientError] =
        [
            .invalidURL(.malformed), .invalidRequest("a_b"), .unsupported(.register), .notSignedIn, .locked,
            .sessionEnded(.refreshTokenReused), .sessionEnded(.accountDisabled), .unauthorized,
            .http(status: 404, message: ""), .http(status: 500, message: "stack_trace"),
            .rateLimited(until: TestClock.start + 30), .rateLimited(until: TestClock.start - 30),
            .temporarilyUnavailable,
            .invalidResponse, .decoding("a_b"), .offline, .network(.connectionLost), .network(.untrusted),
            .certificatePinningFailed, .store(.busy), .browserAnswer(.malformed),
        ] + AuthError.samples.map { .refused($0) }
}
