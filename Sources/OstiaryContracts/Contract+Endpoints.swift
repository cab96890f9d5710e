public import OstiaryCore

extension Contract {
    /// Returns the endpoint of an operation: as the contract specifies it, and for the rest derived from its rules.
    ///
    /// - Returns: Nil for an operation that the app does not have.
    public func endpoint(for kind: OperationKind) -> Endpoint? {
        guard !without.contains(kind) else { return nil }
        let description = kind.description
        guard var endpoint = endpoints[kind] ?? description.endpoint(rules) else { return nil }
        endpoint.takes = endpoint.takes ?? description.takes(rules)
        let answer = endpoint.answers ?? answer(description.answers(rules))
        endpoint.answers = answer
        endpoint.status = endpoint.status ?? description.status ?? status(of: answer)
        return endpoint
    }

    /// All operations of the app with their endpoints, in the order of ``OstiaryCore/OperationKind``.
    public var operations: [(kind: OperationKind, endpoint: Endpoint)] {
        OperationKind.allCases.compactMap { kind in endpoint(for: kind).map { (kind, $0) } }
    }

    /// Returns the default status of a successful answer.
    private func status(of answer: AnswerShape) -> Int {
        switch answer {
        case .redirect: 302
        case .nothing: envelope == nil ? 204 : 200
        case .fields, .message: 200
        }
    }

    private func answer(_ answer: DefaultAnswer) -> AnswerShape {
        switch answer {
        case .shape(let shape): shape
        case .same(let kind, let shape): endpoints[kind]?.answers ?? shape
        case .user: .fields(user)
        }
    }

    /// Returns the fields of an answer that completes a sign-in, for an operation that can: those of ``AnswerChallenge``,
    /// with the recovery codes.
    func completedSignIn(by kind: OperationKind) -> [FieldSpec]? {
        guard kind.description.completesSignIn, case .fields(let uses) = endpoint(for: .answerChallenge)?.answers else {
            return nil
        }
        return uses + [.optional(.recoveryCodes)]
    }

    /// `true` if a password change answers with the tokens with which the session continues.
    public var answersPasswordChangeWithTokens: Bool {
        guard case .fields(let uses) = endpoint(for: .changePassword)?.answers else { return false }
        return uses.contains { $0.field == .accessToken }
    }
}
