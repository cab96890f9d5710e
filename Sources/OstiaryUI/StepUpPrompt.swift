public import Observation
public import OstiaryClient
public import OstiaryCore

/// The question to authenticate again, which the screens show as a sheet where the server requires a step-up.
///
/// A view model uses it for the actions of its screens in any case. With this option of the client, the same sheet also
/// appears for the requests to the app's own API:
///
/// ```swift
/// var options = ClientOptions()
/// options.stepUpHandler = StepUpPrompt()
/// ```
@MainActor
@Observable
public final class StepUpPrompt: StepUpHandler {
    /// The requirement that the person is asked to satisfy; `nil` while nothing is asked.
    public internal(set) var requirement: StepUpRequirement?
    /// The views on the screen that can show sheets, the topmost last.
    private(set) var presenters: [String] = []
    @ObservationIgnored private var waiting: [Waiter] = []
    @ObservationIgnored private var lastWaiterID = 0
    /// The number of questions so far, by which code that was suspended recognizes the current one.
    @ObservationIgnored private var number = 0
    /// Runs before a question and after it, for the input of the screens.
    @ObservationIgnored var willAsk: @MainActor () -> Void = {}
    @ObservationIgnored var didEnd: @MainActor () -> Void = {}

    private struct Waiter {
        let id: Int
        let continuation: CheckedContinuation<Result<Void, ClientError>, Never>
    }

    /// Creates a prompt that asks nothing.
    public nonisolated init() {}

    /// Asks the person, and returns once the session has been raised.
    ///
    /// - Throws: `ClientError.cancelledByUser` if the person declines; `ClientError.refused` with the requirement if no screen
    ///   can ask, or only a new sign-in helps.
    public nonisolated func stepUp(
        _ requirement: StepUpRequirement, with client: AuthClient
    ) async throws(ClientError) {
        _ = try await ask(requirement)
    }

    /// Asks the person, or waits for the answer to a question that is on the screen. The question ends when the tasks of
    /// all actions that wait for it are cancelled.
    ///
    /// - Returns: `true` if this requirement was asked; `false` if another one was, which may have required less.
    func ask(_ requirement: StepUpRequirement) async throws(ClientError) -> Bool {
        guard requirement.challenge != nil, !presenters.isEmpty else { throw .refused(.stepUpRequired(requirement)) }
        let isOwn = self.requirement == nil
        if isOwn {
            number += 1
            willAsk()
            self.requirement = requirement
        }
        lastWaiterID += 1
        let id = lastWaiterID
        try await withTaskCancellationHandler {
            await withCheckedContinuation { waiting.append(Waiter(id: id, continuation: $0)) }
        } onCancel: {
            Task { @MainActor in self.cancel(id) }
        }.get()
        return isOwn
    }

    /// The number of actions that wait for the answer.
    var waitingCount: Int { waiting.count }

    /// Ends the question, if there is one.
    func end(_ result: Result<Void, ClientError>) {
        guard requirement != nil else { return }
        requirement = nil
        didEnd()
        let waiting = waiting
        self.waiting = []
        for waiter in waiting { waiter.continuation.resume(returning: result) }
    }

    /// Ends the waiting of one action, and the question if no other action waits for the answer.
    private func cancel(_ id: Int) {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return }
        let waiter = waiting.remove(at: index)
        if waiting.isEmpty { end(.failure(.cancelled)) }
        waiter.continuation.resume(returning: .failure(.cancelled))
    }

    /// Ends a question, unless it has ended already.
    private func end(_ result: Result<Void, ClientError>, _ number: Int) {
        if self.number == number { end(result) }
    }

    // MARK: Presenters

    /// Adds a view that can show the question. Without one, nothing is asked.
    func addPresenter(_ id: String) {
        removePresenter(id)
        presenters.append(id)
    }

    /// Removes a view. A question that no view is left for fails with the requirement.
    func removePresenter(_ id: String) {
        presenters.removeAll { $0 == id }
        guard presenters.isEmpty, let requirement else { return }
        // A view that takes the place of another may appear after it.
        Task { [number] in
            if presenters.isEmpty { end(.failure(.refused(.stepUpRequired(requirement))), number) }
        }
    }
}
