import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// The page that an app's device link leads to in a browser: the app on the device redeems the link, because a browser
/// cannot hand the secret over to it. Opening the page redeems nothing.
struct DeviceLinkPage: AppPage {
    static let path = "/recognize-device"

    func answer(_ request: WireRequest, app: AppServer, from caller: Caller) async -> ServerResponse {
        guard ["GET", "HEAD"].contains(request.method) else {
            return ServerResponse(status: 405, headers: ["allow": "GET, HEAD"])
        }
        let query = FormValues(request.query)
        guard !query.hasRepeats else { return page(.problem(.malformedRequest), request, app, status: 400) }
        do throws(AuthError) {
            try await app.engine.serving(caller).lookUpDeviceLink(Secret(query["token"] ?? ""))
            return page(.recognizeDeviceInApp, request, app)
        } catch {
            let refusal = ServerResponse(app.codec.write(error))
            let shown: HostedPage =
                error == .challengeRefused ? .deviceLinkOver(renewal: nil) : .problem(.refused(error))
            return page(shown, request, app, status: error == .challengeRefused ? 400 : refusal.status).taking(refusal)
        }
    }

    private func page(
        _ page: HostedPage, _ request: WireRequest, _ app: AppServer, status: Int = 200
    ) -> ServerResponse {
        page.response(in: app.frame, for: request, browser: nil, status: status)
    }
}
