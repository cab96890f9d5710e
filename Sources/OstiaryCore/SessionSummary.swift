public import Foundation

/// One entry of the account's session list.
public struct SessionSummary: Hashable, Sendable {
    /// The identifier with which ``EndSession`` revokes the session.
    public var id: SessionID
    /// The time at which the session was opened.
    public var createdAt: Date
    /// The time at which the session was last used.
    public var lastUsedAt: Date
    /// `true` for the session that requested the list.
    public var isCurrent: Bool
    /// The client's description of its device; nil if it sent none.
    public var device: DeviceInfo?
    /// The network address from which the session was last used; nil if not recorded.
    public var address: String?
    /// The country of ``address``; nil where the server does not know it. Source: ISO 3166-1 alpha-2.
    public var country: String?
    /// The client's `User-Agent` header; nil if not recorded.
    public var userAgent: String?
    /// The administrator who acts for the account in the session: `key:ID` or `account:ID`; nil for a session of the owner.
    public var actor: String?

    /// Creates an entry from its parts.
    public init(
        id: SessionID, createdAt: Date, lastUsedAt: Date, isCurrent: Bool, device: DeviceInfo? = nil,
        address: String? = nil, country: String? = nil, userAgent: String? = nil, actor: String? = nil
    ) {
        self.id = id
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.isCurrent = isCurrent
        self.device = device
        self.address = address
        self.country = country
        self.userAgent = userAgent
        self.actor = actor
    }
}

extension [SessionSummary]: OperationAnswer {
    /// The answer's content by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields[.sessions] = .list(map(\.fields))
        return fields
    }

    /// Creates the answer from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        guard case .list(let sessions) = fields[.sessions] else { throw .invalid(.sessions, .missing) }
        self = []
        for session in sessions { append(try SessionSummary(session)) }
    }
}

extension SessionSummary {
    var fields: Fields {
        var fields = Fields()
        fields.set(.sessionId, id.text)
        fields.set(.createdAt, createdAt)
        fields.set(.lastUsedAt, lastUsedAt)
        fields[.current] = .flag(isCurrent)
        fields[.deviceInfo] = device.map { .object($0.fields) }
        fields.set(.address, address)
        fields.set(.country, country)
        fields.set(.userAgent, userAgent)
        fields.set(.actor, actor)
        return fields
    }

    init(_ fields: Fields) throws(AuthError) {
        self.init(
            id: try required(
                fields.parsed(.sessionId) { (text) throws(FieldProblem) in try SessionID(text) }, .sessionId),
            createdAt: try required(fields.time(.createdAt), .createdAt),
            lastUsedAt: try required(fields.time(.lastUsedAt), .lastUsedAt),
            isCurrent: try required(fields.flag(.current), .current), device: try fields.device(),
            address: try fields.text(.address), country: try fields.text(.country),
            userAgent: try fields.text(.userAgent), actor: try fields.text(.actor))
    }
}
