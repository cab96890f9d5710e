import OstiaryClient
import OstiaryCore

extension AuthViewModel {
    /// Begins an action. If the action itself, or one that excludes it, is running, its task is returned instead.
    ///
    /// - Parameters:
    ///   - retrying: The action for ``retry()``.
    ///   - ask: Captures the input at the start but not the model, so that a model without views can be deallocated
    ///     meanwhile.
    ///   - take: Applies the answer. Runs only if the action has not been abandoned.
    @discardableResult
    func begin<Answer: Sendable>(
        _ action: AuthAction, retrying: (@MainActor (AuthViewModel) -> Task<Void, Never>?)?,
        ask: @escaping @Sendable () async throws(ClientError) -> Answer,
        take: @escaping @MainActor (AuthViewModel, Answer) -> Void
    ) -> Task<Void, Never> {
        if let other = running.first(where: { $0.key.excludes(action) }) { return other.value.held.task }
        startedCount += 1
        let number = startedCount
        if action.isAsked {
            error = nil
            self.retryAction = retrying
        }
        // What the person asked of the account may require a recent authentication.
        let prompt = action.isEntering || action.isStepUp || !action.isAsked ? nil : stepUpPrompt
        let task = Task { [weak self] in
            let result = await Self.result(of: ask, asking: prompt)
            // An abandoned action, perhaps restarted since, discards its result.
            guard let self, self.running[action]?.number == number else { return }
            self.running[action] = nil
            switch result {
            case .success(let answer): take(self, answer)
            case .failure(let failure):
                // An answer to a step-up may have begun since.
                if action.isAsked { self.retryAction = retrying }
                self.fail(action, failure)
            }
        }
        running[action] = RunningAction(number: number, held: AutoCancellingTask(task))
        return task
    }

    private nonisolated static func result<Answer: Sendable>(
        of ask: @Sendable () async throws(ClientError) -> Answer, asking prompt: StepUpPrompt?
    ) async -> Result<Answer, ClientError> {
        do throws(ClientError) {
            guard let prompt else { return .success(try await ask()) }
            return .success(try await steppingUp(asking: prompt, ask))
        } catch { return .failure(error) }
    }

    private func fail(_ action: AuthAction, _ failure: ClientError) {
        switch failure {
        case .cancelled, .cancelledByUser: return
        // The session has ended, which the state reports.
        case .notSignedIn where action == .unlock: return
        case .refused(.challengeRequired(let challenge)):
            (self.challenge, chosenMethod) = (challenge, nil)
            step = .challenge(challenge.name)
            fields.forgetSecrets()
            fields.rememberDevice = false
            let canAnswer = mustAddFactor ? !addableFactors.isEmpty : challengeForm != nil || !challengeMethods.isEmpty
            if !canAnswer { show(failure, of: action) }
            return
        case .refused(.confirmationRequired):
            step = .confirmationSent
            fields.forgetSecrets()
            return
        default: break
        }
        if action.isStepUp, takeStepUpFailure(failure) { return }
        takeFactorFailure(action, failure)
        guard action.isAsked else { return }
        show(failure, of: action)
        // The provider no longer accepts an answer to this step.
        let isAnswer = action == .form(.answerChallenge) || action == .passkey || action == .challengeCode
        if isAnswer || mustAddFactor, failure == .refused(.challengeRefused) {
            (step, challenge, chosenMethod, pendingTOTP) = (.start, nil, nil, nil)
        }
        let sendsCode = action == .form(.requestCode) || action == .challengeCode || action == .stepUpCode
        if sendsCode, let wait = failure.wait(at: options.system.now()) {
            countDown(from: wait)
        }
    }

    private func show(_ failure: ClientError, of action: AuthAction) {
        let shown = shown(failure, of: action)
        // Definitively refused input is discarded. Input that may be sent again unchanged, or after a correction in
        // another field, is kept.
        switch shown.entry {
        case .password?: fields.password = ""
        case .newPassword?: fields.newPassword = ""
        case .code?:
            fields.code = ""
            if step == .codeVerified { step = .codeSent }
        case .recoveryCode?: fields.recoveryCode = ""
        case .resetToken?: fields.resetToken = ""
        case .registrationToken?: fields.registrationToken = ""
        case .identifier?, .email?, .name?, .factorName?, .rememberMe?, .rememberDevice?: break
        case nil: if !shown.canRetry { fields.forgetSecrets() }
        }
        // Fields that were emptied here are not reported as missing.
        visitedEntries.formIntersection(AuthFields.Entry.allCases.filter { !fields[$0].isEmpty })
        error = shown
    }

    private func shown(_ failure: ClientError, of action: AuthAction) -> ShownError {
        ShownError(
            failure, of: action, challenge: action == .form(.stepUp) ? stepUpForm : challengeForm,
            isEntering: mustAddFactor ? true : nil, screens: screens, now: options.system.now(), texts: texts)
    }

    private func takeFactorFailure(_ action: AuthAction, _ failure: ClientError) {
        switch (action, failure) {
        // A server without second factors.
        case (.loadFactors, .refused(.notFound)), (.loadFactors, .unsupported): factors = nil
        case (.loadFactors, _): factorsError = shown(failure, of: action)
        case (.addTOTP, .refused(.notFound)): refusedFactors.insert(.totp)
        case (.addPasskey, .refused(.notFound)): refusedFactors.insert(.passkey)
        // The key has expired, or was confirmed on another device.
        case (.form(.confirmTOTP), .refused(.notFound)): discardTOTP()
        // Another device has removed it.
        case (.removeFactor, .refused(.notFound)), (.form(.renameFactor), .refused(.notFound)): reloadFactors()
        default: break
        }
    }

    /// Repeats the failed action with the current input.
    ///
    /// - Returns: `nil` if there is no error, or a retry cannot succeed.
    @discardableResult
    public func retry() -> Task<Void, Never>? {
        guard let error, error.canRetry else { return nil }
        return retryAction?(self)
    }

    /// Cancels the actions of the disappearing screens, and discards passwords and codes. Call it in `onDisappear`.
    public func abandon() {
        for action in running.keys where !action.outlivesItsScreen { abandon(action) }
        fields.forgetSecrets()
        visitedEntries = []
        retryAction = nil
        // No action is left to retry. The end of a session stays visible on every screen.
        if error?.canRetry == true { error = nil }
    }

    /// Cancels one action. A result that still arrives is discarded.
    public func abandon(_ action: AuthAction) { running[action] = nil }
}
