public import Foundation
public import OstiaryCore

/// Where what was begun waits to be finished once: sign-ins in a browser, authorization codes, ID tokens and nonces already seen.
///
/// In the store rather than in memory, so that what one node began another finishes.
public protocol TicketStore: Sendable {
    /// Keeps a ticket.
    ///
    /// - Throws: ``StoreRefusal/alreadySpent`` if there is, or was until it expired, one of the same app, kind and hash.
    func add(_ ticket: Ticket) async throws

    /// Counts a ticket that anyone can ask for against every bucket and keeps it, in one commit, or none of it if a bucket
    /// refuses.
    ///
    /// - Parameter ticket: One whose hash nothing had before.
    /// - Returns: Nil if it is kept; else which bucket makes it wait longest.
    func add(_ ticket: Ticket, within buckets: [AttemptBucket], at now: Date) async throws -> AttemptRefusal?

    /// An unspent ticket that is live at `now`. Decides nothing: spending does.
    func ticket(_ kind: Ticket.Kind, _ hash: [UInt8], in app: AppName, at now: Date) async throws -> Ticket?

    /// Spends a ticket by one conditional write, and keeps another in its place in the same transaction.
    ///
    /// - Parameters:
    ///   - session: The session that is going to be opened for it, so that a second use can end it.
    ///   - successor: What is kept if the spending succeeds.
    func spend(
        _ kind: Ticket.Kind, _ hash: [UInt8], in app: AppName, at now: Date, for session: SessionID?,
        keeping successor: Ticket?
    ) async throws -> Spending
}

/// Something that can be finished once, until it expires.
public struct Ticket: Hashable, Sendable {
    public var app: AppName
    public var kind: Kind
    /// A keyed hash of the secret that whoever finishes it shows.
    public var hash: [UInt8]
    /// What has to be known then. Holds nothing that would help a reader of the store to finish it.
    public var payload: [UInt8]
    public var expiresAt: Date

    /// Kept in the store by raw value.
    public enum Kind: String, Sendable {
        /// A social sign-in whose browser has not been seen yet.
        case browserStart = "browser_start"
        /// A sign-in at an identity provider that the browser has not come back from.
        case browserSignIn = "browser_sign_in"
        /// The same, come back with an authorization code.
        case browserReturn = "browser_return"
        /// The code that a sign-in was finished with whose browser the provider sent straight to the app. Never spent.
        case browserCode = "browser_code"
        /// An ID token that was exchanged for a session.
        case identityToken = "identity_token"
        /// An authorization code of the built-in provider.
        case authorizationCode = "authorization_code"
        /// The nonce of a signed request.
        case requestNonce = "request_nonce"
    }

    public init(app: AppName, kind: Kind, hash: [UInt8], payload: [UInt8], expiresAt: Date) {
        self.app = app
        self.kind = kind
        self.hash = hash
        self.payload = payload
        self.expiresAt = expiresAt
    }
}

/// What became of a ticket that was presented.
public enum Spending: Hashable, Sendable {
    /// It was live, and is spent now.
    case spent(Ticket)
    /// It was spent before, for this session; a second use is a sign of theft.
    case replayed(Ticket, session: SessionID?)
    /// There is none, or it has expired.
    case unknown
}
