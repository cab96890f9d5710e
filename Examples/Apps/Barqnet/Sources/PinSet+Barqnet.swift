import OstiaryClient

extension PinSet {
    /// The keys that the server may have: the one it has, and one that is kept in reserve.
    ///
    /// These are nobody's. `ostiary pin` prints those of a certificate; put yours here before a release, or no server is
    /// spoken to. In development, over plain HTTP, there are no keys to check.
    static func ofBarqnet() throws(PinProblem) -> PinSet {
        try PinSet([
            "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
            "sha256/EEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEE=",
        ])
    }
}
