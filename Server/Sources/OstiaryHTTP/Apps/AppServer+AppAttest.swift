import Crypto
import OstiaryContracts
import OstiaryCore
import OstiaryEngine

extension AppServer {
    /// Returns the caller with the assertion of App Attest that the request presents, for an operation that needs one.
    ///
    /// - Parameter request: Its path is relative to the app's base.
    func presentingAssertion(_ caller: Caller, of request: WireRequest, for description: OperationDescription) -> Caller
    {
        guard description.needsAppAssertion, engine.app.appAttest != nil,
            let value = request.headers[AppAssertionHeader.name]
        else { return caller }
        var caller = caller
        let presented = AppAssertionHeader.read(value)
        caller.appAssertion = PresentedAppAssertion(
            keyID: presented?.keyID ?? [], assertion: presented?.assertion ?? [],
            clientData: AppAssertionHeader.clientData(
                method: request.method, path: SignedTarget.path(of: caller.baseURL) + request.path,
                bodySHA256: Array(SHA256.hash(data: request.body))))
        return caller
    }
}
