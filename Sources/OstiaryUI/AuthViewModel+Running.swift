import OstiaryClient
import OstiaryCore

extension AuthViewModel {
    /// Begins an action, unless it or one like it runs: then that one is returned.
    ///
    /// - Parameters:
    ///   - ask: Knows what was typed when it began, and nothing of the model: a model that nobody shows goes away meanwhile.
    ///   - take: Runs only if the action has not been abandoned.
    @discardableResult
    func begin<Answer: Sendable>(
        _ action: AuthAction, again: (@MainActor (AuthViewModel) -> Task<Void, Never>?)?,
        ask: @escaping @Sendable () async throws(ClientError) -> Answer,
        take: @escaping @MainActor (AuthViewModel, Answer) -> Void
    ) -> Task<Void, Never> {
        if let other = running.first(where: { $0.key.excludes(action) }) { return other.value.held.task }
        begun += 1
        let number = begun
        if action.isAsked {
            error = nil
            self.again = again
        }
        let task = Task { [weak self] in
            let result = await Self.result(of: ask)
            // Abandoned, and perhaps begun anew: what this one brings is nobody's any more.
            guard let self, self.running[action]?.number == number else { return }
            self.running[action] = nil
            switch result {
            case .success(let answer): take(self, answer)
            case .failure(let failure): self.fail(action, failure)
            }
        }
        running[action] = RunningAction(number: number, held: HeldTask(task))
        return task
    }

    private nonisolated static func result<Answer: Sendable>(
        of ask: @Sendable () async throws(ClientError) -> Answer
    ) async -> Result<Answer, ClientError> {
        do throws(ClientError) { return .success(try await ask()) } catch { return .failure(error) }
    }

    private func fail(_ action: AuthAction, _ failure: ClientError) {
        switch failure {
        case .cancelled, .cancelledByUser: return
        // The session is over, which is told where its end is heard of.
        case .notSignedIn where action == .unlock: return
        case .refused(.challengeRequired(let challenge)):
            self.challenge = challenge
            step = .challenge(challenge.name)
            fields.forgetSecrets()
            if challengeForm == nil { show(failure, of: action) }
            return
        case .refused(.confirmationRequired):
            step = .confirmationSent
            fields.forgetSecrets()
            return
        default: break
        }
        guard action.isAsked else { return }
        show(failure, of: action)
        // The provider waits for this answer no longer.
        if action == .answerChallenge, failure == .refused(.authorizationRefused) { (step, challenge) = (.start, nil) }
        if action == .requestCode, let wait = failure.wait(at: options.surroundings.now()) { countDown(from: wait) }
    }

    private func show(_ failure: ClientError, of action: AuthAction) {
        let shown = ShownError(failure, of: action, screens: screens, now: options.surroundings.now(), texts: texts)
        // What was refused for good is of no more use. What may be sent once more as it is, or with another field mended, is
        // not asked for twice.
        switch shown.entry {
        case .password?: fields.password = ""
        case .newPassword?: fields.newPassword = ""
        case .code?:
            fields.code = ""
            if step == .codeVerified { step = .codeSent }
        case .resetToken?: fields.resetToken = ""
        case .registrationToken?: fields.registrationToken = ""
        case .identifier?, .email?, .name?, .rememberMe?: break
        case nil: if !shown.canRetry { fields.forgetSecrets() }
        }
        // That it is empty now is not the person's doing.
        left.formIntersection(AuthFields.Entry.allCases.filter { !fields[$0].isEmpty })
        error = shown
    }

    /// Does once more what failed, with what is typed now.
    ///
    /// - Returns: Nil where trying again would not help.
    @discardableResult
    public func retry() -> Task<Void, Never>? {
        guard let error, error.canRetry else { return nil }
        return again?(self)
    }

    /// Ends what the screens began that are left now, and forgets passwords and codes. For `onDisappear`.
    public func abandon() {
        for action in running.keys where !action.outlivesItsScreen { abandon(action) }
        fields.forgetSecrets()
        left = []
        again = nil
        // Nothing is left to try again with. That a session has ended is told wherever the person is now.
        if error?.canRetry == true { error = nil }
    }

    /// Ends one action: its answer, if it still comes, changes nothing here.
    public func abandon(_ action: AuthAction) { running[action] = nil }
}
