/// An attestation object, whose statement is not verified. Source: WebAuthn Level 3 §6.5.4.
struct AttestationObject: Sendable {
    /// The maximum length of a format identifier, in bytes. Source: WebAuthn Level 3 §8.1.
    private static let maximumFormatBytes = 32

    /// The attestation statement format identifier.
    let format: String
    /// The attestation statement, a map.
    let statement: CBOR
    /// The authenticator data, in bytes.
    let authenticatorData: [UInt8]

    /// Decodes an attestation object of exactly the three members `fmt`, `attStmt` and `authData`.
    init(_ bytes: [UInt8]) throws(WebAuthnProblem) {
        let value: CBOR
        do { value = try CBOR.decode(bytes) } catch { throw .attestationCBOR(error) }
        guard case .map(let members) = value, members.count == 3, case .text(let format)? = value["fmt"],
            let statement = value["attStmt"], case .bytes(let authenticatorData)? = value["authData"]
        else { throw .attestationObject }
        guard (1...Self.maximumFormatBytes).contains(format.utf8.count),
            format.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C })
        else { throw .attestationFormat }
        guard case .map(let entries) = statement, format != "none" || entries.isEmpty else {
            throw .attestationStatement
        }
        self.format = format
        self.statement = statement
        self.authenticatorData = authenticatorData
    }
}
