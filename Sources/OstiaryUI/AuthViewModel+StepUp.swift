import OstiaryClient
public import OstiaryCore

/// The content of the sheet for second factors.
enum FactorSheetContent: Hashable { case stepUp, recoveryCodes }

/// The answers to a step-up. An action that requires one waits for them, and is repeated afterwards.
extension AuthViewModel {
    /// `true` while the person is asked to authenticate again.
    public var asksForStepUp: Bool { stepUpPrompt.requirement != nil }

    private var stepUpChallenge: Challenge? { stepUpPrompt.requirement?.challenge }

    /// The methods by which the person can answer the step-up here, in the server's order.
    public var stepUpMethods: [ChallengeMethod] { stepUpChallenge.map { supported($0.methods) } ?? [] }

    /// The current one of ``stepUpMethods``: the one that was chosen, or the first.
    public var stepUpMethod: ChallengeMethod? {
        let methods = stepUpMethods
        return methods.first { $0 == chosenStepUpMethod } ?? methods.first
    }

    /// The form for the current method of the step-up; `nil` for a method without a form.
    public var stepUpForm: ChallengeForm? {
        guard let stepUpChallenge, let stepUpMethod, stepUpMethod != .passkey else { return nil }
        return ChallengeForm(stepUpChallenge, method: stepUpMethod)
    }

    /// `true` if the code of the current method is sent by the server.
    public var sendsStepUpCode: Bool { stepUpMethod.map(ChallengeForm.sentMethods.contains) ?? false }

    /// Chooses another one of ``stepUpMethods``, and sends its code if it has one.
    ///
    /// - Returns: The sending of the code; `nil` if none is sent.
    @discardableResult
    public func chooseStepUpMethod(_ method: ChallengeMethod) -> Task<Void, Never>? {
        chosenStepUpMethod = method
        fields.forgetSecrets()
        error = nil
        return sendStepUpCode()
    }

    /// Sends the code of the current method, for the first time or again.
    ///
    /// - Returns: `nil` if the method has none, or ``resendSeconds`` is not 0 yet.
    @discardableResult
    public func sendStepUpCode() -> Task<Void, Never>? {
        guard let challenge = stepUpChallenge, let method = stepUpMethod, sendsStepUpCode, resendSeconds == 0 else {
            return nil
        }
        return begin(.stepUpCode, retrying: { $0.sendStepUpCode() }) { [auth] () async throws(ClientError) in
            try await auth.sendCode(by: method, for: challenge)
        } take: { model, _ in
            model.countDown(from: model.options.codeCooldown)
        }
    }

    /// Answers the step-up with the typed password or code.
    ///
    /// - Returns: `nil` if the field is missing or invalid.
    @discardableResult
    public func answerStepUp() -> Task<Void, Never>? {
        guard let challenge = stepUpChallenge, let form = stepUpForm, let typed = filled(.stepUp) else { return nil }
        let answer = [ChallengeMethod(rawValue: form.answerName): typed.text(of: form.field.entry)]
        return begin(.form(.stepUp), retrying: { $0.answerStepUp() }) { [auth] () async throws(ClientError) in
            try await auth.answerStepUp(challenge, with: answer)
        } take: { model, _ in
            model.endStepUp(.success(()))
        }
    }

    /// Answers the step-up with a passkey.
    ///
    /// - Returns: `nil` if it cannot be answered with a passkey here.
    @discardableResult
    public func answerStepUpWithPasskey() -> Task<Void, Never>? {
        guard let challenge = stepUpChallenge, let passkeys = options.passkeys, stepUpMethods.contains(.passkey) else {
            return nil
        }
        return begin(.stepUpPasskey, retrying: { $0.answerStepUpWithPasskey() }) {
            [auth] () async throws(ClientError) in
            try await auth.answerStepUp(challenge, withPasskeyFrom: passkeys)
        } take: { model, _ in
            model.endStepUp(.success(()))
        }
    }

    /// Ends the step-up without an answer. The action that required it ends without an error.
    public func cancelStepUp() {
        for action in running.keys where action.isStepUp { abandon(action) }
        dismissError()
        endStepUp(.failure(.cancelledByUser))
    }

    func endStepUp(_ result: Result<Void, ClientError>) { stepUpPrompt.end(result) }

    /// Keeps the input of the screen below apart from the answers: a form may be waiting there.
    func separateStepUpInput() {
        let prompt = stepUpPrompt
        prompt.willAsk = { [weak self] in
            guard let self else { return }
            fieldsBelowStepUp = fields
            fields.forgetSecrets()
            (visitedEntries, chosenStepUpMethod) = ([], nil)
        }
        prompt.didEnd = { [weak self] in
            guard let self else { return }
            fields = fieldsBelowStepUp ?? fields
            (fieldsBelowStepUp, visitedEntries, chosenStepUpMethod) = (nil, [], nil)
            endCountdown()
        }
    }

    /// Takes the failure of an answer to the step-up.
    ///
    /// - Returns: `true` if nothing is to be shown.
    func takeStepUpFailure(_ failure: ClientError) -> Bool {
        switch failure {
        // The answer was right, and another factor is missing.
        case .refused(.stepUpRequired(let next)) where next.challenge != nil:
            fields.forgetSecrets()
            chosenStepUpMethod = nil
            visitedEntries = []
            stepUpPrompt.requirement = next
            return true
        // The action that required it fails with this, and can be repeated.
        case .refused(.challengeRefused), .refused(.stepUpRequired):
            endStepUp(.failure(failure))
            return true
        default: return false
        }
    }

    /// The content of the sheet; `nil` for none. A lock hides it, and keeps the question and the codes.
    var factorSheet: FactorSheetContent? {
        guard state != .locked else { return nil }
        return asksForStepUp ? .stepUp : recoveryCodes == nil ? nil : .recoveryCodes
    }

    /// Returns the content of the sheet that a view presents now; `nil` if it presents none, or another view is on top.
    func factorSheet(over presenter: String) -> FactorSheetContent? {
        guard stepUpPrompt.presenters.last == presenter else { return nil }
        return factorSheet
    }

    /// Returns the methods that can be used here, in the same order.
    func supported(_ methods: [ChallengeMethod]) -> [ChallengeMethod] {
        methods.filter { $0 == .passkey ? options.passkeys != nil : ChallengeForm.fields[$0] != nil }
    }

    /// Performs an action of the account. If the server requires a step-up, asks the person and performs it once more.
    nonisolated static func steppingUp<Answer: Sendable>(
        asking prompt: StepUpPrompt, _ ask: @Sendable () async throws(ClientError) -> Answer
    ) async throws(ClientError) -> Answer {
        var isRaised = false
        while true {
            do {
                return try await ask()
            } catch .refused(.stepUpRequired(let requirement)) where !isRaised {
                isRaised = try await prompt.ask(requirement)
            }
        }
    }
}
