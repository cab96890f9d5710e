public import Foundation
import OstiaryContracts
import OstiaryCore

extension PasskeyRegistrationOptions {
    /// Reads the options in the servers' form, `PublicKeyCredentialCreationOptionsJSON`. Members that an app cannot
    /// decide, such as algorithms and attestation, are ignored: the system creates ES256 keys without attestation.
    ///
    /// - Throws: ``ClientError/decoding(_:)`` for a missing member or one of the wrong type.
    ///
    /// Source: W3C WebAuthn Level 3 §5.1.9.
    public init(json: Data) throws(ClientError) {
        let options = try PasskeyJSON(json)
        let (party, user) = (try options.object("rp"), try options.object("user"))
        self.init(
            relyingPartyID: try party.text("id"), challenge: try options.bytes("challenge"),
            userID: try user.bytes("id"), userName: try user.text("name"),
            displayName: try user.optionalText("displayName"),
            userVerification: try options.optionalObject("authenticatorSelection")?.userVerification() ?? .preferred,
            excludedCredentials: try options.credentials("excludeCredentials"))
    }
}

extension PasskeyAssertionOptions {
    /// Reads the options in the servers' form, `PublicKeyCredentialRequestOptionsJSON`.
    ///
    /// - Throws: ``ClientError/decoding(_:)`` for a missing member or one of the wrong type.
    ///
    /// Source: W3C WebAuthn Level 3 §5.1.10.
    public init(json: Data) throws(ClientError) {
        let options = try PasskeyJSON(json)
        self.init(
            relyingPartyID: try options.text("rpId"), challenge: try options.bytes("challenge"),
            allowedCredentials: try options.credentials("allowCredentials"),
            userVerification: try options.userVerification())
    }
}

/// An object in one of WebAuthn's JSON forms.
private struct PasskeyJSON {
    private let json: JSON
    private let path: String

    init(_ data: Data) throws(ClientError) {
        do { json = try JSON.read(Array(data)) } catch { throw .decoding("the passkey options: \(error)") }
        path = ""
    }

    private init(_ json: JSON, path: String) { (self.json, self.path) = (json, path) }

    private func problem(_ name: String) -> ClientError { .decoding("the passkey options: \(path)\(name)") }

    func optionalText(_ name: String) throws(ClientError) -> String? {
        switch json[name] {
        case .string(let text)?: return text
        case nil, .null?: return nil
        default: throw problem(name)
        }
    }

    func text(_ name: String) throws(ClientError) -> String {
        guard let text = try optionalText(name), !text.isEmpty else { throw problem(name) }
        return text
    }

    /// Returns the bytes of a required member in base64url.
    func bytes(_ name: String) throws(ClientError) -> Data {
        guard let bytes = Base64URL.decode(try text(name).utf8), !bytes.isEmpty else { throw problem(name) }
        return Data(bytes)
    }

    func optionalObject(_ name: String) throws(ClientError) -> PasskeyJSON? {
        switch json[name] {
        case .object?: return json[name].map { PasskeyJSON($0, path: "\(path)\(name).") }
        case nil, .null?: return nil
        default: throw problem(name)
        }
    }

    func object(_ name: String) throws(ClientError) -> PasskeyJSON {
        guard let object = try optionalObject(name) else { throw problem(name) }
        return object
    }

    /// Returns the user verification requirement. An unknown value counts as absent. Source: W3C WebAuthn Level 3
    /// §2.1.1.
    func userVerification() throws(ClientError) -> UserVerification {
        try optionalText("userVerification").flatMap { UserVerification(rawValue: $0) } ?? .preferred
    }

    func credentials(_ name: String) throws(ClientError) -> [Data] {
        switch json[name] {
        case nil, .null?: return []
        case .array(let list)?:
            var ids: [Data] = []
            for entry in list { ids.append(try PasskeyJSON(entry, path: "\(path)\(name).").bytes("id")) }
            return ids
        default: throw problem(name)
        }
    }
}
