import Crypto
import Foundation
import OstiaryCore
import OstiaryEngine
@testable import OstiaryIdentities
import Synchronization
import Testing

/// The list of compromised passwords, as a file and as a range API.
@Suite struct CompromisedPasswordTests {
    private static func password(_ number: Int) -> Secret<String> { Secret("password-\(number)") }

    private static func hash(_ password: Secret<String>) -> String {
        Insecure.SHA1.hash(data: Data(password.reveal().utf8)).map {
            String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
        }
        .joined().uppercased()
    }

    /// Returns the lines of a source in ascending order.
    private static func lines(_ numbers: Range<Int>) -> [String] {
        numbers.map { hash(password($0)) }.sorted().map { "\($0):\($0.utf8.count)" }
    }

    private func withFolder<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pwned-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder)
    }

    private func build(_ text: String, in folder: URL) throws -> Data {
        let source = folder.appending(path: "source.txt")
        try Data(text.utf8).write(to: source)
        let output = Output()
        let count = try CompromisedPasswordListBuilder(source: source.path).build { output.data += $0 }
        #expect(count == UInt64(text.split(whereSeparator: \.isNewline).count))
        return output.data
    }

    private final class Output { var data = Data() }

    @Test(arguments: [0, 1, 2, 127, 128, 129, 5000])
    func `a list contains each of its passwords`(count: Int) async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "pwned.bin")
            try build(Self.lines(0..<count).joined(separator: "\n"), in: folder).write(to: file)
            let list = try CompromisedPasswordList(path: file.path)
            #expect(list.count == UInt64(count))
            for number in 0..<count { #expect(await list.contains(Self.password(number)), "\(number)") }
        }
    }

    @Test func `a list takes at most 16 bits a password and one false positive in 1,000`() async throws {
        try await withFolder { folder in
            let count = 20_000
            let data = try build(Self.lines(0..<count).joined(separator: "\r\n") + "\r\n", in: folder)
            #expect(data.count * 8 <= count * 16)
            let file = folder.appending(path: "pwned.bin")
            try data.write(to: file)
            let list = try CompromisedPasswordList(path: file.path)
            var found = 0
            for number in count..<(count + 50_000) where await list.contains(Self.password(number)) { found += 1 }
            #expect(found <= 50)
        }
    }

    @Test func `a list with repeated hashes contains them`() async throws {
        try await withFolder { folder in
            let line = Self.hash(Self.password(1))
            let file = folder.appending(path: "pwned.bin")
            try build([String](repeating: line, count: 300).joined(separator: "\n"), in: folder).write(to: file)
            let list = try CompromisedPasswordList(path: file.path)
            #expect(await list.contains(Self.password(1)))
            #expect(await !list.contains(Self.password(2)))
        }
    }

    @Test func `a damaged file is refused wherever it is damaged`() async throws {
        try await withFolder { folder in
            let data = try build(Self.lines(0..<1000).joined(separator: "\n"), in: folder)
            let file = folder.appending(path: "pwned.bin")
            for position in stride(from: 0, to: data.count, by: 29) {
                var damaged = data
                damaged[position] ^= 0x10
                try damaged.write(to: file)
                let error = #expect(throws: CompromisedPasswordFileProblem.self) {
                    try CompromisedPasswordList(path: file.path)
                }
                #expect(error == (position < 8 ? .unknownForm : .damaged), "\(position)")
            }
            for length in [0, 8, 55, 56, data.count - 1] {
                try data.prefix(length).write(to: file)
                #expect(throws: CompromisedPasswordFileProblem.self) { try CompromisedPasswordList(path: file.path) }
            }
            #expect(throws: CompromisedPasswordFileProblem.unreadable) {
                try CompromisedPasswordList(path: folder.appending(path: "none").path)
            }
        }
    }

    @Test(arguments: [
        ("x", "line 1: it does not begin with a SHA-1 hash of 40 hexadecimal digits"),
        (String(repeating: "A", count: 39), "line 1: it does not begin with a SHA-1 hash of 40 hexadecimal digits"),
        (String(repeating: "A", count: 41), "line 1: it does not begin with a SHA-1 hash of 40 hexadecimal digits"),
        (
            "\(String(repeating: "B", count: 40))\n\(String(repeating: "A", count: 40))",
            "line 2: the hashes are not in ascending order"
        ),
        (
            "\(String(repeating: "A", count: 40))\n\n",
            "line 2: it does not begin with a SHA-1 hash of 40 hexadecimal digits"
        ),
        ("\(String(repeating: "A", count: 40)):\(String(repeating: "1", count: 300))\n", ""),
    ])
    func `refuses a source that is not a list of hashes`(text: String, problem: String) async throws {
        try await withFolder { folder in
            guard !problem.isEmpty else { return _ = try build(text, in: folder) }
            #expect(throws: CompromisedPasswordListBuilder.Problem(description: problem)) {
                try build(text, in: folder)
            }
        }
    }

    // MARK: Range API

    private struct Answering: UpstreamTransport {
        let answer: UpstreamResponse?
        let asked: Requests

        final class Requests: Sendable {
            let urls = Mutex<[String]>([])
        }

        func send(_ request: UpstreamRequest) async throws -> UpstreamResponse {
            asked.urls.withLock { $0.append(request.url) }
            guard let answer else { throw UpstreamProblem.addressRefused }
            return answer
        }
    }

    private func range(
        _ status: Int?, _ body: String = ""
    ) -> (list: CompromisedPasswordRange, failures: CompromisedPasswordFailures, asked: Answering.Requests) {
        let asked = Answering.Requests()
        let answer = status.map { UpstreamResponse(status: $0, body: Array(body.utf8)) }
        let failures = CompromisedPasswordFailures()
        let client = UpstreamClient(transport: Answering(answer: answer, asked: asked), system: .system)
        return (
            CompromisedPasswordRange(url: "https://range.example.com/range/", client: client, failures: failures),
            failures, asked
        )
    }

    @Test(arguments: [("3", true), ("0", false), ("10", true), ("", false), ("00", false)])
    func `asks with five digits and compares the rest`(count: String, isFound: Bool) async throws {
        let hash = Self.hash(Self.password(7))
        let other = String(repeating: "F", count: 35)
        let (list, failures, asked) = range(200, "\(other):9\r\n\(hash.dropFirst(5)):\(count)\r\n\(other):2")
        #expect(await list.contains(Self.password(7)) == isFound)
        #expect(await !list.contains(Self.password(8)))
        #expect(asked.urls.withLock { $0.first } == "https://range.example.com/range/\(hash.prefix(5))")
        #expect(failures.count == 0)
    }

    @Test(arguments: [nil, 503, 404, 302]) func `without an answer a password is accepted and counted`(status: Int?)
        async
    {
        let (list, failures, _) = range(status, "\(Self.hash(Self.password(7)).dropFirst(5)):3")
        #expect(await !list.contains(Self.password(7)))
        #expect(failures.count == 1)
    }
}
