import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryStore

/// A command to the process that has the store open.
enum ControlCommand: Codable, Sendable {
    /// Checks only that a server answers.
    case hello
    case listAccounts(after: Int?)
    case showAccount(String)
    /// The attributes are texts, which the server reads by their types.
    case createAccount(AccountRecord, attributes: [String: String], password: NewPassword?)
    case updateAccount(String, fullName: String?, attributes: [String: String], removing: [String])
    case setActive(Bool, String)
    case changeRoles(String, adding: [String], removing: [String])
    case setPassword(NewPassword, of: String)
    case deleteAccount(String)
    /// At most ``pageSize`` of them, and the keys of their factors.
    case importAccounts([AccountRecord], opening: [SealKey])
    /// With their factors if there is a key.
    case exportAccounts(after: Int?, factors: SealKey?)
    case inviteAdministrator(String)
    case listSessions(of: String)
    case revokeSession(String)
    case revokeAllSessions(of: String)
    case listFactors(of: String)
    case resetFactors(of: String)
    case listKeys
    case rotateKeys
    /// As ``rotateKeys``, and rejects the earlier keys.
    case replaceKeys
    case listRoles(after: String?)
    case createRole(String, permissions: [String])
    case updateRole(String, permissions: [String])
    case deleteRole(String)
    /// The newest, at most ``pageSize``.
    case listMessages(state: String?, limit: Int)
    case retryMessage(String)
    /// In the order in which the events were recorded.
    case audit(AuditFilter, after: Int?)
    /// In the order of the events' times, found by an index.
    case selectEvents(AuditFilter, after: EventPosition?)
    /// By the raw value of a ``StatisticsInterval``.
    case statistics(from: Date, to: Date, interval: String)
    /// Of the sign-in that opened a session, or that an event records.
    case explainRisk(session: String?, event: Int?)
    case createServiceKey(ServiceKeyRequest)
    case listServiceKeys(after: Int?)
    case revokeServiceKey(String)
    case endpoints(EndpointCommand)
    /// Writes a backup to a file or into a directory of the server's machine.
    case backUp(to: String, keeping: Int?)
    case checkStore
    /// Observes the process of the server and its commits.
    case observeServer
    /// Examines a page of sealed values, and seals those of earlier keys again.
    case sealedValues(SealedValue.Kind, after: SealedValue.Position?, reseals: Bool)

    /// The maximum number of records in one message.
    static let pageSize = 500
    /// The maximum number of records with factors in one message: an account with ten passkeys takes some 40 KB.
    static let pageSizeWithFactors = 100

    /// The time limit of the command's answer.
    var deadline: Duration {
        switch self {
        // They read the whole store.
        case .backUp, .checkStore: .seconds(24 * 3600)
        default: .seconds(60)
        }
    }
}

/// A command together with its target.
struct ControlRequest: Codable, Sendable {
    /// Nil for all apps, where the command permits that.
    var app: String?
    /// The database that the caller's configuration names; nil if there is none.
    var store: FileIdentity?
    var command: ControlCommand
}

/// The result of a command.
enum ControlReply: Codable, Sendable {
    case done
    /// `position` is nil after the last page.
    case accounts([AccountRecord], position: Int?)
    case account(AccountRecord)
    case imported([ImportResult])
    /// With the link that sets the password.
    case invited(AccountRecord, link: NewPassword, isNew: Bool, expiresAt: Date)
    case sessions([SessionRecord])
    case revoked(count: Int)
    /// The number of recovery codes is nil where only the admin API is asked, which does not tell it.
    case factors([FactorRecord], recoveryCodesLeft: Int?)
    case factorsRemoved(AccountRecord, count: Int)
    case keys([KeyRecord])
    /// `next` is the name of the last role; nil after the last page.
    case roles([RoleRecord], next: String?)
    case messages([MessageLine])
    /// `position` is nil after the last page.
    case selectedEvents([EventRecord], position: EventPosition?)
    /// `position` is that of the last event; nil if there were none.
    case events([EventRecord], position: Int?)
    case statistics(StatisticsRecord)
    case risk(RiskRecord)
    /// `position` is nil after the last page.
    case serviceKeys([ServiceKeyRecord], position: Int?)
    case endpoints([EndpointRecord])
    /// `position` is that of the last delivery; nil if there are no more.
    case deliveries([DeliveryRecord], position: Int?)
    case backedUp(BackupRecord)
    case findings([StoreFinding])
    case serverState(ServerState)
    /// `next` is nil after the last page.
    case sealedValues(EncryptionKeyRotation.Counts, next: SealedValue.Position?)
}

/// A reply, or the reason that there is none, in one line for a person.
enum ControlAnswer: Codable, Sendable {
    case reply(ControlReply)
    case refused(String)
}

enum ImportResult: Codable, Hashable, Sendable {
    case added
    /// One line for each difference from the record.
    case addedChanged([String])
    case alreadyThere
    case refused(String)

    init(_ outcome: ImportOutcome) {
        switch outcome {
        case .added: self = .added
        case .addedChanged(let changes): self = .addedChanged(changes)
        case .alreadyThere: self = .alreadyThere
        case .refused(let problem): self = .refused(problem.description)
        }
    }
}

/// The key of a ``FactorSeal`` sent through the socket. Printing the command does not reveal it.
struct SealKey: Codable, Sendable {
    private let salt: Data
    private let key: NewPassword

    init(_ seal: FactorSeal) {
        salt = Data(seal.salt)
        key = NewPassword(Secret(Data(seal.key.reveal()).base64EncodedString()))
    }

    var seal: FactorSeal {
        get throws(AdministrationProblem) {
            try FactorSeal(
                salt: Array(salt), key: Secret(Array(Data(base64Encoded: key.secret.reveal()) ?? Data())))
        }
    }
}

/// A password sent through the socket. Printing the command does not reveal it.
struct NewPassword: Codable, Sendable {
    let secret: Secret<String>

    init(_ secret: Secret<String>) { self.secret = secret }

    init(from decoder: any Decoder) throws {
        secret = Secret(try decoder.singleValueContainer().decode(String.self))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(secret.reveal())
    }
}
