import Foundation
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import OstiaryTestSupport
import Testing

@testable import OstiaryClient

struct FileSessionStoreTests {
    private let place: StoreHome
    private var store: FileSessionStore { place.store }

    init() throws { place = try StoreHome() }

    // MARK: Reading and changing

    @Test func `is absent before anything was stored, and makes nothing by asking`() async throws {
        #expect(await store.read() == .absent)
        #expect(try place.home.files().isEmpty)
    }

    @Test func `does not write a value that was left as it was`() async throws {
        try await place.write()
        let before = try place.bytes()
        try await store.change {
            $0.sessions.reverse(); $0.sessions.reverse()
        }
        // A fresh nonce would show.
        #expect(try place.bytes() == before)
    }

    @Test func `removes the file when nothing is left to keep, and twice without complaint`() async throws {
        try await place.write()
        try await place.write(SavedSessions.none)
        try await place.write(SavedSessions.none)
        #expect(await store.read() == .absent)
        #expect(try !place.files().contains(store.name))
    }

    @Test func `makes no key for nothing`() async throws {
        try await place.write(SavedSessions.none)
        #expect(try place.files() == ["\(store.name).lock"])
    }

    @Test func `puts nothing into the directory that can be read`() async throws {
        try await place.write()
        try await store.change { _ = $0.sessions.removeLast() }
        for file in try place.files() {
            let text = String(
                decoding: try Data(contentsOf: URL(fileURLWithPath: "\(place.directory)/\(file)")), as: UTF8.self)
            // None so short that chance writes it in base64.
            for secret in ["token", "5551234567", "admin"] { #expect(!text.contains(secret), "\(file)") }
        }
    }

    // MARK: Version 1

    @Test func `takes over a session of version 1 where that lay, and seals it at the next change`() async throws {
        try place.put(SampleSessions.golden("session-record-1"))
        let plain = try place.bytes()

        guard case .found(var saved) = await store.read() else {
            Issue.record("nobody is signed in any more")
            return
        }
        #expect(saved.currentSession?.accessToken == Secret("access/token"))
        #expect(try place.bytes() == plain)

        try await store.change { $0.sessions[0].accessToken = Secret("new") }
        saved.sessions[0].accessToken = Secret("new")
        #expect(await store.read() == .found(saved))
        #expect(try !String(decoding: place.bytes(), as: UTF8.self).contains("token"))
    }

    @Test func `leaves a newer version where it is, and writes nothing over it`() async throws {
        try place.put("{\"version\":3}".utf8)
        #expect(await store.read() == .unavailable(.newerVersion))
        await #expect(throws: StoreProblem.newerVersion) { try await place.write() }
        #expect(try place.bytes() == Array("{\"version\":3}".utf8))
    }

    // MARK: Writing that fails

    @Test func `replaces sessions as a whole, over whatever a killed process left of its draft`() async throws {
        try await place.write()
        let whole = try place.bytes()
        for length in [0, 1, whole.count / 2, whole.count - 1, whole.count] {
            try Data(whole[..<length]).write(to: URL(fileURLWithPath: "\(place.file).new"))
            #expect(await store.read() == .found(try SampleSessions.all))
            try await store.change { $0.sessions[0].accessToken = Secret("access-\(length)") }
            try await place.write()
            #expect(await store.read() == .found(try SampleSessions.all))
            #expect(try !place.files().contains("\(store.name).new"))
        }
    }

    @Test func `keeps what is stored where the new cannot be written`() async throws {
        try await place.write()
        try FileManager.default.createDirectory(atPath: "\(place.file).new", withIntermediateDirectories: false)
        await #expect(throws: StoreProblem.system(path: "\(place.file).new", code: EEXIST)) {
            try await place.write(SavedSessions(sessions: [try SampleSessions.session()]))
        }
        #expect(await store.read() == .found(try SampleSessions.all))
    }

    @Test(.enabled(if: geteuid() != 0, "root may write to a directory that nobody may write to"))
    func `reads from a directory that it may not write to`() async throws {
        try await place.write()
        try setMode(0o500, of: place.directory)
        defer { try? setMode(0o700, of: place.directory) }
        #expect(await store.read() == .found(try SampleSessions.all))
        await #expect(throws: StoreProblem.self) { try await place.write(SavedSessions.none) }
        #expect(await store.read() == .found(try SampleSessions.all))
    }

    @Test func `says which path the system refuses`() async throws {
        try Data().write(to: URL(fileURLWithPath: "\(place.home.path)/state"))
        let problem = StoreProblem.system(path: place.directory, code: ENOTDIR)
        #expect(await store.read() == .unavailable(problem))
        await #expect(throws: problem) { try await place.write() }
    }

    @Test func `writes nothing that it would not read`() async throws {
        try await place.write()
        let long = try SampleSessions.session(accessToken: String(repeating: "x", count: 4 << 20))
        await #expect(throws: StoreProblem.system(path: place.file, code: EFBIG)) {
            try await place.write(SavedSessions(sessions: [long]))
        }
        #expect(await store.read() == .found(try SampleSessions.all))
    }

    // MARK: Places

    @Test(arguments: [
        (["XDG_STATE_HOME": "/var/state"], "/var/state/ostiary"), ([:], "/home/jo/.local/state/ostiary"),
        (["XDG_STATE_HOME": ""], "/home/jo/.local/state/ostiary"),
        (["XDG_STATE_HOME": "relative"], "/home/jo/.local/state/ostiary"),
    ])
    func `follows the XDG specification`(_ environment: [String: String], _ directory: String) {
        #expect(FileSessionStore.defaultDirectory(environment: environment, homeDirectory: "/home/jo") == directory)
    }

    @Test func `has one place for whoever runs the program`() throws {
        let store = FileSessionStore.standard(contract: "vici", baseURL: try SampleSessions.baseURL)
        let environment = ProcessInfo.processInfo.environment
        let directory = FileSessionStore.defaultDirectory(
            environment: environment, homeDirectory: environment["HOME"] ?? NSHomeDirectory())
        #expect(store.path == "\(directory)/\(store.name)")
    }

    @Test func `refuses a directory relative to wherever the program runs`() async throws {
        let store = try StoreHome.store(in: "state", keys: .keyFile(directory: "state"))
        let problem = StoreProblem.system(path: "state", code: EINVAL)
        #expect(await store.read() == .unavailable(problem))
        await #expect(throws: problem) { try await store.change { _ in } }
    }

    @Test func `has a file name of its own for each contract and server`() throws {
        let names = try [
            ("vici", "https://a.example/x"), ("vici", "https://a.example/_x"), ("vici", "https://a.example_x"),
            ("vici", "https://a.example/X"), ("vici", "https://a.example:8443/x"), ("vici", "http://localhost/x"),
            ("clarity", "https://a.example/x"), ("vici", "https://a.example/_2fx"),
        ].map { FileSessionStore.fileName(contract: $0, baseURL: try BaseURL($1)) }
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { !$0.contains("/") && !$0.hasPrefix(".") })
        #expect(names[0] == "vici@https_3a_2f_2fa.example_2fx.json")
    }
}
