import Foundation
import OstiaryCore

/// The rows of a ``MemoryStore``. Times are those that a database would give back, in whole milliseconds.
struct MemoryTables: Sendable {
    /// Accounts, by app.
    var apps: [AppName: AccountTable] = [:]
    var sessions: [SessionID: SessionRow] = [:]
    var codes: [RecipientKey: PendingCode] = [:]
    var resetTokens: [RecipientKey: PendingReset] = [:]
    var tickets: [TicketKey: TicketRow] = [:]
    var attempts: [String: AttemptRecord] = [:]
    /// When each network of a subject is forgotten.
    var knownNetworks: [[UInt8]: [[UInt8]: Date]] = [:]
    /// In the order of their positions.
    var events: [(position: Int, event: AuditEvent)] = []
    var messages: [String: MessageRow] = [:]
    /// In the order in which they were added.
    var signingKeys: [StoredSigningKey] = []
    private var lastNumber = 0

    /// A number greater than those before it: the order in which rows were added.
    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }
}

/// The accounts of one app, with what is unique among them. Texts that are compared byte for byte are kept as bytes: two
/// strings with canonically equivalent characters are equal in Swift.
struct AccountTable: Sendable {
    struct Row: Sendable {
        var account: Account
        let number: Int
        /// In the order in which they were added.
        var sessions: [SessionID] = []
    }

    struct ProviderKey: Hashable, Sendable {
        /// The issuer, or the kind of an imported account that has none.
        var source: [UInt8]
        var subject: [UInt8]

        init(_ source: String, _ subject: String) {
            self.source = Array(source.utf8)
            self.subject = Array(subject.utf8)
        }
    }

    var rows: [AccountID: Row] = [:]
    /// In the order in which they were added.
    var order: [AccountID] = []
    /// The greatest integer among the ids.
    var lastIntegerID: Int64 = 0
    /// What signs in where a username is asked for.
    var names: [[UInt8]: AccountID] = [:]
    var phoneNumbers: [String: AccountID] = [:]
    /// By issuer and subject.
    var identities: [ProviderKey: AccountID] = [:]
    /// By kind and subject: accounts of a provider that have no issuer yet.
    var imported: [ProviderKey: AccountID] = [:]

    func owner(ofName name: String) -> AccountID? { names[Array(name.utf8)] }
}

struct SessionRow: Sendable {
    var session: Session
    let number: Int
    /// Of the current generation; those before are in ``uses``.
    var firstUsedAt: Date?
    /// When each earlier generation was first used, until it is forgotten.
    var uses: [Int: Date] = [:]
    var attachment: SessionAttachment?
    var signingKeyIssuedAt: Date?
}

struct RecipientKey: Hashable, Sendable {
    var app: AppName
    var recipient: [UInt8]
}

struct TicketKey: Hashable, Sendable {
    var app: AppName
    var kind: Ticket.Kind
    var hash: [UInt8]
}

struct TicketRow: Sendable {
    var ticket: Ticket
    var isSpent = false
    /// What it was spent for.
    var session: SessionID?
}

struct MessageRow: Sendable {
    var message: QueuedMessage
    let number: Int
    var dueAt: Date
}
