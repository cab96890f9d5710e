import OstiaryCore

extension ForgetDevice: EngineOperation {
    var handler: ForgetDeviceHandler { ForgetDeviceHandler(call: self) }
}

/// Forgets one of the devices that the account recognizes.
struct ForgetDeviceHandler: OperationHandler {
    let call: ForgetDevice

    static let action = ForgetDevice.kind

    func perform(in engine: AuthEngine) async throws -> Outcome<Done> {
        let account = try await engine.signedIn(call.accessToken).account
        let isForgotten = try await engine.ports.store.forgetDevice(call.deviceID, of: account.id, in: engine.app.name)
        // Another account's device is reported as not found.
        guard isForgotten else { throw AuthError.notFound }
        return Outcome(Done(), account: account.id)
    }
}
