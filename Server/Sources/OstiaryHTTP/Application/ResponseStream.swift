/// The body of a response that is written while it is made, so that its length is not limited by memory.
///
/// Compared by identity.
package final class ResponseStream: Sendable {
    /// Writes the parts of the body. An error ends the connection, so that a client notices the missing rest.
    let write: @Sendable (_ part: (_ bytes: [UInt8]) async throws -> Void) async throws -> Void

    package init(
        _ write: @escaping @Sendable (_ part: (_ bytes: [UInt8]) async throws -> Void) async throws -> Void
    ) {
        self.write = write
    }
}

extension ResponseStream: Hashable {
    package static func == (one: ResponseStream, other: ResponseStream) -> Bool { one === other }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
