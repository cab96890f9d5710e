public import OstiaryCore

extension Register: WireOperation {
    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.email, email?.text)
        fields.set(.username, username?.text)
        fields.set(.phoneNumber, phoneNumber?.e164)
        fields.set(.password, password)
        fields.set(.fullName, fullName?.text)
        fields.set(.code, code?.reveal())
        // Clarity's API documents `rememberMe` for sign-in, but not for registration.
        fields.setSessionOptions(rememberMe: rememberMe ? true : nil, device: device)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(
            email: try fields.email(), username: try fields.username(), phoneNumber: try fields.phoneNumber(),
            password: try required(fields.secret(.password), .password), fullName: try fields.fullName(),
            code: try fields.code(), rememberMe: try fields.flag(.rememberMe) ?? false, device: try fields.device())
    }
}

extension ConfirmRegistration: WireOperation {
    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.registrationToken, token)
        fields.set(.password, password)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(
            token: try required(fields.secret(.registrationToken), .registrationToken),
            password: try required(fields.secret(.password), .password))
    }
}

extension SignIn: WireOperation {
    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        switch identifier {
        case .email(let email): fields.set(.email, email.text)
        case .phoneNumber(let number): fields.set(.phoneNumber, number.e164)
        case .username(let username): fields.set(.username, username.text)
        }
        fields.set(.password, password)
        fields.setSessionOptions(rememberMe: rememberMe, device: device)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        let identifier: Identifier
        if let username = try fields.username() {
            identifier = .username(username)
        } else if let number = try fields.phoneNumber() {
            identifier = .phoneNumber(number)
        } else {
            identifier = .email(try required(fields.email(), .email))
        }
        self.init(
            identifier: identifier, password: try required(fields.secret(.password), .password),
            rememberMe: try fields.flag(.rememberMe) ?? false, device: try fields.device())
    }
}

extension CurrentUser: WireOperation {
    /// The operation's parameters by canonical field name.
    public var fields: Fields { .bearing(accessToken) }
    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalidAccessToken` without an access token.
    public init(_ fields: Fields) throws(AuthError) { self.init(accessToken: try fields.bearer()) }
}

extension UpdateProfile: WireOperation {
    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields.bearing(accessToken)
        fields.set(.fullName, fullName?.text)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalidAccessToken` without an access token; `AuthError.invalid` for a field that is
    ///   missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(accessToken: try fields.bearer(), fullName: try fields.fullName())
    }
}

extension DeleteAccount: WireOperation {
    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields.bearing(accessToken)
        fields.set(.password, password)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalidAccessToken` without an access token; `AuthError.invalid` for a field that is
    ///   missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(accessToken: try fields.bearer(), password: try fields.secret(.password))
    }
}

extension Fields {
    /// Returns fields that contain only the access token.
    static func bearing(_ accessToken: Secret<String>) -> Fields {
        var fields = Fields()
        fields.set(.accessToken, accessToken)
        return fields
    }

    /// Returns the access token of the request.
    ///
    /// - Throws: `AuthError.invalidAccessToken` if there is none.
    func bearer() throws(AuthError) -> Secret<String> {
        guard let token = try secret(.accessToken) else { throw .invalidAccessToken }
        return token
    }

    func email() throws(AuthError) -> EmailAddress? {
        try parsed(.email) { (text) throws(FieldProblem) in try EmailAddress(text) }
    }
    func username() throws(AuthError) -> Username? {
        try parsed(.username) { (text) throws(FieldProblem) in try Username(text) }
    }
    func phoneNumber() throws(AuthError) -> PhoneNumber? {
        try parsed(.phoneNumber) { (text) throws(FieldProblem) in try PhoneNumber(text) }
    }
    func fullName() throws(AuthError) -> PersonName? {
        try parsed(.fullName) { (text) throws(FieldProblem) in try PersonName(text) }
    }
    func code() throws(AuthError) -> OneTimeCode? {
        try parsed(.code) { (text) throws(FieldProblem) in try OneTimeCode(text) }
    }

    mutating func setSessionOptions(rememberMe: Bool?, device: DeviceInfo?) {
        self[.rememberMe] = rememberMe.map { .flag($0) }
        self[.deviceInfo] = device.map { .object($0.fields) }
    }

    func device() throws(AuthError) -> DeviceInfo? {
        guard let fields = try object(.deviceInfo) else { return nil }
        return try DeviceInfo(fields)
    }
}

extension DeviceInfo {
    var fields: Fields {
        var fields = Fields()
        fields.set(.deviceId, deviceID)
        fields.set(.platform, platform)
        fields.set(.osVersion, osVersion)
        fields.set(.appVersion, appVersion)
        return fields
    }

    init(_ fields: Fields) throws(AuthError) {
        self.init(
            deviceID: try fields.text(.deviceId),
            platform: try fields.text(.platform),
            osVersion: try fields.text(.osVersion),
            appVersion: try fields.text(.appVersion))
    }
}
