/// A reader of the public key in a certificate, so that no platform needs an ASN.1 package for it.
///
/// It accepts only DER and verifies no signature: the chain is validated before. Source: RFC 5280 §4.1; X.690 §8.1 and
/// §10.1.
enum SubjectPublicKeyInfo {
    /// Returns the SubjectPublicKeyInfo of a certificate in DER, with its own tag and length.
    ///
    /// - Returns: Nil for anything but one whole certificate.
    static func bytes(certificate der: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var outer = DERReader(der)
        guard var certificate = outer.read(.sequence)?.content, outer.isAtEnd,
            let toBeSigned = certificate.read(.sequence)?.whole, certificate.read(.sequence) != nil,
            certificate.read(.bitString) != nil, certificate.isAtEnd
        else { return nil }
        return bytes(toBeSigned: toBeSigned)
    }

    /// Returns the SubjectPublicKeyInfo of a TBSCertificate, the part of a certificate that its issuer signs.
    static func bytes(toBeSigned der: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var outer = DERReader(der)
        guard var fields = outer.read(.sequence)?.content, outer.isAtEnd else { return nil }
        _ = fields.read(.version)
        // Serial number, signature algorithm, issuer, validity, subject.
        for tag in [DERReader.Tag.integer, .sequence, .sequence, .sequence, .sequence] {
            guard fields.read(tag) != nil else { return nil }
        }
        guard let key = fields.read(.sequence) else { return nil }
        var parts = key.content
        guard parts.read(.sequence) != nil, parts.read(.bitString) != nil, parts.isAtEnd else { return nil }
        for tag in [DERReader.Tag.issuerUniqueID, .subjectUniqueID, .extensions] { _ = fields.read(tag) }
        return fields.isAtEnd ? key.whole : nil
    }
}

/// A cursor over consecutive DER elements.
private struct DERReader {
    enum Tag: UInt8 {
        case integer = 0x02
        case bitString = 0x03
        case sequence = 0x30
        case version = 0xA0
        case issuerUniqueID = 0x81
        case subjectUniqueID = 0x82
        case extensions = 0xA3
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    /// Reads the next element and moves past it, if it has this tag.
    mutating func read(_ tag: Tag) -> (whole: ArraySlice<UInt8>, content: DERReader)? {
        guard rest.first == tag.rawValue else { return nil }
        var after = rest.dropFirst()
        guard let length = Self.readLength(&after), length <= after.count else { return nil }
        let content = after.prefix(length)
        defer { rest = rest[content.endIndex...] }
        return (rest[..<content.endIndex], DERReader(content))
    }

    /// Reads a length in its shortest form only; otherwise two readers could see two certificates in the same bytes.
    private static func readLength(_ bytes: inout ArraySlice<UInt8>) -> Int? {
        guard let first = bytes.popFirst() else { return nil }
        guard first >= 0x80 else { return Int(first) }
        let count = Int(first & 0x7F)
        guard (1...3).contains(count), bytes.count >= count, bytes.first != 0 else { return nil }
        let length = bytes.prefix(count).reduce(0) { $0 << 8 | Int($1) }
        bytes = bytes.dropFirst(count)
        return length >= 0x80 ? length : nil
    }
}
