package import OstiaryContracts
import OstiaryCore
package import OstiaryEngine

/// The HTTP endpoints of one app: its contract's codec in front of its engine. Independent of sockets.
///
/// A class because every request passes it on: copying all its properties would cost more than most requests.
package final class AppServer: Sendable {
    package let codec: Codec
    package let engine: AuthEngine
    /// The public keys as a JWK set; nil where tokens are signed with a shared secret.
    package let publicKeys: @Sendable () async throws -> [UInt8]?
    /// The appearance and form protection of the app's pages.
    let frame: Branding
    /// The cached document at `/openapi.json`.
    let openAPIDocument = RenderedDocument()
    /// The endpoints for browsers, by path.
    private let browserEndpoints: [String: BrowserEndpoint]
    private let pages: [String: any AppPage]

    /// - Parameter frame: Nil for pages that show the app's name.
    package init(
        codec: Codec, engine: AuthEngine, frame: Branding? = nil,
        publicKeys: @escaping @Sendable () async throws -> [UInt8]? = { nil }
    ) {
        self.codec = codec
        self.engine = engine
        self.publicKeys = publicKeys
        self.frame =
            frame
            ?? Branding(name: engine.app.name.text, keys: engine.ports.keys, isSecure: false, isDevelopment: false)
        browserEndpoints = BrowserEndpoint.all(of: codec, engine)
        pages = AppServer.pages(of: codec, engine.app)
    }

    /// Returns the page at a path; nil where the app has none.
    func page(at path: String) -> (any AppPage)? { pages[path] }

    /// Returns the endpoint for browsers that a request is for. The contract has the other methods at the path of its
    /// login.
    func browserEndpoint(for request: WireRequest) -> BrowserEndpoint? {
        guard !browserEndpoints.isEmpty, let endpoint = browserEndpoints[request.path] else { return nil }
        guard endpoint == .login else { return endpoint }
        return codec.endpoint(for: .beginBrowserSignIn)?.method.rawValue == request.method ? endpoint : nil
    }

    /// A response and the operation's name, for logs and metrics.
    package struct Answer: Sendable {
        package var response: ServerResponse
        package var operation: String

        package init(_ response: ServerResponse, operation: String) {
            self.response = response
            self.operation = operation
        }

        init(_ response: ServerResponse, _ label: RequestLabel) { self.init(response, operation: label.rawValue) }

        init(_ response: WireResponse, _ label: RequestLabel) { self.init(ServerResponse(response), label) }

        init(_ response: WireResponse, operation: String) {
            self.init(ServerResponse(response), operation: operation)
        }
    }

    /// Answers one request of the contract.
    ///
    /// - Parameter request: Its path is relative to the app's base.
    package func answer(_ request: WireRequest, from caller: Caller) async -> Answer {
        var caller = caller
        caller.dpopProof = PresentedProof(of: request, url: (caller.baseURL ?? "") + request.path)
        var answer = await answerProven(request, from: caller)
        answer.response = answer.response.addingNonce(of: engine, to: request)
        return answer
    }

    private func answerProven(_ request: WireRequest, from caller: Caller) async -> Answer {
        do {
            return await answer(try codec.read(request.withBearerToken), as: request, from: caller)
        } catch {
            return Answer(codec.write(await counting(error, from: caller), to: request), error.label)
        }
    }

    /// Counts an unreadable request against its network's rate limit, since no operation counts it.
    ///
    /// - Returns: The refusal, or the one for too many attempts.
    func counting(_ refusal: WireRefusal, from caller: Caller) async -> WireRefusal {
        guard refusal.isUnreadable else { return refusal }
        do throws(AuthError) {
            try await engine.serving(caller).countUnreadableRequest()
            return refusal
        } catch {
            return .refused(error)
        }
    }

    private func answer<Operation: AuthOperation>(
        _ operation: Operation, as request: WireRequest, from caller: Caller
    ) async -> Answer {
        let label = Operation.kind.rawValue
        do throws(AuthError) {
            try await checkSignature(of: request, for: Operation.kind, baseURL: caller.baseURL)
            let presenting = presentingAssertion(caller, of: request, for: Operation.description)
            let answer = try await engine.serving(presenting).perform(operation)
            return Answer(codec.write(answer, to: Operation.kind), operation: label)
        } catch {
            return Answer(codec.write(error, to: Operation.kind), operation: label)
        }
    }
}

extension WireRefusal {
    /// `true` if the request itself was malformed. A refusal by an operation was counted with that operation.
    fileprivate var isUnreadable: Bool {
        switch self {
        case .unknownPath, .wrongMethod: false
        case .bodyTooLarge, .unsupportedMediaType: true
        case .refused(let error):
            switch error {
            case .malformedRequest, .invalid, .invalidAttribute, .invalidAccessToken: true
            default: false
            }
        }
    }

    /// The label of a request that never became an operation. Its path is not used: paths and queries can carry
    /// secrets.
    fileprivate var label: RequestLabel {
        switch self {
        case .unknownPath: .unknownPath
        case .wrongMethod: .wrongMethod
        case .bodyTooLarge: .bodyTooLarge
        case .unsupportedMediaType: .unsupportedMediaType
        case .refused: .unreadable
        }
    }
}
