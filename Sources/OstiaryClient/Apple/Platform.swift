/// What this build was made for.
enum Platform {
    /// Whether sessions can be kept in a keychain.
    static let hasKeychain: Bool = {
        #if canImport(Security)
        true
        #else
        false
        #endif
    }()
}
