public import Foundation
public import OstiaryAdminAPI
public import OstiaryClient
public import OstiaryCore

/// A client of the admin API of a server.
///
/// ```swift
/// let admin = try AdminClient(baseURL: url, key: key)
/// let account = try await admin.createAccount(AdminAccountCreation(email: "jo@example.com", sendsInvitation: true), in: "vici")
/// for try await event in admin.auditEvents(AdminAuditQuery(app: "vici")) { … }
/// ```
///
/// Requests that are idempotent are repeated after transient failures: those that read, replace and delete, and those that
/// create or act, which carry an `Idempotency-Key` of their call. Redirects are not followed, so that no other host receives
/// the key.
public struct AdminClient: Sendable {
    /// The URL of the admin listener, to which the paths of the API are appended.
    public let baseURL: BaseURL
    let requests: AdminRequests

    /// Creates a client of a server.
    ///
    /// - Parameters:
    ///   - baseURL: The URL of the admin listener: `https`, or `http` to this machine.
    ///   - key: The service key, `ostk_…`. It leaves the client in the `Authorization` header only.
    ///   - transport: The transport that carries every request. It must not follow redirects.
    ///   - retries: The rules by which an idempotent request is repeated.
    ///   - deadline: The time limit of one call, with its repetitions.
    ///   - system: The clock and the source of randomness.
    /// - Throws: ``AdminError/invalidURL(_:)``; ``AdminError/invalidKey``.
    public init(
        baseURL: URL, key: Secret<String>, transport: any Transport = AdminClient.transport(),
        retries: RetryPolicy = .standard, deadline: Duration = .seconds(30), system: ClientDependencies = .system
    ) throws(AdminError) {
        do { self.baseURL = try BaseURL(baseURL.absoluteString) } catch { throw .invalidURL(error) }
        let bytes = key.reveal().utf8
        guard (1...512).contains(bytes.count), bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .invalidKey
        }
        requests = AdminRequests(
            baseURL: self.baseURL, key: key, transport: transport, retries: retries, deadline: deadline, system: system)
    }

    /// Returns a transport on URLSession for answers of the admin API, which are longer than those of accounts.
    ///
    /// - Parameter maximumBodyBytes: The maximum length of an answer's body, after decompression.
    public static func transport(maximumBodyBytes: Int = 16 << 20) -> any Transport {
        URLSessionTransport(maximumBodyBytes: maximumBodyBytes)
    }
}

extension AdminClient: CustomStringConvertible {
    /// The base URL, without the key.
    public var description: String { baseURL.text }
}

extension AdminClient {
    /// Performs an operation by its description.
    ///
    /// The methods of the client call it; it performs operations for which there is no method.
    ///
    /// - Parameters:
    ///   - endpoint: The operation, such as ``OstiaryAdminAPI/AdminAPI/getAccount``.
    ///   - path: The values of the path's parameters, in their order.
    ///   - idempotencyKey: The key under which the server performs a `POST` once within 24 hours; nil to generate one for
    ///     this call.
    /// - Throws: ``AdminError``.
    public func perform<Query, Body, Answer>(
        _ endpoint: AdminEndpoint<Query, Body, Answer>, path: [String] = [], query: Query = Query(),
        body: Body = Body(),
        idempotencyKey: String? = nil
    ) async throws(AdminError) -> Answer {
        try await requests.perform(endpoint, path: path, query: query, body: body, idempotencyKey: idempotencyKey)
    }
}
