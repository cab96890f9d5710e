import Observation
import OstiaryClient
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
@testable import OstiaryUI
import Synchronization
import Testing

@MainActor @Suite struct ObservationTests {
    let actions = ScriptedActions(.vici)

    /// Whether a view that reads something would be drawn anew for a change.
    private func isTold(
        of read: @MainActor (AuthViewModel) -> some Any, in model: AuthViewModel,
        by change: @MainActor (AuthViewModel) async -> Void
    ) async -> Bool {
        let told = Told()
        withObservationTracking {
            _ = read(model)
        } onChange: {
            told.flag.store(true, ordering: .relaxed)
        }
        await change(model)
        return told.flag.load(ordering: .relaxed)
    }

    private final class Told: Sendable { let flag = Atomic(false) }

    @Test func `views are told what is typed, and what that means for the button`() async {
        let model = AuthViewModel.scripted(actions)
        #expect(await isTold(of: { $0.fields.identifier }, in: model) { $0.fields.identifier = "ada@example.com" })
        #expect(await isTold(of: { $0.canSubmit(.signIn) }, in: model) { $0.fields.password = "x" })
    }

    @Test func `views are told that an action begins and that it ends`() async throws {
        let point = actions.hold("signIn")
        let model = AuthViewModel.scripted(actions)
        model.type(identifier: "ada@example.com")
        #expect(await isTold(of: { $0.isBusy(.signIn) }, in: model) { $0.signIn() })
        let ended = await isTold(of: { $0.isLoading }, in: model) {
            let task = $0.signIn()
            point.open()
            await task?.value
        }
        #expect(ended)
    }

    @Test func `views are told of an error, and of its end`() async {
        actions.refuse("signIn", .offline)
        let model = AuthViewModel.scripted(actions)
        model.type(identifier: "ada@example.com")
        #expect(await isTold(of: { $0.error }, in: model) { await $0.signIn()?.value })
        #expect(await isTold(of: { $0.error?.text }, in: model) { $0.dismissError() })
    }

    @Test func `views are told of a message that a field has from now on`() async throws {
        let model = AuthViewModel.scripted(actions)
        let field = try model.field(.identifier, of: .signIn)
        #expect(await isTold(of: { $0.message(for: field) }, in: model) { $0.leave(.identifier) })
    }

    @Test func `views are told who is signed in, by the client's own doing`() async {
        let model = AuthViewModel.scripted(actions)
        let told = await isTold(of: { $0.user?.id }, in: model) {
            actions.enter(.signedIn(.sample("one"), verified: false))
            await $0.until { $0.isSignedIn }
        }
        #expect(told)
    }

    @Test func `views that read something else are left alone`() async {
        let model = AuthViewModel.scripted(actions)
        #expect(!(await isTold(of: { $0.sessions }, in: model) { $0.fields.identifier = "ada@example.com" }))
        #expect(!(await isTold(of: { $0.error }, in: model) { await $0.loadAccounts().value }))
    }

    @Test func `forgets a client that goes on telling`() async {
        var model: AuthViewModel? = AuthViewModel.scripted(actions)
        let dropped = { [weak model] in model }
        await model?.until { $0.state == .signedOut(.notSignedIn) }
        model = nil
        #expect(dropped() == nil)
        actions.enter(.unknown)
    }
}
