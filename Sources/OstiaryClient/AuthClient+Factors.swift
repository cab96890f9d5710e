public import OstiaryCore

extension AuthClient {
    // MARK: Second factors

    /// Returns the account's second factors in order of creation, and the number of unused recovery codes.
    ///
    /// - Throws: ``ClientError/notSignedIn``, ``ClientError/locked``, or the failure of the request.
    public func factors() async throws(ClientError) -> FactorList {
        try await authorized { ListFactors(accessToken: $0) }.answer
    }

    /// Begins to add an authenticator app. Show the URI as a QR code or a button, and the secret as text, then call
    /// ``confirmTOTP(_:code:name:)`` within ten minutes.
    ///
    /// - Throws: ``ClientError/refused(_:)`` with `AuthError.stepUpRequired` unless the session was authenticated recently;
    ///   with `AuthError.factorLimitReached` for an account with ten factors.
    public func addTOTP() async throws(ClientError) -> PendingTOTP {
        try await authorized { BeginTOTP(accessToken: $0) }.answer
    }

    /// Adds the authenticator app with a code that it shows. The account's other sessions end.
    ///
    /// - Parameters:
    ///   - code: The code as the user typed it.
    ///   - name: The name of the factor, of 1 to 64 code points; nil for the server's default.
    /// - Returns: The recovery codes, to be shown once; nil if the account has recovery codes already.
    /// - Throws: ``ClientError/refused(_:)`` with `AuthError.invalid` for a text that is not a code, before anything is sent;
    ///   with `AuthError.codeRefused` for a wrong code; with `AuthError.notFound` after ten minutes.
    public func confirmTOTP(
        _ pending: PendingTOTP, code: String, name: String? = nil
    ) async throws(ClientError) -> [Secret<String>]? {
        let code = try parsed(.code, code, OneTimeCode.init)
        let (name, id) = (try factorName(name), pending.factorID)
        return try await authorized { token in
            ConfirmTOTP(accessToken: token, factorID: id, code: code, name: name)
        }.answer.addedBySession().codes
    }

    /// Renames one of ``factors()``.
    ///
    /// - Throws: ``ClientError/refused(_:)`` with `AuthError.stepUpRequired`, or the failure of the request.
    @discardableResult
    public func renameFactor(_ id: FactorID, to name: String) async throws(ClientError) -> EnrolledFactor {
        let name = try parsed(.name, name, FactorName.init)
        return try await authorized { RenameFactor(accessToken: $0, factorID: id, name: name) }.answer
    }

    /// Removes one of ``factors()``, and with the last one the recovery codes.
    ///
    /// - Throws: ``ClientError/refused(_:)`` with `AuthError.stepUpRequired`, or the failure of the request.
    public func removeFactor(_ id: FactorID) async throws(ClientError) {
        _ = try await authorized { RemoveFactor(accessToken: $0, factorID: id) }
    }

    /// Replaces the recovery codes; earlier ones stop working.
    ///
    /// - Returns: The new codes, to be shown once.
    /// - Throws: ``ClientError/refused(_:)`` with `AuthError.stepUpRequired`; with `AuthError.notFound` for an account
    ///   without a factor.
    public func replaceRecoveryCodes() async throws(ClientError) -> [Secret<String>] {
        try await authorized { ReplaceRecoveryCodes(accessToken: $0) }.answer.codes ?? []
    }
}
