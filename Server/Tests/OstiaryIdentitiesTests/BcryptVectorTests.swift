import OstiaryCore
import OstiaryEngine
import Testing

@testable import OstiaryIdentities

/// Hashes published by other projects.
@Suite struct BcryptVectorTests {
    static let vectors: [(password: String, hash: String)] = [
        // crypt_blowfish
        ("", "$2a$05$CCCCCCCCCCCCCCCCCCCCC.7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy"),
        ("U*U", "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"),
        ("U*U*", "$2a$05$CCCCCCCCCCCCCCCCCCCCC.VGOzA784oUp/Z0DY336zx7pLYAy0lwK"),
        ("U*U*U", "$2a$05$XXXXXXXXXXXXXXXXXXXXXOAcXxm9kjPGEMsLznoKqmqw7tc8WCx4a"),
        (
            "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
            "$2a$05$abcdefghijklmnopqrstuu5s2v8.iXieOjg/.AySBTTZIIVFJeBui"
        ),
        // jBCrypt
        ("a", "$2a$06$m0CrhHm10qJ3lXRY.5zDGO3rS2KdeeWLuGmsfGlMfOxih58VYVfxe"),
        ("abc", "$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i"),
        ("abcdefghijklmnopqrstuvwxyz", "$2a$06$.rCVZVOThsIa97pEDOxvGuRRgzG64bvtJ0938xuqzv18d3ZpQhstC"),
        ("~!@#$%^&*()      ~!@#$%^&*()PNBFRD", "$2a$06$fPIsBO8qRqkjj273rfaOI.HtSV9jLDpTbZn782DC6/t7qT67P6FfO"),
        // Spring Security, beyond ASCII
        ("ππππππππ", "$2a$10$.TtQJ4Jr6isd4Hp.mVfZeuh6Gws4rOQ/vdBczhDx.19NFK0Y84Dle"),
        // pyca/bcrypt
        ("Kk4DQuMMfZL9o", "$2b$04$cVWp4XaNU8a4v1uMRum2SO026BWLIoQMD/TXg5uZV.0P.uO8m3YEm"),
        ("9IeRXmnGxMYbs", "$2b$04$pQ7gRO7e6wx/936oXhNjrOUNOHL1D0h1N2IDbJZYs.1ppzSof6SPy"),
        // The manual of PHP's password_verify
        ("rasmuslerdorf", "$2y$07$BCryptRequires22Chrcte/VlQH0piJtjXl.0t1XkA8pw9dMXTpOq"),
    ]

    @Test(arguments: vectors, bcryptPlans) func `verifies a published hash`(
        vector: (password: String, hash: String), plan: BcryptPlan
    ) async throws {
        let hasher = try makeHasher(pool: BcryptPool(threads: 1, plan: { plan }))
        let expected: PasswordMatch = vector.hash.contains("$10$") ? .matches : .matchesOutdatedHash
        #expect(try await hasher.check(Secret(vector.password), against: vector.hash) == expected)
        #expect(try await hasher.check(Secret(vector.password + "x"), against: vector.hash) == .differs)
        #expect(BcryptHash.isImportable(vector.hash))
    }

    @Test(arguments: ["$2a$", "$2b$", "$2y$"], bcryptPlans) func `takes the three names of one algorithm`(
        name: String, plan: BcryptPlan
    ) async throws {
        let hasher = try makeHasher(pool: BcryptPool(threads: 1, plan: { plan }))
        let hash = name + "05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"
        #expect(try await hasher.check(Secret("U*U"), against: hash) == .matchesOutdatedHash)
    }

    @Test(arguments: bcryptPlans) func `ignores the bits of the salt that do not count`(plan: BcryptPlan) async throws {
        let hasher = try makeHasher(pool: BcryptPool(threads: 1, plan: { plan }))
        // The salt's last character is a dot in libcrypt's output; its lower four bits are not part of the salt.
        let hash = "$2a$05$CCCCCCCCCCCCCCCCCCCCCBE5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"
        #expect(try await hasher.check(Secret("U*U"), against: hash) == .matchesOutdatedHash)
    }
}
