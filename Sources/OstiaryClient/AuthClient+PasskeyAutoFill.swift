import OstiaryCore

extension AuthClient {
    /// Has passkeys suggested while the person types, and waits until one is chosen: for a sign-in screen. End it by
    /// cancelling its task.
    ///
    /// The server's challenge is replaced before it expires, as long as the person chooses nothing.
    ///
    /// - Returns: The passkey for ``signIn(with:rememberMe:)``.
    /// - Throws: ``ClientError/cancelled`` if the task is cancelled, or another request for a passkey begins;
    ///   ``ClientError/refused(_:)`` with `AuthError.notFound` for an app without passkeys; the failure of the request.
    public func suggestedPasskey(
        from provider: any PasskeyAutoFillProvider
    ) async throws(ClientError) -> ChosenPasskey {
        while true {
            let options = try await perform(BeginPasskeySignIn())
            let assertionOptions = try options.assertion
            if let assertion = try await assertion(for: assertionOptions, from: provider, within: Self.suggestionTime) {
                return ChosenPasskey(token: options.token ?? Secret(""), assertion: assertion)
            }
        }
    }

    /// The time after which a challenge is replaced: a challenge lives for 300 seconds, of which the person needs some.
    private static let suggestionTime: Duration = .seconds(240)

    private enum Suggestion: Sendable {
        case answered(Result<PasskeyAssertion, ClientError>)
        case timeIsOver
    }

    /// - Returns: The assertion; `nil` if none was chosen in the time.
    private func assertion(
        for options: PasskeyAssertionOptions, from provider: any PasskeyAutoFillProvider, within time: Duration
    ) async throws(ClientError) -> PasskeyAssertion? {
        let sleep = self.options.system.sleep
        let answer = await withTaskGroup(of: Suggestion.self) { group -> Result<PasskeyAssertion, ClientError>? in
            group.addTask {
                do throws(ClientError) {
                    return .answered(.success(try await provider.assertSuggested(options)))
                } catch {
                    return .answered(.failure(error))
                }
            }
            group.addTask {
                try? await sleep(time)
                return .timeIsOver
            }
            let first = await group.next()
            group.cancelAll()
            if case .answered(let result)? = first { return result }
            // A choice at the last moment counts: the challenge is still good.
            guard case .answered(.success(let assertion))? = await group.next() else { return nil }
            return .success(assertion)
        }
        guard let answer else {
            if Task.isCancelled { throw .cancelled }
            return nil
        }
        return try answer.get()
    }
}
