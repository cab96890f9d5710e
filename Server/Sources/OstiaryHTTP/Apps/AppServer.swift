package import OstiaryContracts
import OstiaryCore
package import OstiaryEngine

/// One app on the wire: its contract's codec in front of its engine. Knows no socket.
///
/// A class because every request passes it on: copying all that it holds would cost more than most requests.
package final class AppServer: Sendable {
    package let codec: Codec
    package let engine: AuthEngine
    /// The public keys as a JWK set; nil where tokens are signed with a shared secret.
    package let publicKeys: @Sendable () async throws -> [UInt8]?
    /// How the app's pages look.
    let frame: PageFrame
    /// `/openapi.json`
    let openAPIDocument = RenderedDocument()
    /// What browsers come for, by path.
    private let browserEndpoints: [String: BrowserEndpoint]

    /// - Parameter frame: Nil for pages that go by the app's name.
    package init(
        codec: Codec, engine: AuthEngine, frame: PageFrame? = nil,
        publicKeys: @escaping @Sendable () async throws -> [UInt8]? = { nil }
    ) {
        self.codec = codec
        self.engine = engine
        self.publicKeys = publicKeys
        self.frame =
            frame
            ?? PageFrame(name: engine.app.name.text, keys: engine.ports.keys, isSecure: false, isDevelopment: false)
        browserEndpoints = BrowserEndpoint.all(of: codec, engine)
    }

    func browserEndpoint(at path: String) -> BrowserEndpoint? {
        browserEndpoints.isEmpty ? nil : browserEndpoints[path]
    }

    /// An answer, and what was asked for, for logs and metrics.
    package struct Answer: Sendable {
        package var response: WireResponse
        package var operation: String

        package init(_ response: WireResponse, operation: String) {
            self.response = response
            self.operation = operation
        }
    }

    /// Answers one request of the contract.
    ///
    /// - Parameter request: Its path is below the app's base.
    package func answer(_ request: WireRequest, from caller: Caller) async -> Answer {
        do {
            return await answer(try codec.read(request), as: request, from: caller)
        } catch {
            return Answer(codec.write(await counting(error, from: caller), to: request), operation: error.label)
        }
    }

    /// Counts a request that could not be read against its network: nothing else counts it.
    ///
    /// - Returns: The refusal, or the one for too many of them.
    func counting(_ refusal: WireRefusal, from caller: Caller) async -> WireRefusal {
        guard refusal.isUnreadable else { return refusal }
        do throws(AuthError) {
            try await engine.serving(caller).countUnreadableRequest()
            return refusal
        } catch {
            return .refused(error)
        }
    }

    private func answer<Operation: WireOperation>(
        _ operation: Operation, as request: WireRequest, from caller: Caller
    ) async -> Answer {
        let label = Operation.kind.rawValue
        do throws(AuthError) {
            try await checkSignature(of: request, for: Operation.kind, baseURL: caller.baseURL)
            let answer = try await operation.perform(by: engine.serving(caller))
            return Answer(codec.write(answer, to: Operation.kind), operation: label)
        } catch {
            return Answer(codec.write(error, to: Operation.kind), operation: label)
        }
    }
}

extension WireRefusal {
    /// Whether it was the request itself that was no good. What an operation refuses was counted with the operation.
    fileprivate var isUnreadable: Bool {
        switch self {
        case .unknownPath, .wrongMethod: false
        case .bodyTooLarge, .unsupportedMediaType: true
        case .refused(let error):
            switch error {
            case .malformedRequest, .invalid, .invalidAccessToken: true
            default: false
            }
        }
    }

    /// A request that never became an operation has no path worth keeping: paths and queries can carry secrets.
    fileprivate var label: String {
        switch self {
        case .unknownPath: "unknown_path"
        case .wrongMethod: "wrong_method"
        case .bodyTooLarge: "body_too_large"
        case .unsupportedMediaType: "unsupported_media_type"
        case .refused: "unreadable"
        }
    }
}
