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
    @ObservationIgnored private var waiting: [CheckedContinuation<Result<Void, ClientError>, Never>] = []
    @ObservationIgnored private var number = 0
    /// Runs before a question and after it, for the input of the screens.
    @ObservationIgnored var willAsk: @MainActor () -> Void = {}
    @ObservationIgnored var didEnd: @MainActor () -> Void = {}

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

    /// Asks the person, or waits for the answer to a question that is on the screen.
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
        let number = number
        try await withTaskCancellationHandler {
            await withCheckedContinuation { waiting.append($0) }
        } onCancel: {
            guard isOwn else { return }
            Task { @MainActor in self.end(.failure(.cancelled), number) }
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
        for continuation in waiting { continuation.resume(returning: result) }
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
