import Foundation
package import OstiaryClient
package import OstiaryContracts
import OstiaryNIO

/// Requests to other systems, whose answers are read whole: TLS 1.2 or later with verified certificates, no redirect, no proxy,
/// no cookies, no decompression. Connections are kept for the next request.
package struct WebClient: Sendable {
    private let transport: NIOTransport

    /// Creates a client without opening a connection.
    ///
    /// - Parameters:
    ///   - authoritiesFile: A PEM file of the only authorities to trust; nil for the system's.
    ///   - maximumBodyBytes: The length of the longest answer's body.
    /// - Throws: An error of the file, `TrustRootsProblem` if it has no certificates.
    package init(authoritiesFile: String? = nil, maximumBodyBytes: Int) throws {
        let roots = try authoritiesFile.map { file in
            try TrustRoots(pem: Data(contentsOf: URL(fileURLWithPath: file)))
        }
        transport = try NIOTransport(roots: roots ?? .system, maximumBodyBytes: maximumBodyBytes)
    }

    /// Sends a request and reads the whole answer, of any status.
    ///
    /// - Parameters:
    ///   - url: An absolute http or https URL, percent-encoded, without user and fragment.
    ///   - deadline: The time for everything, from the name lookup to the last byte of the answer.
    /// - Throws: ``TransportError``: ``TransportError/unsendable`` for another URL.
    package func send(
        _ method: String, _ url: String, headers: [String: String] = [:], body: [UInt8] = [], within deadline: Duration
    ) async throws(TransportError) -> WireResponse {
        let bytes = Array(url.utf8)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8) else {
            throw .unsendable
        }
        let end = bytes[(colon + 3)...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.endIndex
        let mark = bytes[end...].firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
        // Plain HTTP is the caller's decision.
        guard let origin = try? BaseURL(String(decoding: bytes[..<end], as: UTF8.self), allowsPlainHTTP: true) else {
            throw .unsendable
        }
        let request = WireRequest(
            method: method, path: String(decoding: bytes[end..<mark], as: UTF8.self),
            query: String(decoding: bytes[mark...].dropFirst(), as: UTF8.self), headers: headers, body: body)
        return try await transport.send(request, to: origin, within: deadline)
    }
}
