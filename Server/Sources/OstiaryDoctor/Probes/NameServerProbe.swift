import Foundation
import OstiaryResolver

/// Asks name servers for TXT records.
package struct NameServerProbe: Sendable {
    /// The IPv4 address and the port of the only server to ask; nil for those of the system.
    private let server: (address: String, port: UInt16)?

    private static let timeoutSeconds: Int32 = 2
    private static let capacity = 16_384
    /// The longest name. Source: RFC 1035 §2.3.4.
    private static let longestName = 253

    /// - Parameter server: `ADDRESS` or `ADDRESS:PORT`, an IPv4 address; nil for those of the system.
    /// - Returns: Nil for another text.
    package init?(server: String?) {
        guard let server else {
            self.server = nil
            return
        }
        let parts = server.split(separator: ":", omittingEmptySubsequences: false)
        var address = in_addr()
        guard (1...2).contains(parts.count), inet_pton(AF_INET, String(parts[0]), &address) == 1,
            let port = parts.count == 2 ? UInt16(parts[1]) : 53, port > 0
        else { return nil }
        self.server = (String(parts[0]), port)
    }

    /// Runs on a thread of its own, since the C library waits.
    package func texts(of name: String) async -> TextRecords {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: ask(name)) }
        }
    }

    private func ask(_ name: String) -> TextRecords {
        guard name.utf8.count <= Self.longestName, !name.utf8.contains(0) else { return .records([]) }
        var buffer = [UInt8](repeating: 0, count: Self.capacity)
        let answer = buffer.withUnsafeMutableBufferPointer { records in
            name.withCString { name in
                (server?.address ?? "").withCString { address in
                    var question = ostiary_dns_question()
                    question.name = name
                    question.server = server == nil ? nil : address
                    question.port = server?.port ?? 0
                    question.timeout = Self.timeoutSeconds
                    question.records = records.baseAddress
                    question.capacity = records.count
                    return ostiary_dns_texts(&question)
                }
            }
        }
        switch answer.outcome {
        case OSTIARY_DNS_ANSWERED: return .records(Self.texts(in: buffer.prefix(answer.length)))
        case OSTIARY_DNS_NONE: return .records([])
        default: return .unanswered
        }
    }

    private static func texts(in bytes: ArraySlice<UInt8>) -> [String] {
        var texts: [String] = []
        var rest = bytes
        while rest.count >= 2 {
            let length = Int(rest[rest.startIndex]) << 8 | Int(rest[rest.startIndex + 1])
            rest = rest.dropFirst(2)
            texts.append(String(ascii: rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        return texts
    }
}
