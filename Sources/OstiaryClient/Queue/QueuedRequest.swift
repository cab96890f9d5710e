public import Foundation
public import OstiaryContracts
public import OstiaryCore

/// A request of the app's own that waits until it can be sent.
public struct QueuedRequest: Hashable, Sendable, Identifiable {
    /// The unique identifier of a request, sent with each attempt as its `Idempotency-Key`.
    public struct ID: Hashable, Sendable {
        /// The identifier as a UUID.
        public let uuid: UUID
        /// Creates an identifier, by default a random one.
        public init(_ uuid: UUID = UUID()) { self.uuid = uuid }
        /// The UUID in lower case, as sent in the header.
        public var text: String { uuid.uuidString.lowercased() }
    }

    /// The identifier, which is also the idempotency key.
    public let id: ID
    /// The user and server that the request is for.
    public let owner: QueueOwner
    /// The request without authorization, which is added from the owner's session when it is sent.
    public let request: WireRequest
    /// The time at which it was queued, in whole seconds.
    public let queuedAt: Date

    /// Creates a queued request from its parts. The time is truncated to whole seconds, as it is stored.
    public init(id: ID, owner: QueueOwner, request: WireRequest, queuedAt: Date) {
        self.id = id
        self.owner = owner
        self.request = request
        self.queuedAt = queuedAt.wholeSeconds
    }

    /// The size that counts towards ``QueueLimits/bytes``.
    var bytes: Int {
        request.headers.reduce(request.method.utf8.count + request.path.utf8.count + request.query.utf8.count) {
            $0 + $1.key.utf8.count + $1.value.utf8.count
        } + request.body.count
    }

    static let keyHeader = "idempotency-key"

    /// The request as it is sent, with its idempotency key.
    ///
    /// The key is the same in every attempt: a server that honours it executes the request once, even if the first
    /// answer was lost. It is sent without quotes, as servers commonly expect; the draft defines a quoted string.
    ///
    /// Source: draft-ietf-httpapi-idempotency-key-header-07 §2.1.
    var keyed: WireRequest {
        var request = request
        request.headers[Self.keyHeader] = id.text
        return request
    }
}

/// The owner of a queued request: a user on one server. The request is never sent as another user, nor to another
/// server.
public struct QueueOwner: Hashable, Sendable {
    /// The identification of the user.
    public enum Person: Hashable, Sendable {
        /// The account, if the server has named it.
        case account(AccountID)
        /// The sign-in, if the server has not named the account.
        case session(ClientSession.ID)
    }

    /// The name of the contract that the server implements.
    public let contract: String
    /// The base URL of the server.
    public let baseURL: BaseURL
    /// The user on that server.
    public let person: Person

    /// Creates an owner from its parts.
    public init(contract: String, baseURL: BaseURL, person: Person) {
        self.contract = contract
        self.baseURL = baseURL
        self.person = person
    }

    /// Creates the owner of a session: its account if known, else the session itself.
    public init(_ session: ClientSession) {
        self.init(
            contract: session.contract, baseURL: session.baseURL,
            person: session.accountID.map { .account($0) } ?? .session(session.id))
    }
}

/// The final outcome of a queued request.
public enum QueueOutcome: Hashable, Sendable {
    /// The server executed the request, with this answer.
    case sent(WireResponse)
    /// The request can never succeed: the server's answer, if there was one, and the reason.
    case dropped(WireResponse?, FailureCode)
}

// The content of requests must not appear in logs.

extension QueuedRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method and the id, without path, headers or body.
    public var description: String { "<queued \(request.method) \(id.text)>" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
