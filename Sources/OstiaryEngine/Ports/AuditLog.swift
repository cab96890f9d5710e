public import Foundation
public import OstiaryCore

/// The record of operations, their callers and outcomes.
public protocol AuditLog: Sendable {
    /// Appends an event, in a commit of its own.
    func append(_ event: AuditEvent) async throws

    /// Returns events in the order in which they happened, beginning after `position`.
    ///
    /// - Parameters:
    ///   - app: The app whose events are returned; `nil` for all apps.
    ///   - since: The time of the earliest event returned; `nil` for no bound.
    /// - Returns: At most `limit` events, each with its position.
    func events(in app: AppName?, since: Date?, after position: Int?, limit: Int) async throws
        -> [(position: Int, event: AuditEvent)]

    /// Returns a page of the events that a query selects, in its order, beginning after `position`.
    ///
    /// - Returns: At most `limit` events, and the position of the last; the position is `nil` if there are no more.
    func events(_ query: AuditQuery, after position: AuditPosition?, limit: Int) async throws
        -> (page: [RecordedEvent], position: AuditPosition?)
}

/// One operation that was performed or refused. Holds no secret; people appear by id or masked identifier.
public struct AuditEvent: Hashable, Sendable {
    /// The time of the event.
    public var at: Date
    /// The app that the event belongs to.
    public var app: AppName
    /// The requested operation's name, or `cli.` and a command's.
    public var action: String
    /// `ok`, or the refusal's stable code.
    public var outcome: String
    /// The account concerned, if it is known.
    public var account: AccountID?
    /// The session concerned, if there is one.
    public var session: SessionID?
    /// The identifier that was signed in with, masked.
    public var identifier: String?
    /// The caller's IP address; `nil` for a command.
    public var address: String?
    /// The caller's `User-Agent`.
    public var userAgent: String?
    /// The administrator who acted: `cli:alice` for a command, `key:ID` for a service key, `account:ID` for the console; `nil`
    /// for the owner of the account.
    public var actor: String?
    /// The method by which the sign-in begins: `password`, `passkey`, the name of a provider, `recovery`, or `unknown`.
    /// `nil` for every event that is no attempt to sign in; the others are counted in the statistics.
    public var method: String?
    /// The second factor that was presented: an ``AuthenticationMethod``; `nil` for none.
    public var factor: String?
    /// `true` if the operation created the account.
    public var isNewAccount: Bool

    /// Further facts by their names, such as the reason of an impersonation. Each is at most 256 bytes.
    public private(set) var details: [String: String]

    /// The outcome of a success.
    public static let succeeded = "ok"
    /// The outcome of a sign-in that requires a further step.
    public static let pending = "challenge_required"

    /// Returns `true` for the outcome of a refused operation. A sign-in that waits for a further factor is not refused.
    public static func isRefusal(_ outcome: String) -> Bool { outcome != succeeded && outcome != pending }

    /// The maximum length of a detail, in bytes.
    static let maximumDetailBytes = 256

    /// Creates an event from its parts. Details that are too long are cut.
    public init(
        at: Date, app: AppName, action: String, outcome: String, account: AccountID? = nil, session: SessionID? = nil,
        identifier: String? = nil, address: String? = nil, userAgent: String? = nil, actor: String? = nil,
        method: String? = nil, factor: String? = nil, isNewAccount: Bool = false,
        details: [String: String] = [:]
    ) {
        self.at = at
        self.app = app
        self.action = action
        self.outcome = outcome
        self.account = account
        self.session = session
        self.identifier = identifier
        self.address = address
        self.userAgent = userAgent
        self.actor = actor
        self.method = method
        self.factor = factor
        self.isNewAccount = isNewAccount
        self.details = details.mapValues(Self.cut)
    }

    /// `true` if the details are those of an assessment of the risk of a sign-in.
    var isAssessed: Bool {
        details[RiskAssessment.Detail.signals] != nil || details[RiskAssessment.Detail.country] != nil
    }

    mutating func removeDetails() { details = [:] }

    private static func cut(_ text: String) -> String {
        guard text.utf8.count > maximumDetailBytes else { return text }
        var kept = String.UnicodeScalarView()
        var bytes = 0
        for scalar in text.unicodeScalars {
            bytes += UTF8.width(scalar)
            guard bytes <= maximumDetailBytes else { break }
            kept.append(scalar)
        }
        return String(kept)
    }
}
