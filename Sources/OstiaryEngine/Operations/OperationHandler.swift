import Foundation
import OstiaryCore

/// An operation that the engine performs. Every ``OstiaryCore/AuthOperation`` conforms, beside its handler.
protocol EngineOperation: AuthOperation {
    associatedtype Handler: OperationHandler where Handler.Answer == Answer
    /// The handler that performs the operation.
    var handler: Handler { get }
    /// Performs the operation. A requirement, so that each operation has code of its own: through the existential alone,
    /// the whole pipeline would be generic at run time.
    func run(in engine: AuthEngine) async throws(AuthError) -> Answer
}

extension EngineOperation {
    func run(in engine: AuthEngine) async throws(AuthError) -> Answer {
        try await engine.run(handler, needsAppAssertion: Self.description.needsAppAssertion)
    }
}

/// The operation-specific part of a request. ``AuthEngine/run(_:)`` performs all that operations share.
protocol OperationHandler: Sendable {
    associatedtype Answer: Sendable
    static var action: OperationKind { get }
    /// The operation's name in the audit log.
    static var name: String { get }
    /// The identifier whose account is tried, known or not; `nil` where the secret presented names no account.
    var identifier: Identifier? { get }
    /// The counters that the attempt is counted against, besides the caller's network.
    var attempts: Attempts { get }
    /// The outcomes that are written to the audit log.
    static var auditing: Auditing { get }
    /// The attribution of an attempt whose outcome names none: one that was refused before its own was known.
    func attribution(in engine: AuthEngine) -> AttemptAttribution
    func perform(in engine: AuthEngine) async throws -> Outcome<Answer>
}

extension OperationHandler {
    static var name: String { action.rawValue }
    static var auditing: Auditing { action.description.auditing }
    var identifier: Identifier? { nil }
    var attempts: Attempts { Attempts(kind: Self.action.description.attempts, identifier: identifier) }
    func attribution(in engine: AuthEngine) -> AttemptAttribution { AttemptAttribution() }
}

typealias Auditing = OperationDescription.Auditing

struct Attempts: Sendable {
    var kind: AttemptKind
    /// The identifier whose account is tried, known or not; `nil` where the secret presented names no account.
    var identifier: Identifier?
    /// The password that is tried; `nil` for an operation without one.
    var password: Secret<String>?
}

/// An answer, with the account and session that it concerns.
struct Outcome<Answer: Sendable>: Sendable {
    var answer: Answer
    var account: AccountID?
    var session: SessionID?
    /// The administrator who acts in the session; nil for its owner.
    var actor: String?
    /// `nil` for that of the handler.
    var attribution: AttemptAttribution?

    init(
        _ answer: Answer, account: AccountID? = nil, session: SessionID? = nil, actor: String? = nil,
        attribution: AttemptAttribution? = nil
    ) {
        self.answer = answer
        self.account = account
        self.session = session
        self.actor = actor
        self.attribution = attribution
    }
}

/// A refusal of an identified caller, so the audit log can name the account.
struct Refused: Error {
    var refusal: AuthError
    var account: AccountID?
    var session: SessionID?
    /// The administrator who acts in the session; nil for its owner.
    var actor: String?
    /// `nil` for that of the handler.
    var attribution: AttemptAttribution?

    init(
        _ refusal: AuthError, account: AccountID? = nil, session: SessionID? = nil, actor: String? = nil,
        attribution: AttemptAttribution? = nil
    ) {
        self.refusal = refusal
        self.account = account
        self.session = session
        self.actor = actor
        self.attribution = attribution
    }
}
