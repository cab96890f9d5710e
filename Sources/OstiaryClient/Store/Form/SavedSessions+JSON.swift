import Foundation
import OstiaryContracts
import OstiaryCore

extension SavedSessions {
    /// The version of the format. Version 1 was one session, not sealed: ``ClientSession/init(firstVersion:)``.
    static let version = 2

    /// The complete plaintext document, which a store seals.
    var document: [UInt8] { Array(json.prettyText.utf8) + [0x0A] }

    /// The sessions as JSON, with times in seconds since 1970.
    var json: JSON {
        var members = [
            JSON.Member(StoredName.version, .integer(Self.version)),
            JSON.Member(StoredName.current, .stored(current?.rawValue)),
            JSON.Member(StoredName.sessions, .array(sessions.map(\.stored))),
            JSON.Member(
                StoredName.pendingRevocations,
                .array(
                    pendingRevocations.map {
                        [StoredName.session: $0.session.stored, StoredName.since: .stored($0.since)]
                    })),
        ]
        if let deviceID { members.append(JSON.Member(StoredName.deviceID, .string(deviceID))) }
        if let deviceToken { members.append(JSON.Member(StoredName.deviceToken, .string(deviceToken.reveal()))) }
        if let appAttestKey { members.append(JSON.Member(StoredName.appAttestKey, .string(appAttestKey))) }
        if hasLostSessions { members.append(JSON.Member(StoredName.hasLostSessions, .boolean(true))) }
        return .object(members)
    }

    init(document: [UInt8]) throws(StoredFormProblem) {
        guard let json = try? JSON.read(document) else { throw .damaged }
        try self.init(json: json)
    }

    init(json: JSON) throws(StoredFormProblem) {
        guard let version = json.storedVersion else { throw .damaged }
        guard version <= Self.version else { throw .newerVersion }
        guard version == Self.version, let sessions = json.storedElements(StoredName.sessions),
            let signOuts = json.storedElements(StoredName.pendingRevocations)
        else { throw .damaged }
        self.init(
            current: json.storedText(StoredName.current).map { ClientSession.ID(rawValue: $0) },
            deviceID: json.storedText(StoredName.deviceID),
            deviceToken: json.storedText(StoredName.deviceToken).map { Secret($0) },
            appAttestKey: json.storedText(StoredName.appAttestKey))
        if case .boolean(true) = json[StoredName.hasLostSessions] { hasLostSessions = true }
        // An unreadable session may be the current one, so a partial result is rejected like no result.
        for session in sessions {
            guard let session = ClientSession(stored: session) else { throw .damaged }
            self.sessions.append(session)
        }
        for signOut in signOuts {
            guard let session = signOut[StoredName.session].flatMap({ ClientSession(stored: $0) }),
                let since = signOut.storedTime(StoredName.since)
            else { throw .damaged }
            pendingRevocations.append(PendingRevocation(session: session, since: since))
        }
    }
}

extension RequestSigningKey {
    var stored: JSON {
        [StoredName.id: .string(id), StoredName.secret: .string(Data(secret.reveal()).base64EncodedString())]
    }

    init?(stored json: JSON) {
        guard let id = json.storedText(StoredName.id),
            let secret = json.storedText(StoredName.secret).flatMap({ Data(base64Encoded: $0) })
        else { return nil }
        self.init(id: id, secret: Secret(Array(secret)))
    }
}

extension SessionKey {
    fileprivate var stored: JSON {
        [
            StoredName.form: .string(form),
            StoredName.publicKey: .string(Data(publicKey.rawRepresentation).base64EncodedString()),
            StoredName.representation: .string(Data(representation.reveal()).base64EncodedString()),
        ]
    }

    fileprivate init?(stored json: JSON) {
        guard let form = json.storedText(StoredName.form),
            let raw = json.storedText(StoredName.publicKey).flatMap({ Data(base64Encoded: $0) }),
            let publicKey = P256PublicKey(rawRepresentation: Array(raw)),
            let representation = json.storedText(StoredName.representation).flatMap({ Data(base64Encoded: $0) })
        else { return nil }
        self.init(form: form, publicKey: publicKey, representation: Secret(Array(representation)))
    }
}

extension BiometricEnrolment {
    /// The enrolment in base64, after the system's version and a colon if there is a version.
    fileprivate var text: String { (system.map { "\($0):" } ?? "") + Data(bytes).base64EncodedString() }

    fileprivate init?(text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let last = parts.last, let data = Data(base64Encoded: String(last)) else { return nil }
        self.init(Array(data), system: parts.count == 2 ? Int(parts[0]) : nil)
    }
}

extension User {
    fileprivate var stored: JSON {
        .object(members + (attributes.isEmpty ? [] : [JSON.Member(StoredName.attributes, storedAttributes)]))
    }

    private var storedAttributes: JSON {
        .object(attributes.sorted { $0.key < $1.key }.map { JSON.Member($0.key, JSON($0.value)) })
    }

