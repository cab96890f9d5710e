import OstiaryClient
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
@testable import OstiaryUI
import Testing

@MainActor @Suite struct RunningTests {
    let actions = ScriptedActions(.vici)

    private func typed() -> AuthViewModel {
        let model = AuthViewModel.scripted(actions)
        model.type(identifier: "ada@example.com")
        return model
    }

    @Test func `is busy while an action runs, and only with that one`() async throws {
        let point = actions.hold("signIn")
        let model = typed()
        let task = model.signIn()
        #expect(model.isBusy(.signIn))
        #expect(!model.isBusy(.register))
        #expect(model.isLoading)
        #expect(!model.canSubmit(.signIn))
        try await point.arrivals(1)
        point.open()
        await task?.value
        #expect(!model.isBusy(.signIn))
        #expect(!model.isLoading)
    }

    @Test func `a double tap runs one action`() async throws {
        let point = actions.hold("signIn")
        let model = typed()
        let first = model.signIn()
        let second = model.signIn()
        #expect(first == second)
        try await point.arrivals(1)
        #expect(model.signIn() == first)
        point.open()
        await first?.value
        #expect(actions.callNames == ["signIn"])
    }

    @Test func `two ways in do not run at once`() async throws {
        let point = actions.hold("signIn")
        let model = typed()
        let first = model.signIn()
        #expect(model.register() == first)
        point.open()
        await first?.value
        #expect(actions.callNames == ["signIn"])
    }

    @Test func `the second of two actions, one after the other, runs`() async {
        let model = typed()
        await model.signIn()?.value
        model.fields.password = goodPassword
        await model.signIn()?.value
        #expect(actions.callNames == ["signIn", "signIn"])
    }

    @Test func `cancels what a screen began when the screen is left`() async throws {
        let point = actions.hold("signIn")
        let model = typed()
        let task = model.signIn()
        try await point.arrivals(1)
        model.abandon()
        #expect(!model.isBusy(.signIn))
        #expect(model.fields.password.isEmpty)
        #expect(task?.isCancelled == true)
        point.open()
        await task?.value
        #expect(actions.cancelled == ["signIn"])
    }

    @Test func `the late answer of an abandoned action overwrites nothing`() async throws {
        let point = actions.hold("signIn")
        actions.refuse("signIn", .refused(.accountDisabled))
        let model = typed()
        let late = model.signIn()
        try await point.arrivals(1)
        model.abandon()

        model.fields.password = goodPassword
        let next = model.signIn()
        try await point.arrivals(2)
        // The first to be let go is the abandoned one, with its refusal.
        point.release()
        await late?.value
        #expect(model.error == nil)
        #expect(model.isBusy(.signIn))
        #expect(model.fields.password == goodPassword)
        point.release()
        await next?.value
        #expect(model.error == nil)
        #expect(!model.isBusy(.signIn))
    }

    @Test func `a cancelled action is no error`() async {
        actions.refuse("signIn", .cancelled)
        let model = typed()
        await model.signIn()?.value
        #expect(model.error == nil)
        #expect(!model.isBusy(.signIn))
    }

    @Test func `an action ends when nobody holds the model any more`() async throws {
        let point = actions.hold("signIn")
        var model: AuthViewModel? = typed()
        let dropped = { [weak model] in model }
        let task = model?.signIn()
        try await point.arrivals(1)
        model = nil
        #expect(dropped() == nil)
        #expect(task?.isCancelled == true)
        point.open()
        await task?.value
        #expect(actions.cancelled == ["signIn"])
    }

    @Test func `signing out abandons what is under way in the session`() async throws {
        let point = actions.hold("updateProfile")
        let model = AuthViewModel.signedIn(actions)
        model.fields.name = "Ada"
        let update = model.updateProfile()
        try await point.arrivals(1)
        await model.signOut().value
        await model.until { !$0.isSignedIn }
        point.open()
        await update?.value
        #expect(actions.cancelled == ["updateProfile"])
        #expect(model.notices.isEmpty)
        #expect(model.fields.name.isEmpty)
    }

    @Test func `what is under way for one account ends when another is in use`() async throws {
        let point = actions.hold("accountSessions")
        actions.have(sessions: [try .sample("1")])
        let model = AuthViewModel.signedIn(actions)
        let load = model.loadSessions()
        try await point.arrivals(1)
        actions.enter(.signedIn(.sample("other"), verified: true))
        await model.until { $0.state == .signedIn(.sample("other"), verified: true) }
        point.open()
        await load?.value
        #expect(model.sessions.isEmpty)
    }

    // MARK: Errors and trying again

    @Test(arguments: [
        ClientError.offline, .network(.timedOut), .temporarilyUnavailable, .refused(.unavailable(incident: "7")),
        .invalidResponse,
    ])
    func `tries again what may succeed then, with what was typed`(failure: ClientError) async {
        actions.refuse("signIn", failure)
        let model = typed()
        await model.signIn()?.value
        #expect(model.error?.canRetry == true)
        #expect(model.fields.password == goodPassword)
        await model.retry()?.value
        #expect(model.error == nil)
        #expect(actions.callNames == ["signIn", "signIn"])
        #expect(actions.calls[0] == actions.calls[1])
        #expect(model.fields.password.isEmpty)
    }

    @Test(arguments: [
        ClientError.refused(.wrongCredentials), .refused(.accountDisabled), .certificatePinningFailed,
        .invalidRequest("x"),
    ])
    func `does not try again what would fail again`(failure: ClientError) async {
        actions.refuse("signIn", failure)
        let model = typed()
        await model.signIn()?.value
        #expect(model.error?.canRetry == false)
        #expect(model.retry() == nil)
        #expect(model.fields.password.isEmpty)
    }

    @Test func `an error goes when the next action begins`() async throws {
        actions.refuse("signIn", .offline)
        let model = typed()
        await model.signIn()?.value
        #expect(model.error != nil)
        let point = actions.hold("signIn")
        let task = model.signIn()
        #expect(model.error == nil)
        point.open()
        await task?.value
    }

    @Test func `an error can be dismissed`() async {
        actions.refuse("signIn", .offline)
        let model = typed()
        await model.signIn()?.value
        model.dismissError()
        #expect(model.error == nil)
        #expect(model.retry() == nil)
    }

    @Test func `an error that asks to try again goes with its screen, and why a session ended stays`() async {
        actions.refuse("signIn", .offline)
        let model = typed()
        await model.signIn()?.value
        model.abandon()
        #expect(model.error == nil)
        actions.enter(.signedIn(.sample("one"), verified: true))
        actions.enter(.signedOut(.ended(.sessionRevoked)))
        await model.until { $0.error != nil }
        model.abandon()
        #expect(model.error?.name == "session_revoked")
    }

    @Test func `starts over without code, challenge, passwords and error`() async {
        let challenge = Challenge(name: "NEW_PASSWORD_REQUIRED", token: Secret("t"))
        actions.refuse("signIn", .refused(.challengeRequired(challenge)))
        let model = typed()
        await model.signIn()?.value
        model.fields.newPassword = goodPassword
        model.startOver()
        #expect(model.step == .start)
        #expect(model.challengeForm == nil)
        #expect(model.fields.newPassword.isEmpty)
        #expect(model.answerChallenge() == nil)
    }

    @Test func `prints nothing of what was typed`() {
        let model = typed()
        var text = "\(model.fields)"
        dump(model.fields, to: &text)
        #expect(!text.contains(goodPassword) && !text.contains("ada"))
    }
}
