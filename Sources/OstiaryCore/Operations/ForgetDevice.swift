/// Forgets one of the devices that the account recognizes. Its sessions continue.
///
/// Throws ``AuthError/notFound`` for a device that does not belong to the account.
public struct ForgetDevice: AuthOperation {
    /// The access token of the session that makes the request.
    public var accessToken: Secret<String>
    /// The device to forget.
    public var deviceID: DeviceID

    /// Creates the operation from its parts.
    public init(accessToken: Secret<String>, deviceID: DeviceID) {
        self.accessToken = accessToken
        self.deviceID = deviceID
    }
}

extension ForgetDevice {
    /// The result of the operation if it succeeds.
    public typealias Answer = Done

    /// The description of this operation, ``OperationKind/forgetDevice``.
    public static let description = OperationDescription(
        .forgetDevice,
        summary: "Forgets one of the devices that the account recognizes",
        authorization: .required,
        request: FieldSet([.recognizedDeviceId]),
        refusals: [404],
        attempts: .other,
        endpoint: { _ in Endpoint(.delete, "/devices/{recognizedDeviceId}") },
        takes: { _ in [] },
        answers: { _ in .shape(.nothing) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields.bearing(accessToken)
        fields.set(.recognizedDeviceId, deviceID.text)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalidAccessToken` without an access token; `AuthError.notFound` for a missing or
    ///   malformed device id.
    public init(_ fields: Fields) throws(AuthError) {
        let accessToken = try fields.bearer()
        // A malformed id cannot belong to any device.
        guard case .text(let text) = fields[.recognizedDeviceId], let id = try? DeviceID(text) else { throw .notFound }
        self.init(accessToken: accessToken, deviceID: id)
    }
}
