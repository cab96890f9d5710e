/// A certificate of the profile that App Attest uses: X.509 version 3, with ECDSA keys and signatures. Source: RFC 5280 §4.
///
/// Everything else is refused when it is read: other algorithms, unique identifiers, duplicate extensions, and critical
/// extensions that the verification of a chain does not evaluate.
package struct X509Certificate: Sendable {
    /// The maximum length of a certificate, in bytes.
    package static let maximumBytes = 4096

    /// The signed part, as it was encoded.
    let signedPart: ArraySlice<UInt8>
    let signatureAlgorithm: SignatureAlgorithm
    /// The signature, an `ECDSA-Sig-Value` in DER.
    let signature: [UInt8]
    /// The names, in DER. They are compared by bytes, which is stricter than RFC 5280 §7.1.
    let issuer: [UInt8]
    let subject: [UInt8]
    /// The seconds since 1970 at which the validity begins and ends, both included.
    let validity: ClosedRange<Int64>
    let publicKey: X509PublicKey
    /// `true` for the certificate of a certification authority. Source: RFC 5280 §4.2.1.9.
    let isAuthority: Bool
    /// The maximum number of intermediate certificates below an authority; nil for any.
    let pathLength: Int?
    /// The first octet of the key usage; nil for a key without restrictions. Source: RFC 5280 §4.2.1.3.
    let keyUsage: UInt8?
    private let extensions: [[UInt8]: ArraySlice<UInt8>]

    /// The hash function of an ECDSA signature. Source: RFC 5758 §3.2.
    enum SignatureAlgorithm: Sendable { case sha256, sha384 }

    /// Reads a certificate in DER.
    package init(_ bytes: [UInt8]) throws(AppAttestProblem) {
        guard bytes.count <= Self.maximumBytes,
            let certificate = DERReader.only(DERElement.Tag.sequence, in: bytes[...])
        else { throw .certificate }
        var parts = DERReader(certificate.content)
        guard let signed = parts.next(DERElement.Tag.sequence), let algorithm = parts.next(DERElement.Tag.sequence),
            let signature = parts.next(DERElement.Tag.bitString), parts.isAtEnd,
            let signature = Self.octets(ofBitString: signature)
        else { throw .certificate }
        signedPart = signed.encoded
        self.signature = signature

        var fields = DERReader(signed.content)
        guard let version = fields.next(DERElement.Tag.context(0)), Array(version.content) == Self.versionThree,
            fields.next(DERElement.Tag.integer) != nil, let inner = fields.next(DERElement.Tag.sequence),
            let issuer = fields.next(DERElement.Tag.sequence), let validity = fields.next(DERElement.Tag.sequence),
            let subject = fields.next(DERElement.Tag.sequence), let key = fields.next(DERElement.Tag.sequence),
            let wrapped = fields.next(DERElement.Tag.context(3)), fields.isAtEnd,
            let list = DERReader.only(DERElement.Tag.sequence, in: wrapped.content)
        else { throw .certificate }
        // RFC 5280 §4.1.1.2.
        guard inner.encoded.elementsEqual(algorithm.encoded), let known = Self.algorithm(algorithm) else {
            throw .certificate
        }
        signatureAlgorithm = known
        self.issuer = Array(issuer.encoded)
        self.subject = Array(subject.encoded)
        guard let range = X509Time.range(validity) else { throw .certificate }
        self.validity = range
        guard let publicKey = X509PublicKey(key) else { throw .certificate }
        self.publicKey = publicKey

        var extensions: [[UInt8]: ArraySlice<UInt8>] = [:]
        var entries = DERReader(list.content)
        while !entries.isAtEnd {
            let entry = try Self.entry(&entries)
            guard extensions.updateValue(entry.value, forKey: entry.id) == nil else { throw .certificate }
        }
        self.extensions = extensions
        (isAuthority, pathLength) = try Self.basicConstraints(extensions[Self.basicConstraintsID])
        keyUsage = try Self.keyUsage(extensions[Self.keyUsageID])
    }

    /// Returns the value of an extension, by the contents octets of its identifier.
    func value(ofExtension id: [UInt8]) -> ArraySlice<UInt8>? { extensions[id] }

    private static let versionThree: [UInt8] = [0x02, 0x01, 0x02]
    private static let basicConstraintsID: [UInt8] = [0x55, 0x1D, 0x13]
    private static let keyUsageID: [UInt8] = [0x55, 0x1D, 0x0F]

    /// Returns the octets of a bit string without unused bits.
    static func octets(ofBitString element: DERElement) -> [UInt8]? {
        guard element.content.first == 0 else { return nil }
        return Array(element.content.dropFirst())
    }

    /// The identifiers have no parameters. Source: RFC 5758 §3.2.
    private static func algorithm(_ element: DERElement) -> SignatureAlgorithm? {
        guard let id = DERReader.only(DERElement.Tag.objectIdentifier, in: element.content) else { return nil }
        switch Array(id.content) {
        case [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02]: return .sha256
        case [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x03]: return .sha384
        default: return nil
        }
    }

    private static func entry(_ entries: inout DERReader) throws(AppAttestProblem) -> (
        id: [UInt8], value: ArraySlice<UInt8>
    ) {
        guard let entry = entries.next(DERElement.Tag.sequence) else { throw .certificate }
        var parts = DERReader(entry.content)
        guard let id = parts.next(DERElement.Tag.objectIdentifier) else { throw .certificate }
        let critical = parts.next(DERElement.Tag.boolean)
        guard let value = parts.next(DERElement.Tag.octetString), parts.isAtEnd else { throw .certificate }
        let identifier = Array(id.content)
        if let critical {
            // The default, false, is not encoded. Source: ITU-T X.690 §11.5.
            guard Array(critical.content) == [0xFF], [basicConstraintsID, keyUsageID].contains(identifier) else {
                throw .certificate
            }
        }
        return (identifier, value.content)
    }

    private static func basicConstraints(
        _ value: ArraySlice<UInt8>?
    ) throws(AppAttestProblem) -> (isAuthority: Bool, pathLength: Int?) {
        guard let value else { return (false, nil) }
        guard let sequence = DERReader.only(DERElement.Tag.sequence, in: value) else { throw .certificate }
        var parts = DERReader(sequence.content)
        guard let flag = parts.next(DERElement.Tag.boolean) else {
            guard parts.isAtEnd else { throw .certificate }
            return (false, nil)
        }
        guard Array(flag.content) == [0xFF] else { throw .certificate }
        guard let length = parts.next(DERElement.Tag.integer) else {
            guard parts.isAtEnd else { throw .certificate }
            return (true, nil)
        }
        guard parts.isAtEnd, length.content.count == 1, let octet = length.content.first, octet < 0x80 else {
            throw .certificate
        }
        return (true, Int(octet))
    }

    private static func keyUsage(_ value: ArraySlice<UInt8>?) throws(AppAttestProblem) -> UInt8? {
        guard let value else { return nil }
        // One octet of unused bits, and the bits that the profile uses are in the first one.
        guard let bits = DERReader.only(DERElement.Tag.bitString, in: value), bits.content.count >= 2 else {
            throw .certificate
        }
        return bits.content[bits.content.startIndex + 1]
    }
}
