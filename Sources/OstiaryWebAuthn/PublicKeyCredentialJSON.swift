import OstiaryContracts
import OstiaryCore

/// The members that responses of both ceremonies share. Source: WebAuthn Level 3 §5.1 (`RegistrationResponseJSON`,
/// `AuthenticationResponseJSON`).
struct PublicKeyCredentialJSON {
    /// The maximum length of a credential id, in bytes. Source: WebAuthn Level 3 §6.5.1.
    static let maximumIDBytes = 1023
    /// The maximum length of a user handle, in bytes. Source: WebAuthn Level 3 §5.4.3.
    static let maximumUserHandleBytes = 64
    /// The maximum length of client data, in bytes.
    static let maximumClientDataBytes = 16_384
    /// The maximum length of a signature, in bytes: twice the longest accepted one.
    static let maximumSignatureBytes = 1024

    /// The credential id: the member `rawId`.
    let id: [UInt8]
    private let response: JSON

    /// Reads the shared members; unknown ones are ignored.
    init(_ json: JSON) throws(WebAuthnProblem) {
        guard case .string(let text)? = json["id"] else { throw .malformedMember(.id) }
        guard case .string(let rawText)? = json["rawId"] else { throw .malformedMember(.rawID) }
        guard text.utf8.elementsEqual(rawText.utf8) else { throw .identifierMismatch }
        id = try Self.decode(rawText, .rawID, atMost: Self.maximumIDBytes)
        guard case .string(let type)? = json["type"], type.utf8.elementsEqual("public-key".utf8) else {
            throw .credentialType
        }
        switch json["clientExtensionResults"] {
        case nil, .object?: break
        default: throw .malformedMember(.clientExtensionResults)
        }
        guard case .object? = json["response"], let response = json["response"] else {
            throw .malformedMember(.response)
        }
        self.response = response
    }

    /// Parses a response.
    static func read(_ bytes: [UInt8]) throws(WebAuthnProblem) -> JSON {
        do { return try JSON.read(bytes) } catch { throw .malformedJSON }
    }

    /// Returns the bytes of a required member of the response: 1 up to `maximumBytes`.
    func bytes(_ member: ResponseMember, atMost maximumBytes: Int) throws(WebAuthnProblem) -> [UInt8] {
        guard case .string(let text)? = response[member.rawValue] else { throw .malformedMember(member) }
        return try Self.decode(text, member, atMost: maximumBytes)
    }

    /// Returns the bytes of a member of the response that may be absent or null.
    func optionalBytes(_ member: ResponseMember, atMost maximumBytes: Int) throws(WebAuthnProblem) -> [UInt8]? {
        switch response[member.rawValue] {
        case nil, .null?: nil
        default: try bytes(member, atMost: maximumBytes)
        }
    }

    /// Returns the texts of a member of the response that may be absent.
    func texts(_ member: ResponseMember, atMost maximumCount: Int, bytes: Int) throws(WebAuthnProblem) -> [String] {
        guard let value = response[member.rawValue] else { return [] }
        guard case .array(let elements) = value, elements.count <= maximumCount else {
            throw .malformedMember(member)
        }
        var texts: [String] = []
        for element in elements {
            guard case .string(let text) = element, !text.isEmpty, text.utf8.count <= bytes,
                text.utf8.allSatisfy({ $0 < 0x80 })
            else {
                throw .malformedMember(member)
            }
            if !texts.contains(text) { texts.append(text) }
        }
        return texts
    }

    private static func decode(
        _ text: String, _ member: ResponseMember, atMost maximumBytes: Int
    ) throws(WebAuthnProblem) -> [UInt8] {
        guard text.utf8.count <= (maximumBytes * 4 + 2) / 3, let bytes = Base64URL.decode(text.utf8), !bytes.isEmpty
        else { throw .malformedMember(member) }
        return bytes
    }
}
