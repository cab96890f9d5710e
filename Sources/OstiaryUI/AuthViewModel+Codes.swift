import OstiaryClient
import OstiaryCore

extension AuthViewModel {
    /// Sends a one-time code to the typed phone number, for the first time or again.
    ///
    /// - Returns: `nil` if there is no valid number, or ``resendSeconds`` is not 0 yet.
    @discardableResult
    public func requestCode() -> Task<Void, Never>? {
        guard let typed = filled(.requestCode), resendSeconds == 0 else { return nil }
        return begin(.form(.requestCode), retrying: { $0.requestCode() }) { [auth] () async throws(ClientError) in
            try await auth.requestCode(for: typed.identifier)
        } take: { model, code in
            model.code = code
            model.fields.code = ""
            model.visitedEntries.remove(.code)
            model.step = .codeSent
            model.countDown(from: model.options.codeCooldown)
        }
    }

    /// Checks the typed code without spending it; registering spends it.
    ///
    /// - Returns: `nil` if no code was sent, or the typed one is malformed.
    @discardableResult
    public func verifyCode() -> Task<Void, Never>? {
        guard let code, let typed = filled(.verifyCode) else { return nil }
        return begin(.form(.verifyCode), retrying: { $0.verifyCode() }) { [auth] () async throws(ClientError) in
            try await auth.verify(code, digits: typed.code)
        } take: { model, _ in
            model.step = .codeVerified
            model.visitedEntries = []
        }
    }

    // MARK: The time until the next code

    /// Counts ``resendSeconds`` down to 0 by the elapsed time: a late tick subtracts more than one second.
    func countDown(from wait: Duration) {
        let system = options.system
        let end = system.uptime() + wait
        resendSeconds = (end - system.uptime()).wholeSecondsLeft
        let task = Task { [weak self] in
            while !Task.isCancelled {
                let left = (end - system.uptime()).wholeSecondsLeft
                self?.resendSeconds = left
                guard left > 0 else { return }
                do { try await system.sleep(.seconds(1)) } catch { return }
            }
        }
        countdown = AutoCancellingTask(task)
    }

    func endCountdown() {
        countdown = nil
        resendSeconds = 0
    }
}

extension Duration {
    /// The duration in whole seconds, rounded up; zero for a negative duration.
    fileprivate var wholeSecondsLeft: Int {
        let (seconds, rest) = components
        return max(0, Int(clamping: seconds) + (rest > 0 ? 1 : 0))
    }
}
