import Testing

@testable import OstiaryIdentities

/// CBcrypt beside libcrypt. Scripts/check-bcrypt.sh compares them on more passwords, and on others than text.
@Suite struct BcryptGroupTests {
    @Test func `computes published hashes in a full group`() {
        #expect(BcryptGroup.passesSelfTest())
    }

    @Test func `agrees with libcrypt while hashes of different costs join and leave`() throws {
        var random = SystemRandomNumberGenerator()
        let group = try #require(BcryptGroup())
        let library = Bcrypt()
        var expected: [Int32: BcryptHash?] = [:]
        for number in Int32(0)..<200 {
            let password = Self.password(using: &random)
            let salt = (1...16).map { _ in UInt8.random(in: 0...255, using: &random) }
            let setting = try #require(Bcrypt.setting(cost: .random(in: 4...6, using: &random), salt: salt))
            expected[number] = library.hash(password, setting: setting)
            #expect(group.start(password, setting: setting, number: number))
            while expected.count == BcryptGroup.maximumCount || number == 199 && !expected.isEmpty {
                group.advance(rounds: .random(in: 1...20, using: &random))
                while let (done, hash) = group.takeComplete() {
                    #expect(hash != nil && expected.removeValue(forKey: done) == hash)
                }
            }
        }
    }

    @Test func `takes four hashes and no fifth`() throws {
        let group = try #require(BcryptGroup())
        let setting = BcryptWorker.setting(cost: 4)
        for number in Int32(0)..<4 { #expect(group.start("password", setting: setting, number: number)) }
        #expect(!group.start("password", setting: setting, number: 4))
        group.advance(rounds: .max)
        #expect(group.takeComplete() != nil)
        #expect(group.start("password", setting: setting, number: 4))
    }

    @Test func `is not complete before all rounds are computed`() throws {
        let group = try #require(BcryptGroup())
        #expect(group.start("password", setting: BcryptWorker.setting(cost: 4), number: 1))
        group.advance(rounds: 15)
        #expect(group.takeComplete() == nil)
        group.advance(rounds: 1)
        #expect(group.takeComplete()?.number == 1)
    }

    @Test(arguments: [
        "", "$2b$04$", "$2x$04$CCCCCCCCCCCCCCCCCCCCC.", "$2b$03$CCCCCCCCCCCCCCCCCCCCC.",
        "$2b$32$CCCCCCCCCCCCCCCCCCCCC.",
        "$2b$04$CCCCCCCCCCCCCCCCCCCCC=", "$2b$04$CCCCCCCCCCCC\0CCCCCCCC.", "$2b$04$CCCCCCCCCCCCCCCCCCCCé.",
    ]) func `refuses a setting`(setting: String) throws {
        let group = try #require(BcryptGroup())
        #expect(!group.start("password", setting: setting, number: 1))
        group.advance(rounds: 1)
        #expect(group.takeComplete() == nil)
    }

    @Test func `refuses a password with a NUL`() throws {
        let group = try #require(BcryptGroup())
        #expect(!group.start("pass\0word", setting: BcryptWorker.setting(cost: 4), number: 1))
    }

    /// Returns a password of up to 76 bytes of one, two, three and four bytes a scalar.
    private static func password(using random: inout SystemRandomNumberGenerator) -> String {
        let alphabet = Array("aZ0 ~\u{7F}éπ€😀".unicodeScalars)
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...19, using: &random) {
            text.append(alphabet[Int.random(in: 0..<alphabet.count, using: &random)])
        }
        return String(text)
    }
}
