import OstiaryAdminAPI
import OstiaryCore
import OstiaryEngine

extension AdminRoutes {
    static let impersonation = [
        AdminRoute(AdminAPI.impersonate) { request, _, body in
            AdminImpersonation(
                try await request.app.impersonate(
                    request.account, reason: body.reason,
                    seconds: body.expiresIn ?? Administration.maximumImpersonationSeconds))
        }
    ]
}

extension AdminImpersonation {
    init(_ impersonation: Impersonation) {
        self.init()
        accessToken = impersonation.accessToken
        tokenType = "Bearer"
        expiresIn = impersonation.expiresInSeconds
        sessionID = impersonation.session.text
    }
}
