import CCrypt
import Foundation
import Hummingbird
import Logging
import NIOCore
import Synchronization

/// The peers that Ostiary is compared with: a bare Hummingbird route that returns given bytes, and bare bcrypt on every
/// core.
@main
struct BenchPeers {
    static func main() async throws {
        let arguments = CommandLine.arguments
        switch arguments.dropFirst().first {
        case "route" where arguments.count == 4:
            try await serve(port: Int(arguments[2]) ?? 0, body: arguments[3])
        case "bcrypt" where arguments.count == 3:
            hash(seconds: Double(arguments[2]) ?? 5)
        default:
            FileHandle.standardError.write(Data("usage: bench-peers route PORT BODY | bcrypt SECONDS\n".utf8))
            exit(64)
        }
    }

    private static func serve(port: Int, body: String) async throws {
        let router = Router()
        router.get("/") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/json; charset=utf-8"],
                body: .init(byteBuffer: ByteBuffer(string: body)))
        }
        var log = Logger(label: "bench-peers")
        log.logLevel = .error
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)), logger: log)
        try await application.runService()
    }

    /// Prints the number of hashes of cost 10 that all cores compute together in a second.
    private static func hash(seconds: Double) {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let count = Atomic(0)
        let start = Date()
        DispatchQueue.concurrentPerform(iterations: cores) { _ in
            let data = UnsafeMutablePointer<crypt_data>.allocate(capacity: 1)
            data.initialize(to: crypt_data())
            defer { data.deallocate() }
            while Date().timeIntervalSince(start) < seconds {
                _ = crypt_r("correct horse battery", "$2b$10$abcdefghijklmnopqrstuu", data)
                count.add(1, ordering: .relaxed)
            }
        }
        print(Double(count.load(ordering: .relaxed)) / Date().timeIntervalSince(start))
    }
}
