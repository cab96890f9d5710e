import Foundation

/// Issues the key that signs the session's requests: once for an access token alone, later only to a caller that also
/// presents the session's current refresh token.
///
/// Every request carries the access token; if it sufficed each time, a stolen access token would be enough to sign
/// requests.
///
/// Throws ``AuthError/notFound`` if the app does not use signed requests, ``AuthError/signingKeyAlreadyIssued`` if the
/// key was issued before and no current refresh token of the session is presented.
public struct IssueSigningKey: AuthOperation {
    /// The access token of the session.
    public var accessToken: Secret<String>
    /// The session's current refresh token, as proof of possession; nil if the app has no refresh tokens, or the key
    /// was never issued.
    public var refreshToken: Secret<String>?

    /// Creates the operation from its parts.
    public init(accessToken: Secret<String>, refreshToken: Secret<String>? = nil) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
    }
}

extension IssueSigningKey {
    /// The result of the operation if it succeeds.
    public typealias Answer = RequestSigningKey

    /// The description of this operation, ``OperationKind/issueSigningKey``.
    public static let description = OperationDescription(
        .issueSigningKey,
        summary: "Issues the key that signs the session's requests, once",
        authorization: .required,
        request: FieldSet([], also: [.refreshToken]),
        answer: FieldSet([.keyId, .signingKey]),
        refusals: [403, 404],
        attempts: .other,
        endpoint: { _ in .post("/signing-key") },
        takes: { $0.refresh == nil ? [] : [.optional(.refreshToken)] },
        answers: { _ in .shape(.fields([.required(.keyId), .required(.signingKey)])) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields.bearing(accessToken)
        fields.set(.refreshToken, refreshToken)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalidAccessToken` without an access token; `AuthError.invalid` for a field that is
    ///   missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(accessToken: try fields.bearer(), refreshToken: try Tokens.token(.refreshToken, in: fields))
    }
}

/// A key that a server issued to one session for signing its requests. It is valid as long as the session.
public struct RequestSigningKey: Hashable, Sendable {
    /// The key identifier that a signed request carries.
    public let id: String
    /// The maximum length of an ``id``, in UTF-8 bytes.
    public static let maximumIDBytes = 64
    /// The symmetric key, for HMAC-SHA256.
    public let secret: Secret<[UInt8]>

    /// Creates a key from its parts.
    public init(id: String, secret: Secret<[UInt8]>) {
        self.id = id
        self.secret = secret
    }

    /// Returns `true` for 1 to 64 letters, digits, `-` or `_`: a header carries them without escapes.
    package static func isID(_ text: String) -> Bool {
        (1...maximumIDBytes).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
            }
    }
}

extension RequestSigningKey: OperationAnswer {
    /// The answer's content by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.keyId, id)
        fields.set(.signingKey, Data(secret.reveal()).base64EncodedString())
        return fields
    }

    /// Creates the answer from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        let id = try required(fields.text(.keyId), .keyId)
        guard Self.isID(id) else { throw .invalid(.keyId, .malformed) }
        let text = try required(fields.secret(.signingKey), .signingKey)
        guard let key = Data(base64Encoded: text.reveal()), !key.isEmpty else {
            throw .invalid(.signingKey, .malformed)
        }
        self.init(id: id, secret: Secret(Array(key)))
    }
}
