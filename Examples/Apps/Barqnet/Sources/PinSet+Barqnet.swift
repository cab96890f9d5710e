import OstiaryClient

extension PinSet {
    /// The keys that the server may have: the one in use, and a backup key that is kept offline.
    ///
    /// These are placeholders, which match no key. `ostiary pin` prints those of a certificate: put yours here before a
    /// release, because otherwise the client refuses every server. In development, over plain HTTP, there are no keys
    /// to check.
    static func ofBarqnet() throws(PinProblem) -> PinSet {
        try PinSet([
            "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
            "sha256/EEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEE=",
        ])
    }
}
