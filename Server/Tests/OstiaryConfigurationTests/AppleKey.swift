import Foundation

/// Generated keys in the format in which Apple issues them: PKCS #8, with the scalar alone.
enum AppleKey {
    static let p256: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
    static let secp256k1: [UInt8] = [0x2B, 0x81, 0x04, 0x00, 0x0A]
    static let good = pem()

    static func pem(curve: [UInt8] = p256, scalar: [UInt8] = Array(1...32), label: String = "PRIVATE KEY") -> String {
        let key = value(0x30, value(0x02, [1]) + value(0x04, scalar))
        let algorithm = value(0x06, [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]) + value(0x06, curve)
        let der = value(0x30, value(0x02, [0]) + value(0x30, algorithm) + value(0x04, key))
        let base64 = Array(Data(der).base64EncodedString())
        let lines = stride(from: 0, to: base64.count, by: 64).map { String(base64[$0..<min($0 + 64, base64.count)]) }
        return (["-----BEGIN \(label)-----"] + lines + ["-----END \(label)-----"]).joined(separator: "\n") + "\n"
    }

    private static func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] { [tag, UInt8(content.count)] + content }
}
