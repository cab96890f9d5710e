import Foundation
import OstiaryCore

/// The rows of a ``MemoryStore``. Times are rounded as in a database, to whole milliseconds.
struct MemoryTables: Sendable {
    /// The accounts, by app.
    var apps: [AppName: AccountTable] = [:]
    var sessions: [SessionID: SessionRow] = [:]
    var codes: [RecipientKey: PendingCode] = [:]
    var resetTokens: [RecipientKey: PendingReset] = [:]
    var singleUseRecords: [SingleUseRecordKey: SingleUseRecordRow] = [:]
    var attempts: [String: AttemptRecord] = [:]
    /// The time at which each network of a subject is forgotten.
    var knownNetworks: [[UInt8]: [[UInt8]: Date]] = [:]
    /// The audit events, in the order of their positions.
    var events: [(position: Int, event: AuditEvent)] = []
    var messages: [String: MessageRow] = [:]
    /// The messages that were sent or given up, by their ids.
    var messageRecords: [String: MessageRecord] = [:]
    /// The counts of the statistics, and the position in the audit log up to which events are counted.
    var statistics: [HourlyCount.Key: Int] = [:]
    var statisticsPosition = 0
    var activeAccounts: [ActivityKey: Int] = [:]
    /// The keys that App Attest has attested, by app and id.
    var appKeys: [AppName: [[UInt8]: AppKey]] = [:]
    /// The sealed keys of the store itself, by name.
    var storeKeys: [[UInt8]: [UInt8]] = [:]
    /// The signing keys, in the order in which they were added.
    var signingKeys: [StoredSigningKey] = []
    /// The keys of the admin API, in the order in which they were added.
    var serviceKeys: [(number: Int, key: ServiceKey)] = []
    var idempotentRequests: [[UInt8]: IdempotentRequestRow] = [:]
    /// The roles that were made through the administration, by app and name. The names are ASCII.
    var roles: [AppName: [String: StoredRole]] = [:]
    var eventTables = EventTables()
    private var lastNumber = 0

    /// Returns a number greater than all before it, which orders rows by insertion.
    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }
}

/// The accounts of one app, with the indexes of their unique values. Texts that are compared byte for byte are kept as
/// bytes: two strings with canonically equivalent characters are equal in Swift.
struct AccountTable: Sendable {
    struct Row: Sendable {
        var account: Account
        let number: Int
        /// The account's sessions, in the order in which they were added.
        var sessions: [SessionID] = []
        /// The account's second factors, in the order in which they were added.
        var factors: [Factor] = [] {
            didSet {
                guard factors.map(\.id) != oldValue.map(\.id) else { return }
                for index in devices.indices { devices[index].remembered = nil }
            }
        }
        /// The devices that the account recognizes, in the order in which they were added.
        var devices: [RecognizedDevice] = []
        /// The keyed hashes of the account's unused recovery codes.
        var recoveryCodes: Set<[UInt8]> = []
        /// The sealed history of sign-ins, and the time from which it is deleted.
        var signInHistory: (sealed: [UInt8], expiresAt: Date)?
        /// The last day on which the account was active.
        var activeOn: CalendarDay?
        var lastSignInAt: Date?
        /// The time of the last change; nil for an account that was never changed.
        var updatedAt: Date?
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
    /// The accounts' ids, in the order in which they were added.
    var order: [AccountID] = []
    /// The greatest integer among the ids.
    var lastIntegerID: Int64 = 0
    /// The names that sign in where a username is asked for.
    var names: [[UInt8]: AccountID] = [:]
    var phoneNumbers: [String: AccountID] = [:]
    /// The accounts of providers, by issuer and subject.
    var identities: [ProviderKey: AccountID] = [:]
    /// The accounts of a provider that have no issuer yet, by kind and subject.
    var imported: [ProviderKey: AccountID] = [:]

    func owner(ofName name: String) -> AccountID? { names[Array(name.utf8)] }
}

struct SessionRow: Sendable {
    var session: Session
    let number: Int
    /// The first use of the current generation; those of earlier generations are in ``uses``.
    var firstUsedAt: Date?
    /// The first use of each earlier generation, until it is deleted.
    var uses: [Int: Date] = [:]
    var attachment: SessionAttachment?
    var signingKeyIssuedAt: Date?
    /// The attested key that the session is bound to.
    var appKey: [UInt8]?
}

struct RecipientKey: Hashable, Sendable {
    var app: AppName
    var recipient: [UInt8]
}

struct SingleUseRecordRow: Sendable {
    var record: SingleUseRecord
    var isSpent = false
    /// The session that the redemption opened.
    var session: SessionID?
}

struct ActivityKey: Hashable, Sendable {
    var app: AppName
    var period: ActivityPeriod
    var start: CalendarDay
}

struct MessageRow: Sendable {
    var message: QueuedMessage
    let number: Int
    var dueAt: Date
    /// The reason of the last failure.
    var lastError: String?
}
