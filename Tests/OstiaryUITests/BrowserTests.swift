import OstiaryClient
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
@testable import OstiaryUI
import Testing

/// Opens nothing: what a browser brings back is the client's business.
struct NoBrowser: BrowserPresenter {
    func address(endingAt page: BrowserPage) async throws(BrowserPresenterProblem) -> String { throw .cancelled }
}

@MainActor @Suite struct BrowserTests {
    let actions = ScriptedActions(.viewvault)

    @Test func `signs in at the provider whose button was tapped, and is busy at that one alone`() async throws {
        let point = actions.hold("browser")
        let model = AuthViewModel.scripted(actions)
        let task = model.signInWithBrowser(provider: "github", using: NoBrowser())
        #expect(model.isBusy(.browserSignIn(provider: "github")))
        #expect(!model.isBusy(.browserSignIn(provider: "google")))
        #expect(model.signInWithBrowser(provider: "google", using: NoBrowser()) == task)
        point.open()
        await task.value
        #expect(actions.calls.map(\.description) == ["browser(github, -)"])
        #expect(!model.isLoading)
    }

    @Test func `tells nothing to the person who closed the browser`() async {
        actions.refuse("browser", .cancelledByUser)
        let model = AuthViewModel.scripted(actions)
        await model.signInWithBrowser(provider: "google", using: NoBrowser()).value
        #expect(model.error == nil)
    }

    @Test func `leaving the screen closes the browser`() async throws {
        let point = actions.hold("browser")
        let model = AuthViewModel.scripted(actions)
        let task = model.signInWithBrowser(provider: "google", using: NoBrowser())
        try await point.arrivals(1)
        model.abandon()
        point.open()
        await task.value
        #expect(actions.cancelled == ["browser"])
    }

    @Test func `tries again at the same provider after a browser that brought nothing`() async {
        actions.refuse("browser", .browserAnswer(.malformed))
        let model = AuthViewModel.scripted(actions)
        await model.signInWithBrowser(provider: "google", using: NoBrowser()).value
        #expect(model.error?.text == "The browser did not come back with a sign-in. Try again.")
        await model.retry()?.value
        #expect(actions.calls.map(\.description) == ["browser(google, -)", "browser(google, -)"])
    }

    @Test func `tells that the server has no such provider`() async {
        actions.refuse("browser", .refused(.notConfigured))
        let model = AuthViewModel.scripted(actions)
        await model.signInWithBrowser(provider: "google", using: NoBrowser()).value
        #expect(model.error?.text == "This way of signing in is not available here.")
        #expect(model.retry() == nil)
    }

    // MARK: Links

    @Test func `fills in what a link holds, and sends nothing`() throws {
        let model = AuthViewModel.scripted(actions)
        let identifier = Identifier.username(try Username("ada"))
        #expect(model.fill(from: .signIn(SignInLink(screen: .register, identifier: identifier))) == .register)
        #expect(model.fields.identifier == "ada")
        #expect(model.fill(from: .passwordReset(PasswordResetLink(token: Secret("token")))) == .resetPassword)
        #expect(model.fields.resetToken == "token")
        let link = AppLink.registration(RegistrationLink(token: Secret("other")))
        #expect(model.fill(from: link) == .confirmRegistration)
        #expect(model.fields.registrationToken == "other" && model.fields.resetToken.isEmpty)
        #expect(actions.calls.isEmpty)
    }

    @Test func `a link interrupts no sign-in, and leads nobody who is signed in to sign-in`() async throws {
        let point = actions.hold("signIn")
        let model = AuthViewModel.scripted(actions)
        model.type(identifier: "ada")
        let task = model.signIn()
        #expect(model.fill(from: .passwordReset(PasswordResetLink(token: Secret("token")))) == nil)
        #expect(model.isBusy(.signIn) && model.fields.resetToken.isEmpty)
        point.open()
        await task?.value
        actions.enter(.signedIn(.sample("one"), verified: true))
        await model.until { $0.isSignedIn }
        #expect(model.fill(from: .signIn(SignInLink(screen: .signIn))) == nil)
        #expect(model.fill(from: .registration(RegistrationLink(token: Secret("token")))) == nil)
    }

    @Test func `a link to a form that the app does not have leads nowhere`() {
        let model = AuthViewModel.scripted(ScriptedActions(.timetracker))
        #expect(model.fill(from: .signIn(SignInLink(screen: .signIn))) == nil)
        #expect(model.fill(from: .passwordReset(PasswordResetLink(token: Secret("token")))) == nil)
        #expect(model.fill(from: .registration(RegistrationLink(token: Secret("token")))) == nil)
    }
}
