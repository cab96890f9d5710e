/// Changes the profile fields that users may edit themselves. A nil property leaves the field unchanged.
public struct UpdateProfile: AuthOperation {
    /// The access token of the session.
    public var accessToken: Secret<String>
    /// The new display name; nil leaves it unchanged.
    public var fullName: PersonName?

    /// Creates the operation from its parts.
    public init(accessToken: Secret<String>, fullName: PersonName? = nil) {
        self.accessToken = accessToken
        self.fullName = fullName
    }

    /// The name of this operation, ``OperationKind/updateProfile``.
    public static let kind = OperationKind.updateProfile
    /// Calls ``AuthService/updateProfile(_:)``.
    public func perform(by service: some AuthService) async throws(AuthError) -> User {
        try await service.updateProfile(self)
    }
}
