import Foundation
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import Security
import Testing

@testable import OstiaryClient

/// The format of the index item, which an app of this version writes to the keychain and every later version must read.
/// The fingerprints in the golden files were made by another implementation of SHA-256.
struct KeychainIndexTests {
    private let place = KeychainPlace(.clarity)
    private static let settled = "keychain-companion-1"
    private static let moving = "keychain-companion-1-moving"

    private func text(_ golden: String) throws -> String {
        String(decoding: try SampleSessions.golden(golden), as: UTF8.self)
    }

    @Test func `writes version 1 to the byte`() async throws {
        try await place.again().put(try SampleSessions.all)
        #expect(place.text(NamedItems.index) == (try text(Self.settled)))
    }

    @Test func `writes version 1 to the byte while the items are to follow`() async throws {
        place.shim.writesLeft = 1
        await #expect(throws: StoreProblem.self) { try await place.again().put(try SampleSessions.all) }
        #expect(place.text(NamedItems.index) == (try text(Self.moving)))
    }

    @Test func `reads version 1 with the tokens beside it`() async throws {
        place.put(try text(Self.settled), NamedItems.index)
        place.put("access/token", place.account(.accessToken))
        place.put("refresh token", place.account(.refreshToken))
        #expect(await (try place.again()).read() == .found(try SampleSessions.all))
    }

    @Test(arguments: [[], [KeychainRules.Item.accessToken], [.refreshToken], [.accessToken, .refreshToken]])
    func `reads version 1 however many tokens have followed`(_ followed: [KeychainRules.Item]) async throws {
        place.put(try text(Self.moving), NamedItems.index)
        for item in followed {
            place.put(item == .accessToken ? "access/token" : "refresh token", place.account(item))
        }
        #expect(await (try place.again()).read() == .found(try SampleSessions.all))
    }

    @Test(arguments: [settled, moving]) func `calls damaged every companion that was cut short`(
        _ golden: String
    ) throws {
        let whole = try SampleSessions.golden(golden)
        // The last byte is the line's end.
        for length in 0..<(whole.count - 1) {
            #expect(throws: StoredFormProblem.damaged) { try KeychainIndex(Array(whole[..<length])) }
        }
    }

    @Test(arguments: ["version", "contract", "base_url", "moving", "items", "saved"])
    func `makes nothing of less than all that it needs`(_ name: String) throws {
        let whole = try text(Self.settled)
        let without = whole.replacing("\n  \"\(name)\":", with: "\n  \"x-\(name)\":")
        #expect(without != whole)
        #expect(throws: StoredFormProblem.damaged) { try KeychainIndex(Array(without.utf8)) }
    }

    @Test func `does not judge a newer version`() throws {
        #expect(throws: StoredFormProblem.newerVersion) { try KeychainIndex(Array("{\"version\":2}".utf8)) }
    }
}
