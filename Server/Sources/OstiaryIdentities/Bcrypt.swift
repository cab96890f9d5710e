import CCrypt

/// libxcrypt's bcrypt with its own working memory; confined to one thread. Computes one hash at a time.
///
/// Every input and output is in that memory, which is wiped after each use.
final class Bcrypt {
    private let memory = UnsafeMutablePointer<crypt_data>.allocate(capacity: 1)

    init() { wipe() }

    deinit { memory.deallocate() }

    /// Hashes a password of at most 72 bytes without NUL.
    ///
    /// - Parameter setting: The prefix of a hash (version, cost, salt), or a whole hash.
    /// - Returns: Nil if libcrypt refuses the setting.
    func hash(_ password: String, setting: String) -> BcryptHash? {
        defer { wipe() }
        guard withUnsafeMutableBytes(of: &memory.pointee.input, { copy(password, to: $0) }),
            withUnsafeMutableBytes(of: &memory.pointee.setting, { copy(setting, to: $0) })
        else { return nil }
        let bytes = UnsafeMutableRawPointer(memory).assumingMemoryBound(to: CChar.self)
        guard let input = MemoryLayout<crypt_data>.offset(of: \.input),
            let start = MemoryLayout<crypt_data>.offset(of: \.setting),
            let output = crypt_r(bytes + input, bytes + start, memory)
        else { return nil }
        return BcryptHash(String(cString: output))
    }

    /// Returns a setting with a new salt.
    ///
    /// - Parameter salt: 16 random bytes.
    /// - Returns: Nil if this libcrypt does not support bcrypt.
    static func setting(cost: Int, salt: [UInt8]) -> String? {
        guard salt.count == 16 else { return nil }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(CRYPT_GENSALT_OUTPUT_SIZE)) { output in
            let written = salt.withUnsafeBytes { salt in
                crypt_gensalt_rn(
                    "$2b$", UInt(cost), salt.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(salt.count),
                    output.baseAddress, Int32(output.count))
            }
            return written.map { String(cString: $0) }
        }
    }

    /// Zeroes the memory: libcrypt requires that before the first use, and a use leaves a password and a hash in it.
    private func wipe() {
        UnsafeMutableRawBufferPointer(start: memory, count: MemoryLayout<crypt_data>.size).initializeMemory(
            as: UInt8.self, repeating: 0)
    }

    /// Copies the text with a terminating NUL; returns `false` if it does not fit or contains a NUL.
    private func copy(_ text: String, to buffer: UnsafeMutableRawBufferPointer) -> Bool {
        guard text.utf8.count < buffer.count, !text.utf8.contains(0) else { return false }
        buffer.copyBytes(from: text.utf8)
        buffer[text.utf8.count] = 0
        return true
    }
}
