/// The capabilities of the platform that this build targets.
enum Platform {
    /// `true` if the platform has a keychain for sessions.
    static let hasKeychain: Bool = {
        #if canImport(Security)
        true
        #else
        false
        #endif
    }()
}
