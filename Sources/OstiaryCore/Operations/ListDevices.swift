/// Returns the devices that the account recognizes, the most recently used first.
public struct ListDevices: AuthOperation {
    /// The access token of the session that makes the request.
    public var accessToken: Secret<String>

    /// Creates the operation from its parts.
    public init(accessToken: Secret<String>) {
        self.accessToken = accessToken
    }
}

extension ListDevices {
    /// The result of the operation if it succeeds.
    public typealias Answer = DeviceList

    /// The description of this operation, ``OperationKind/listDevices``.
    public static let description = OperationDescription(
        .listDevices,
        summary: "Lists the devices that the account recognizes",
        authorization: .required,
        request: FieldSet([]),
        answer: FieldSet([.devices]),
        attempts: .other,
        auditing: .never,
        device: .presented,
        endpoint: { _ in .get("/devices") },
        takes: { _ in [] },
        answers: { _ in .shape(.fields([.required(.devices)])) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields { .bearing(accessToken) }
    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalidAccessToken` without an access token.
    public init(_ fields: Fields) throws(AuthError) { self.init(accessToken: try fields.bearer()) }
}

/// The devices that an account recognizes.
public struct DeviceList: Hashable, Sendable {
    /// The devices, the most recently used first.
    public var devices: [DeviceSummary]

    /// Creates a list from its parts.
    public init(devices: [DeviceSummary]) { self.devices = devices }
}

extension DeviceList: OperationAnswer {
    /// The answer's content by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields[.devices] = .list(devices.map(\.fields))
        return fields
    }

    /// Creates the answer from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        guard case .list(let entries) = fields[.devices] else { throw .invalid(.devices, .missing) }
        var devices: [DeviceSummary] = []
        for entry in entries { devices.append(try DeviceSummary(entry)) }
        self.init(devices: devices)
    }
}
