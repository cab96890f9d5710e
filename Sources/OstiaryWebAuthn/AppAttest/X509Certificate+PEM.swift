import Foundation

extension X509Certificate {
    private static let maximumPEMBytes = 16_384

    /// Reads the one certificate of a text in PEM. Source: RFC 7468 §5.
    package init(pem text: String) throws(AppAttestProblem) {
        guard text.utf8.count <= Self.maximumPEMBytes else { throw .certificate }
        let lines = text.utf8.split { $0 == 0x0A || $0 == 0x0D }.map(Array.init)
        let begin = Array("-----BEGIN CERTIFICATE-----".utf8)
        guard let first = lines.firstIndex(of: begin), lines.lastIndex(of: begin) == first,
            let last = lines.firstIndex(of: Array("-----END CERTIFICATE-----".utf8)), last > first,
            let bytes = Data(base64Encoded: Data(lines[(first + 1)..<last].joined()))
        else { throw .certificate }
        try self.init(Array(bytes))
    }
}
