public import Foundation
public import OstiaryContracts
public import OstiaryCore

/// A request of the app's own that waits until it can be sent.
public struct QueuedRequest: Hashable, Sendable, Identifiable {
    /// Tells one request from every other, and goes along with each try of it as its `Idempotency-Key`.
    public struct ID: Hashable, Sendable {
        public let uuid: UUID
        public init(_ uuid: UUID = UUID()) { self.uuid = uuid }
        /// In lower case.
        public var text: String { uuid.uuidString.lowercased() }
    }

    public let id: ID
    public let owner: QueueOwner
    /// Without its authorization, which is the owner's at the time it is sent.
    public let request: WireRequest
    public let queuedAt: Date

    /// Times are cut to whole seconds, as they are stored.
    public init(id: ID, owner: QueueOwner, request: WireRequest, queuedAt: Date) {
        self.id = id
        self.owner = owner
        self.request = request
        self.queuedAt = queuedAt.wholeSeconds
    }

    /// What it counts for in a queue that is bounded in bytes.
    var bytes: Int {
        request.headers.reduce(request.method.utf8.count + request.path.utf8.count + request.query.utf8.count) {
            $0 + $1.key.utf8.count + $1.value.utf8.count
        } + request.body.count
    }

    static let keyHeader = "idempotency-key"

    /// The request as it is sent.
    ///
    /// The key is the same at every try: a server that heeds it does what it asks once, even if the first answer was lost.
    /// It is sent bare, as servers commonly expect; the draft has it as a quoted string.
    ///
    /// Source: draft-ietf-httpapi-idempotency-key-header-07 §2.1.
    var keyed: WireRequest {
        var request = request
        request.headers[Self.keyHeader] = id.text
        return request
    }
}

/// Whom a queued request is for: somebody on one server. It is never sent as anybody else, nor anywhere else.
public struct QueueOwner: Hashable, Sendable {
    public enum Person: Hashable, Sendable {
        case account(AccountID)
        /// Where the server has not told which account it is, the sign-in stands for it.
        case session(ClientSession.ID)
    }

    /// The name of the contract its server speaks.
    public let contract: String
    public let baseURL: BaseURL
    public let person: Person

    public init(contract: String, baseURL: BaseURL, person: Person) {
        self.contract = contract
        self.baseURL = baseURL
        self.person = person
    }

    public init(_ session: ClientSession) {
        self.init(
            contract: session.contract, baseURL: session.baseURL,
            person: session.accountID.map { .account($0) } ?? .session(session.id))
    }
}

/// How a queued request ended.
public enum QueueOutcome: Hashable, Sendable {
    /// The server did it, with this answer.
    case sent(WireResponse)
    /// It will never succeed: what the server answered, if it did, and why.
    case dropped(WireResponse?, FailureCode)
}

// What people write is for nobody who reads a log.

extension QueuedRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "<queued \(request.method) \(id.text)>" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