    private var members: [JSON.Member] {
        [
            JSON.Member(StoredName.id, .string(id.text)),
            JSON.Member(StoredName.email, .stored(email?.text)),
            JSON.Member(StoredName.username, .stored(username?.text)),
            JSON.Member(StoredName.phoneNumber, .stored(phoneNumber?.e164)),
            JSON.Member(StoredName.fullName, .stored(fullName?.text)),
            JSON.Member(StoredName.roles, .array(roles.map { .string($0) })),
            JSON.Member(StoredName.provider, .string(authProvider)),
        ]
    }

    /// Reads a stored user. The server sends the user again, so values that another version's rules reject are dropped.
    fileprivate init?(stored json: JSON) {
        guard let id = json.storedText(StoredName.id).flatMap({ try? AccountID($0) }) else { return nil }
        self.init(
            id: id, email: json.storedText(StoredName.email).flatMap { try? EmailAddress($0) },
            username: json.storedText(StoredName.username).flatMap { try? Username($0) },
            phoneNumber: json.storedText(StoredName.phoneNumber).flatMap { try? PhoneNumber($0) },
            fullName: json.storedText(StoredName.fullName).flatMap { try? PersonName($0) },
            roles: (json.storedElements(StoredName.roles) ?? []).compactMap {
                if case .string(let role) = $0 { role } else { nil }
            }, authProvider: json.storedText(StoredName.provider) ?? "", attributes: Self.attributes(stored: json))
    }

    /// Sessions of earlier versions have none.
    private static func attributes(stored json: JSON) -> [String: AttributeValue] {
        guard case .object(let members) = json[StoredName.attributes] else { return [:] }
        var attributes: [String: AttributeValue] = [:]
        for member in members where AttributeDefinition.isName(member.name) {
            attributes[member.name] = AttributeValue(member.value)
        }
        return attributes
    }
}

extension ClientSession {
    fileprivate var stored: JSON {
        var members = self.members
        if let enrolment { members.append(JSON.Member(StoredName.enrolment, .string(enrolment.text))) }
        if let boundKey { members.append(JSON.Member(StoredName.boundKey, boundKey.stored)) }
        if let passwordChangeStartedAt {
            members.append(JSON.Member(StoredName.passwordChangeStartedAt, .stored(passwordChangeStartedAt)))
        }
        return .object(members)
    }

    private var members: [JSON.Member] {
        [
            JSON.Member(StoredName.id, .string(id.rawValue)),
            JSON.Member(StoredName.contract, .string(contract)),
            JSON.Member(StoredName.baseURL, .string(baseURL.text)),
            JSON.Member(StoredName.accountID, .stored(accountID?.text)),
            JSON.Member(StoredName.account, .string(label)),
            JSON.Member(StoredName.user, user?.stored ?? .null),
            JSON.Member(StoredName.accessToken, .string(accessToken.reveal())),
            JSON.Member(StoredName.refreshToken, .stored(refreshToken?.reveal())),
            JSON.Member(StoredName.issuedAt, .stored(issuedAt)),
            JSON.Member(StoredName.expiresAt, .stored(expiresAt)),
            JSON.Member(StoredName.signingKey, signingKey?.stored ?? .null),
        ]
    }

    fileprivate init?(stored json: JSON) {
        guard let id = json.storedText(StoredName.id), let issuedAt = json.storedTime(StoredName.issuedAt) else {
            return nil
        }
        self.init(
            json, id: ID(rawValue: id), issuedAt: issuedAt, user: json[StoredName.user].flatMap { User(stored: $0) },
            signingKey: json[StoredName.signingKey].flatMap { RequestSigningKey(stored: $0) })
        enrolment = json.storedText(StoredName.enrolment).flatMap { BiometricEnrolment(text: $0) }
        boundKey = json[StoredName.boundKey].flatMap { SessionKey(stored: $0) }
        passwordChangeStartedAt = json.storedTime(StoredName.passwordChangeStartedAt)
    }

    /// Reads version 1: the only session of an app, without an identifier.
    init?(firstVersion json: JSON) {
        guard let savedAt = json.storedTime(StoredName.savedAt) else { return nil }
        // The identifier is stable between readings, and while an older program renews the session.
        let account = json.storedText(StoredName.accountID) ?? json.storedText(StoredName.account) ?? ""
        self.init(json, id: ID(rawValue: "1:\(account)"), issuedAt: savedAt, user: nil, signingKey: nil)
    }

    private init?(_ json: JSON, id: ID, issuedAt: Date, user: User?, signingKey: RequestSigningKey?) {
        guard let contract = json.storedText(StoredName.contract), let label = json.storedText(StoredName.account),
            // Plain HTTP was allowed or rejected for this URL when the session began.
            let baseURL = json.storedText(StoredName.baseURL).flatMap({ try? BaseURL($0, allowsPlainHTTP: true) }),
            let accessToken = json.storedText(StoredName.accessToken)
        else { return nil }
        self.init(
            id: id, contract: contract, baseURL: baseURL,
            accountID: json.storedText(StoredName.accountID).flatMap { try? AccountID($0) }, label: label, user: user,
            accessToken: Secret(accessToken),
            refreshToken: json.storedText(StoredName.refreshToken).map { Secret($0) }, issuedAt: issuedAt,
            expiresAt: json.storedTime(StoredName.expiresAt), signingKey: signingKey)
    }
}
