import CPublicSuffix

/// The domains below which anybody can register a name, so that they are no RP ID. Source: the Public Suffix List, by libpsl;
/// WebAuthn Level 3 §4; HTML Standard, registrable domain.
enum PublicSuffix {
    /// Returns `true` for a top-level domain, and for a domain on the list.
    ///
    /// - Parameter domain: An ASCII domain in lower case.
    static func contains(_ domain: String) -> Bool {
        psl_is_public_suffix(psl_builtin(), domain) != 0
    }
}
