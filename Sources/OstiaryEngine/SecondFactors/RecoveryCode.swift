import OstiaryCore

/// A code that replaces a lost factor once: `XXXXX-XXXXX` in Crockford's base32, 50 random bits.
struct RecoveryCode: Hashable, Sendable {
    /// The number of codes that an account gets at once.
    static let count = 10

    /// The ten symbols in upper case, without the dash.
    private let symbols: Secret<String>

    /// Generates a code.
    init(_ system: SystemDependencies) {
        // 32 symbols divide 256, so each is equally likely.
        symbols = Secret(
            String(decoding: system.randomBytes(Self.length).map { Self.alphabet[Int($0 & 31)] }, as: UTF8.self))
    }

    /// Reads a code that a person typed. Dashes and case are ignored; `O` counts as 0, `I` and `L` as 1.
    ///
    /// - Throws: `FieldProblem.malformed` for every other text.
    init(_ text: String) throws(FieldProblem) {
        guard text.utf8.count <= Self.longestInput else { throw .malformed }
        var symbols: [UInt8] = []
        for byte in text.utf8 where byte != UInt8(ascii: "-") {
            guard let symbol = Self.symbol(of: byte) else { throw .malformed }
            symbols.append(symbol)
        }
        guard symbols.count == Self.length else { throw .malformed }
        self.symbols = Secret(String(decoding: symbols, as: UTF8.self))
    }

    /// Returns the code as it is shown to its owner.
    func reveal() -> String {
        "\(symbols.reveal().prefix(Self.length / 2))-\(symbols.reveal().suffix(Self.length / 2))"
    }

    /// Returns the keyed hash under which the code is stored.
    func hash(for account: AccountID, in app: AppName, keys: KeyRing) -> [UInt8] {
        keys.digest([account.text, symbols.reveal()], for: .recoveryCodes, app: app)
    }

    private static let length = 10
    /// The longest text that is read: ten symbols, with a dash beside each.
    private static let longestInput = 2 * length + 1
    /// Source: Douglas Crockford, Base 32.
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    private static func symbol(of byte: UInt8) -> UInt8? {
        let upper = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte - 0x20 : byte
        switch upper {
        case UInt8(ascii: "O"): return UInt8(ascii: "0")
        case UInt8(ascii: "I"), UInt8(ascii: "L"): return UInt8(ascii: "1")
        default: return alphabet.contains(upper) ? upper : nil
        }
    }
}
