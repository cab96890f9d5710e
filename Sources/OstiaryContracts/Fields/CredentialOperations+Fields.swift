public import OstiaryCore

extension RequestCode: WireOperation {
    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.phoneNumber, phoneNumber.e164)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(phoneNumber: try required(fields.phoneNumber(), .phoneNumber))
    }
}

extension VerifyCode: WireOperation {
    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.phoneNumber, phoneNumber.e164)
        fields.set(.code, code.reveal())
        fields.set(.codeSession, codeSession)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(
            phoneNumber: try required(fields.phoneNumber(), .phoneNumber), code: try required(fields.code(), .code),
            codeSession: try required(fields.text(.codeSession), .codeSession))
    }
}

extension ChangePassword: WireOperation {
    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields.bearing(accessToken)
        fields.set(.currentPassword, currentPassword)
        fields.set(.newPassword, newPassword)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalidAccessToken` without an access token; `AuthError.invalid` for a field that is
    ///   missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(
            accessToken: try fields.bearer(),
            currentPassword: try required(fields.secret(.currentPassword), .currentPassword),
            newPassword: try required(fields.secret(.newPassword), .newPassword))
    }
}

extension RequestPasswordReset: WireOperation {
    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.email, email.text)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) { self.init(email: try required(fields.email(), .email)) }
}

extension ResetPassword: WireOperation {
    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        switch proof {
        case .token(let token): fields.set(.resetToken, token)
        case .code(let code, let number):
            fields.set(.phoneNumber, number.e164)
            fields.set(.code, code.reveal())
        }
        fields.set(.password, password)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        let proof: Proof
        if let number = try fields.phoneNumber() {
            proof = .code(try required(fields.code(), .code), number)
        } else {
            proof = .token(try required(fields.secret(.resetToken), .resetToken))
        }
        self.init(proof: proof, password: try required(fields.secret(.password), .password))
    }
}
