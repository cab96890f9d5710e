import OstiaryContracts
@testable import OstiaryHTTP

extension ServerResponse {
    /// Returns the body, also one that is written while it is made.
    func wholeBody() async throws -> [UInt8] {
        guard let stream else { return self.body }
        var bytes: [UInt8] = []
        try await stream.write { bytes += $0 }
        return bytes
    }
}
