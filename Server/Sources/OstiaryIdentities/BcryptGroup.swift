import CBcrypt

/// Up to four bcrypt hashes that CBcrypt computes interleaved; confined to one thread.
///
/// The password and the state of a hash are wiped with its result.
final class BcryptGroup {
    /// The maximum number of hashes in a group.
    static let maximumCount = Int(OSTIARY_BCRYPT_LANES)

    private let group: OpaquePointer

    /// Creates an empty group; nil without memory.
    init?() {
        guard let group = ostiary_bcrypt_group_create() else { return nil }
        self.group = group
    }

    deinit { ostiary_bcrypt_group_destroy(group) }

    /// Adds a hash of a password of at most 72 bytes without NUL.
    ///
    /// - Parameters:
    ///   - setting: The prefix of a hash (version, cost, salt), or a whole hash.
    ///   - number: The number that ``takeComplete()`` returns with the hash.
    /// - Returns: `false` if the group is full, or the setting or the password is refused.
    func start(_ password: String, setting: String, number: Int32) -> Bool {
        withCharacters(of: password) { password in
            withCharacters(of: setting) { setting in
                ostiary_bcrypt_start(
                    group, number, password.baseAddress, password.count, setting.baseAddress, setting.count)
            }
        }
    }

    /// Computes up to `rounds` of the 2^cost rounds of each hash; ends earlier when one is complete.
    func advance(rounds: Int) { ostiary_bcrypt_run(group, UInt32(clamping: rounds)) }

    /// Removes a complete hash; nil if none is complete.
    func takeComplete() -> (number: Int32, hash: BcryptHash?)? {
        var number: Int32 = 0
        let length = Int(OSTIARY_BCRYPT_HASH_LENGTH) + 1
        let hash = withUnsafeTemporaryAllocation(of: CChar.self, capacity: length) { output -> BcryptHash?? in
            guard let text = output.baseAddress, ostiary_bcrypt_take(group, &number, text) else { return nil }
            return .some(BcryptHash(String(cString: text)))
        }
        return hash.map { (number, $0) }
    }

    /// Calls a closure with the text's UTF-8, without a terminating NUL.
    private func withCharacters<Outcome>(of text: String, _ body: (UnsafeBufferPointer<CChar>) -> Outcome) -> Outcome {
        var text = text
        return text.withUTF8 { $0.withMemoryRebound(to: CChar.self, body) }
    }
}

extension BcryptGroup {
    /// Returns `true` if hashes published by other projects come out right in a full group.
    static func passesSelfTest() -> Bool {
        let published: [(password: String, hash: String)] = [
            // crypt_blowfish
            ("U*U", "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"),
            ("U*U*U", "$2a$05$XXXXXXXXXXXXXXXXXXXXXOAcXxm9kjPGEMsLznoKqmqw7tc8WCx4a"),
            (
                "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
                "$2a$05$abcdefghijklmnopqrstuu5s2v8.iXieOjg/.AySBTTZIIVFJeBui"
            ),
            // pyca/bcrypt
            ("9IeRXmnGxMYbs", "$2b$04$pQ7gRO7e6wx/936oXhNjrOUNOHL1D0h1N2IDbJZYs.1ppzSof6SPy"),
        ]
        guard let group = BcryptGroup() else { return false }
        for (number, vector) in published.enumerated() {
            guard group.start(vector.password, setting: vector.hash, number: Int32(number)) else { return false }
        }
        var agreeing: Set<Int32> = []
        for _ in published {
            group.advance(rounds: .max)
            guard let (number, hash) = group.takeComplete(), published.indices.contains(Int(number)),
                hash?.text == published[Int(number)].hash
            else { return false }
            agreeing.insert(number)
        }
        return agreeing.count == published.count
    }
}
