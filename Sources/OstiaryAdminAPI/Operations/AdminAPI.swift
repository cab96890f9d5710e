public import OstiaryCore

/// The admin API: its paths, limits and operations.
///
/// Each operation is one constant, such as ``listAccounts``.
public enum AdminAPI {
    /// The path that the paths of all operations begin with.
    public static let basePath = "/admin/v1"
    /// The path of the OpenAPI document, below ``basePath``.
    public static let openAPIPath = "/openapi.json"
    /// The number of items in a page without a `limit`.
    public static let defaultPageLimit = 50
    /// The maximum number of items in a page.
    public static let maximumPageLimit = 200
    /// The maximum length of a request's body, in bytes.
    public static let maximumBodyBytes = 1 << 16
    /// The beginning of every service key.
    public static let keyPrefix = "ostk_"
    /// The header of a request that is performed once, however often it is sent.
    public static let idempotencyKeyHeader = "idempotency-key"
    /// The maximum length of an `Idempotency-Key`, in bytes: visible ASCII.
    public static let maximumIdempotencyKeyBytes = 255

    /// All operations, in the order of the documentation.
    public static let operations: [AdminOperation] =
        appOperations + accountOperations + sessionOperations + roleOperations + recordOperations + eventOperations
        + signingKeyOperations

    /// The outcome of looking for the operation of a request.
    public enum Match: Sendable {
        /// An operation, with the values of its path's parameters.
        case found(AdminOperation, [String])
        /// The path exists, for other methods.
        case wrongMethod(allowed: [Endpoint.Method])
        /// No operation has the path.
        case unknownPath
    }

    /// Returns the operation of a request.
    ///
    /// - Parameter path: The path below ``basePath``, percent-encoded.
    public static func match(method: String, path: String) -> Match {
        guard path.utf8.first == UInt8(ascii: "/"), path.utf8.count <= 2048 else { return .unknownPath }
        var segments: [String] = []
        for segment in path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let text = PercentEncoding.decode(Substring(segment)) else { return .unknownPath }
            segments.append(text)
        }
        var allowed: [Endpoint.Method] = []
        for operation in operations {
            guard let values = operation.values(in: segments) else { continue }
            if operation.method.rawValue.utf8.elementsEqual(method.utf8) { return .found(operation, values) }
            allowed.append(operation.method)
        }
        return allowed.isEmpty ? .unknownPath : .wrongMethod(allowed: allowed)
    }
}
