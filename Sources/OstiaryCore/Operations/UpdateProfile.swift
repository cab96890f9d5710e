/// Changes what a person may change about themselves. What is nil stays as it is.
public struct UpdateProfile: AuthOperation {
    public var accessToken: Secret<String>
    public var fullName: PersonName?

    public init(accessToken: Secret<String>, fullName: PersonName? = nil) {
        self.accessToken = accessToken
        self.fullName = fullName
    }

    public static let kind = OperationKind.updateProfile
    public func perform(by service: some AuthService) async throws(AuthError) -> User {
        try await service.updateProfile(self)
    }
}
