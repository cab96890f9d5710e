/// Keeps the id of the attested key with the sessions.
struct AppAttestKeyStorage: Sendable {
    /// Returns the id of the attested key; `nil` if there is none, or the store is unavailable.
    var read: @Sendable () async -> [UInt8]?
    /// Stores the id of the attested key; `nil` to forget it.
    var keep: @Sendable ([UInt8]?) async -> Void
}
