public import Foundation

/// Everything that is kept about a person. Source: GDPR Art. 15 and 20.
public struct AdminExport: AdminValue {
    /// The time of the export.
    public var exportedAt: Date = Date(timeIntervalSince1970: 0)
    /// The account.
    public var account: AdminAccount = AdminAccount()
    /// The sessions.
    public var sessions: [AdminSession] = []
    /// The second factors.
    public var factors: [AdminFactor] = []
    /// The devices that the account recognizes.
    public var devices: [AdminRecognizedDevice] = []
    /// The linked identities.
    public var identities: [AdminIdentity] = []
    /// The events of the audit log that concern the account.
    public var audit: [AdminAuditEvent] = []
    /// The messages to the account.
    public var messages: [AdminMessage] = []

    /// The origins of sign-ins that later ones are compared with.
    public var signInOrigins: [AdminSignInOrigin] = []

    /// The name of the value's schema.
    public static let schemaName = "Export"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminExport>] = [
        .required("exported_at", \.exportedAt, .time),
        .required("account", \.account, .object),
        .required("sessions", \.sessions, .list(.object)),
        .required("factors", \.factors, .list(.object)),
        .required("devices", \.devices, .list(.object)),
        .required("identities", \.identities, .list(.object)),
        .required("audit", \.audit, .list(.object)),
        .required("messages", \.messages, .list(.object)),
        .required("sign_in_origins", \.signInOrigins, .list(.object)),
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}
}
