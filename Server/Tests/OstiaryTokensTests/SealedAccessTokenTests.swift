import Foundation
import OstiaryCore
import OstiaryEngine
import Testing

@testable import OstiaryTokens

@Suite struct SealedAccessTokenTests {
    private func make(_ byte: UInt8 = 7, app: String = "idp") throws -> SealedAccessTokens {
        SealedAccessTokens(app: try AppName(app), keyRing: makeKeyRing(byte))
    }

    @Test func `what is issued is read, until it ends`() throws {
        let grant = try makeGrant()
        let token = try make().issue(grant)
        let end = start.addingTimeInterval(3600)
        let tokenClaims = try #require(try make().read(token, at: end.addingTimeInterval(-0.001)))
        #expect(
            tokenClaims
                == AccessTokenClaims(subject: grant.subject, session: try makeSession(), generation: 3, expiresAt: end))
        #expect(try make().read(token, at: end) == nil)
    }

    @Test func `PT-22: nothing in a token can be read, and no two are alike`() throws {
        let grant = try makeGrant()
        var seen: Set<[UInt8]> = []
        for _ in 0..<100 {
            let text = try make().issue(grant).reveal()
            let bytes = try #require(Base64URL.decode(text.utf8))
            for secret in [grant.session.text, grant.subject, "idp", "{"] where secret.utf8.count > 2 {
                #expect(!String(decoding: bytes, as: UTF8.self).contains(secret))
            }
            #expect(!text.contains("."))
            // Neither their beginnings nor their ends are equal.
            #expect(seen.insert(Array(bytes.prefix(8))).inserted && seen.insert(Array(bytes.suffix(8))).inserted)
        }
    }

    @Test func `no other key opens it, and no other text is taken`() throws {
        let token = try make().issue(try makeGrant())
        #expect(try make(8).read(token, at: start) == nil)
        #expect(try make(app: "vici").read(token, at: start) == nil)
        let text = token.reveal()
        for index in text.indices {
            var changed = text
            changed.replaceSubrange(index...index, with: text[index] == "A" ? "B" : "A")
            #expect(try make().read(Secret(changed), at: start) == nil)
        }
        for other in ["", "x", text + "A", String(text.dropLast()), "a.b.c", String(repeating: "A", count: 1100)] {
            #expect(try make().read(Secret(other), at: start) == nil)
        }
    }
}
